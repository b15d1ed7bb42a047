import { MAX_CHAPTERS, parseTimestamp } from '../feeds/parse/chapters'
import { parseAddress, parseText } from '../feeds/parse/values'
import type { ChapterFacts } from '../store/documents'
import type { MediaLimits } from './limits'

/** Bytes in order: those of a block, or of a packet in pieces. Both return less, or stop, where it ends. */
export type ByteSource = { read(length: number): Promise<Buffer>; skip(length: number): Promise<void> }

export type Comments = { chapters: ChapterFacts[]; isOver: boolean }

/** No title and no link is longer; a picture is. */
const MAX_LENGTH = 4096

/**
 * Reads the chapters in the comments of Vorbis, Opus and FLAC: `CHAPTER001=00:01:02.500`, `CHAPTER001NAME=…` and
 * `CHAPTER001URL=…`. `isOver`: there are more comments than are read. https://wiki.xiph.org/Chapter_Extension
 */
export async function readChapterComments(source: ByteSource, { frames: most }: MediaLimits): Promise<Comments> {
  const found = new Map<string, Partial<Record<'' | 'NAME' | 'URL', string>>>()
  await source.skip((await number(source)) ?? 0)
  const count = (await number(source)) ?? 0
  const read = Math.min(count, most)
  let isOver = count > most
  for (let index = 0; index < read; index++) {
    const length = await number(source)
    // The block ended before: it has fewer than it announces.
    if (length === null) return { chapters: chaptersOf(found), isOver: false }
    if (length > MAX_LENGTH) {
      await source.skip(length)
      continue
    }
    const comment = (await source.read(length)).toString('utf8')
    const [, place, part, value] = /^CHAPTER(\d{1,4})(NAME|URL|)=(.*)$/is.exec(comment) ?? []
    if (place === undefined) continue
    found.getOrInsertComputed(place, () => ({}))[part!.toUpperCase() as '' | 'NAME' | 'URL'] = value!
  }
  if (isOver) isOver = (await number(source)) !== null
  return { chapters: isOver ? [] : chaptersOf(found), isOver }
}

async function number(source: ByteSource): Promise<number | null> {
  const bytes = await source.read(4)
  return bytes.length < 4 ? null : bytes.readUInt32LE(0)
}

function chaptersOf(found: ReadonlyMap<string, Partial<Record<'' | 'NAME' | 'URL', string>>>): ChapterFacts[] {
  return [...found.values()]
    .flatMap(({ '': time, NAME: name, URL: url }) => {
      const startMs = parseTimestamp(time)
      if (startMs === null) return []
      const href = url ? parseAddress(url, 'https://invalid.invalid/') : null
      return [{ startMs, endMs: null, title: parseText(name ?? '') ?? '', href, imageUrl: null }]
    })
    .slice(0, MAX_CHAPTERS * 2)
}
