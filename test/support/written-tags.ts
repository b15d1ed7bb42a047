import { parseBuffer, type IAudioMetadata } from 'music-metadata'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaLimits } from '../../src/server/media/limits'
import { type Refusal, type Tags, writeTags } from '../../src/server/media/write-tags'
import { writePieces } from '../../src/server/media/write-tags/tags'
import { temporaryFolder } from './app'

const folder = temporaryFolder()

export const png = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0xff, 0, 0xff, 0xe0, 1])

export const noTags: Tags = { title: null, album: null, artist: null, date: null, number: null, cover: null }
export const allTags: Tags = {
  title: 'Über den Nebel – 第7話',
  album: 'Lighthouse Radio',
  artist: 'Mara Field',
  date: '2026-03-04',
  number: 7,
  cover: { type: 'image/png', bytes: png },
}

/** Writes tags into a file of these bytes, and returns the new file, or the reason why it stays as it is. */
export async function withTags(
  bytes: Uint8Array,
  type: string,
  tags: Partial<Tags> = allTags,
  limits = mediaLimits,
): Promise<Buffer | Refusal> {
  const path = join(folder, String(Bun.hash(bytes)))
  await Bun.write(path, bytes)
  const { pieces, refusal } = await writeTags({ path, type, tags: { ...noTags, ...tags }, limits })
  if (refusal !== null) return refusal
  const size = await writePieces(path, `${path}.new`, pieces)
  const written = await readFile(`${path}.new`)
  if (written.length !== size) throw new Error(`Wrote ${written.length} bytes and counted ${size}`)
  return written
}

/** The tags that music-metadata reads from a file, in our words. */
export async function tagsIn(bytes: Buffer | Refusal, type: string): Promise<Tags> {
  const { common, native } = await parse(bytes, type)
  const picture = common.picture?.[0]
  return {
    title: common.title ?? null,
    album: common.album ?? null,
    artist: common.artist ?? null,
    date: common.date ?? olderDate(Object.values(native).flat()),
    number: common.track.no,
    cover: picture ? { type: picture.format, bytes: Buffer.from(picture.data) } : null,
  }
}

/** The date in the frames before version 2.4: a year, and a day and month. */
function olderDate(frames: readonly { id: string; value: unknown }[]): string | null {
  const [year, day] = ['TYE', 'TDA'].map(name => frames.find(({ id }) => id.startsWith(name))?.value)
  if (typeof year !== 'string') return null
  return typeof day === 'string' ? `${year}-${day.slice(2)}-${day.slice(0, 2)}` : year
}

export function parse(bytes: Buffer | Refusal, mimeType: string): Promise<IAudioMetadata> {
  if (typeof bytes === 'string') throw new Error(`The tags were refused: ${bytes}`)
  return parseBuffer(bytes, { mimeType }, { includeChapters: true, duration: true })
}
