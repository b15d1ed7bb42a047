import type { ParsedEnclosure } from './parsed-feed'

const typesByExtension: Record<string, string> = {
  mp3: 'audio/mpeg', m4a: 'audio/mp4', m4b: 'audio/mp4', aac: 'audio/aac', ogg: 'audio/ogg', oga: 'audio/ogg', opus: 'audio/ogg',
  flac: 'audio/flac', wav: 'audio/wav', mp4: 'video/mp4', m4v: 'video/mp4', mov: 'video/quicktime', webm: 'video/webm', mkv: 'video/x-matroska',
} // prettier-ignore

/** What the file name promises, or null. */
export function typeByExtension(address: string): string | null {
  const extension = /\.([a-z0-9]{2,5})$/i.exec(URL.parse(address)?.pathname ?? '')?.[1]
  return (extension && typesByExtension[extension.toLowerCase()]) || null
}

/** The one to play: audio before video, the common formats first, else in the feed's order. Pictures and documents are none. */
export function chooseEnclosure(candidates: readonly ParsedEnclosure[]): ParsedEnclosure | null {
  const ranked = candidates
    .map(candidate => ({ candidate, rank: rankOf(candidate) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => a.rank! - b.rank!)
  return ranked[0]?.candidate ?? null
}

function rankOf({ url, type }: ParsedEnclosure): number | null {
  const said = type?.toLowerCase().split(';')[0]?.trim() ?? ''
  const isMedia = /^(audio|video)\//.test(said)
  const effective = isMedia ? said : (typeByExtension(url) ?? said)
  if (/^audio\/(x-)?(mpeg|mp3|mp4|m4a|x-m4a|aac|mp4a-latm)/.test(effective)) return 0
  if (effective.startsWith('audio/') || effective === 'application/ogg') return 1
  if (effective.startsWith('video/')) return 2
  return effective === '' || effective === 'application/octet-stream' || effective === 'binary/octet-stream' ? 3 : null
}
