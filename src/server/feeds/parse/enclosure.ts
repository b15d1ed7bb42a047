import { extname } from 'node:path'
import type { ParsedEnclosure } from './parsed-feed'

const typesByExtension: Record<string, string> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  m4b: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
}

/** Returns the media type of a URL by the extension in its path; null if that says nothing. */
export function typeByExtension(address: string): string | null {
  return typesByExtension[extensionOf(address)] ?? null
}

/** Returns the media type of a file on the disk by its extension; null if that says nothing. */
export const typeOfFile = (path: string): string | null =>
  typesByExtension[extname(path).slice(1).toLowerCase()] ?? null

const extensionOf = (address: string) =>
  /^[a-z]+:\/\/[^/?#]+\/[^?#]*\.([a-z0-9]{1,7})(?:[?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? ''

/** Extensions of files that cannot be played, and of playlists: a stream (HLS, DASH) is no file that could be kept. */
const unplayable = new Set(
  'jpg jpeg png gif webp avif svg ico bmp tif tiff heic pdf epub mobi doc docx odt rtf txt md htm html xhtml php3 xml json zip gz rar 7z m3u m3u8 mpd pls asx srt vtt torrent'.split(
    ' ',
  ),
)
const lists = /mpegurl|dash\+xml|scpls|x-ms-asf/
/** Sites whose addresses lead to a page with a player, not to a file. */
const pages = /^https?:\/\/(?:[\w-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be|dailymotion\.com)[:/]/i
/** Types that say nothing about the content. */
const vague = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/force-download',
  'application/x-download',
  'application/download',
  'application/x-force-download',
])
/** Types of audio, with those that are not registered but common. */
const audio = /^(audio($|\/)|application\/(x-)?(ogg|mp3|mpeg3?|mp4a?|m4a|flac|wav)$|mpe?g3?$|mp3$)/
const video = /^video($|\/)/

/**
 * Chooses what to play: audio before video, common formats first, else the feed's order; never pictures or documents.
 */
export function chooseEnclosure<E extends ParsedEnclosure>(candidates: readonly E[]): E | null {
  let best: E | null = null
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const rank = rankOf(candidate)
    if (rank === null || rank >= least) continue
    best = candidate
    least = rank
  }
  return best
}

function rankOf({ url, type }: ParsedEnclosure): number | null {
  const said = type?.toLowerCase().split(';')[0]?.trim() ?? ''
  const extension = extensionOf(url)
  if (lists.test(said) || extension === 'm3u8' || extension === 'mpd' || pages.test(url)) return null
  const isMedia = audio.test(said) || video.test(said)
  if (!isMedia && unplayable.has(extension)) return null
  const effective = isMedia ? said : (typesByExtension[extension] ?? said)
  if (/^audio\/(x-)?(mpeg|mp3|mp4|m4a|x-m4a|aac|mp4a-latm)/.test(effective)) return 0
  if (audio.test(effective)) return 1
  if (video.test(effective)) return 2
  return effective === '' || vague.has(effective) ? 3 : null
}
