import { type FileHandle, open, unlink } from 'node:fs/promises'

/** The tags to write into a file; null = stays as it is. The date is `YYYY-MM-DD`. */
export type Tags = {
  title: string | null
  album: string | null
  artist: string | null
  date: string | null
  number: number | null
  cover: Cover | null
}
export type Cover = { type: string; bytes: Uint8Array }

/** The reason why a file keeps its tags. */
export type Refusal =
  /** Neither an MP3 nor an MP4. */
  | 'unsupported-type'
  /** Tags of a kind that cannot be kept while others are changed. */
  | 'unsupported-tags'
  /** A fragmented MP4, whose parts contain each other's places. */
  | 'fragments'
  /** Cut off, or not structured as files of its kind. */
  | 'malformed'
  /** Beyond the limits on reading a file. */
  | 'too-large'

export class Refused extends Error {
  override name = 'Refused'
  constructor(readonly reason: Refusal) {
    super(reason)
  }
}

const MAX_CHARACTERS = 1000
const MAX_COVER_BYTES = 8 * 1024 * 1024
const coverTypes = new Set(['image/jpeg', 'image/png'])

/**
 * Makes tags fit for any file: one line of text each, and a cover that players can show; what does not fit is left out.
 */
export function fit({ title, album, artist, date, number, cover }: Tags): Tags {
  return {
    title: fitText(title),
    album: fitText(album),
    artist: fitText(artist),
    date: date !== null && /^\d{4}-\d{2}-\d{2}$/.test(date) ? date : null,
    number: number !== null && Number.isInteger(number) && number > 0 && number <= 0xffff ? number : null,
    cover: cover && coverTypes.has(cover.type) && cover.bytes.length <= MAX_COVER_BYTES ? cover : null,
  }
}

function fitText(text: string | null): string | null {
  // oxlint-disable-next-line no-control-regex
  const line = text?.replace(/[\0-\x1f\x7f]/g, ' ').trim()
  return line ? line.slice(0, MAX_CHARACTERS).toWellFormed() : null
}

/** Bytes of the source that stay as they are; `to` is the byte after the last. */
type Range = { from: number; to: number }
/** A new file in pieces: new bytes, and ranges of the old file. */
export type Piece = Uint8Array | Range

const CHUNK = 1024 * 1024

/**
 * Writes a new file of pieces of `source`, synced to the disk, and returns its size. If that fails, the target is
 * removed again, also if the source is shorter than a range says.
 */
export async function writePieces(source: string, target: string, pieces: readonly Piece[]): Promise<number> {
  const from = await open(source, 'r')
  try {
    const to = await open(target, 'w')
    try {
      let size = 0
      for (const piece of pieces)
        size += piece instanceof Uint8Array ? await put(to, piece) : await copy(from, to, piece)
      await to.sync()
      return size
    } finally {
      await to.close()
    }
  } catch (error) {
    await unlink(target).catch(() => undefined)
    throw error
  } finally {
    await from.close()
  }
}

async function copy(source: FileHandle, target: FileHandle, { from, to }: Range): Promise<number> {
  const buffer = Buffer.alloc(Math.min(CHUNK, to - from))
  for (let at = from; at < to;) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, to - at), at)
    if (bytesRead === 0) throw new Error(`The file ends at byte ${at}, before ${to}`)
    await put(target, buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return to - from
}

async function put(target: FileHandle, bytes: Uint8Array): Promise<number> {
  for (let at = 0; at < bytes.length;) at += (await target.write(bytes, at)).bytesWritten
  return bytes.length
}
