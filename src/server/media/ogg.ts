import type { FileHandle } from 'node:fs/promises'
import { MAX_CHAPTERS, parseTimestamp } from '../feeds/parse/chapters'
import { parseAddress, parseText } from '../feeds/parse/values'
import type { ChapterFacts } from '../store/documents'
import type { MediaLimits } from './limits'
import { piece } from './readable'

const HEAD = 16 * 1024
const TAIL = 128 * 1024
const PAGE_HEADER = 27
const MAX_SEGMENTS = 255
const CONTINUED = 1
const CAPTURE = Buffer.from('OggS')

/**
 * A stream of sound: its number, its samples per second, those that players skip, what its second packet has before its
 * comments, and the byte after its first page.
 */
type Stream = { serial: number; perSecond: number; skipped: number; prefix: number; behind: number }

type Comments = { chapters: ChapterFacts[]; isOver: boolean }

/**
 * Reads the length and the chapters of an Ogg file: the position of its last page in the stream of sound, at the rate
 * that the first page of that stream announces, and the comments in its second packet. The pages between are not read.
 * https://www.rfc-editor.org/rfc/rfc3533
 */
export async function readOgg(
  file: FileHandle,
  size: number,
  limits: MediaLimits,
): Promise<Comments & { seconds: number | null }> {
  const stream = streamIn(await piece(file, 0, HEAD))
  if (!stream) return { seconds: null, chapters: [], isOver: false }
  const packet = packetOf(file, stream, limits.reads)
  await packet.skip(stream.prefix)
  return { ...(await readComments(packet, limits)), seconds: await secondsOf(file, size, stream) }
}

async function secondsOf(file: FileHandle, size: number, { serial, skipped, perSecond }: Stream) {
  const tail = await piece(file, Math.max(0, size - TAIL), TAIL)
  for (let at = tail.lastIndexOf(CAPTURE); at !== -1; at = at === 0 ? -1 : tail.lastIndexOf(CAPTURE, at - 1)) {
    if (at + PAGE_HEADER > tail.length || tail.readUInt32LE(at + 14) !== serial) continue
    const position = tail.readBigInt64LE(at + 6)
    if (position > 0n) return (Number(position) - skipped) / perSecond
  }
  return null
}

/** The first stream of sound among the pages that a file begins with. */
function streamIn(head: Buffer): Stream | null {
  for (let at = 0; at + PAGE_HEADER < head.length && head.subarray(at, at + 4).equals(CAPTURE);) {
    const segments = head[at + 26]!
    const body = at + PAGE_HEADER + segments
    const length = head.subarray(at + PAGE_HEADER, body).reduce((sum, segment) => sum + segment, 0)
    const codec = codecOf(head.subarray(body, body + length))
    if (codec && codec.perSecond > 0) return { serial: head.readUInt32LE(at + 14), behind: body + length, ...codec }
    at = body + length
  }
  return null
}

/** The rate in a codec's first packet. Opus always counts 48,000 a second, and skips samples at its start. */
function codecOf(packet: Buffer): Omit<Stream, 'serial' | 'behind'> | null {
  const begins = (text: string, at = 0) => packet.toString('latin1', at, at + text.length) === text
  if (begins('OpusHead') && packet.length >= 19)
    return { perSecond: 48_000, skipped: packet.readUInt16LE(10), prefix: 'OpusTags'.length }
  if (begins('\x01vorbis') && packet.length >= 16)
    return { perSecond: packet.readUInt32LE(12), skipped: 0, prefix: '\x03vorbis'.length }
  if (begins('Speex   ') && packet.length >= 40) return { perSecond: packet.readUInt32LE(36), skipped: 0, prefix: 0 }
  // The header of FLAC follows nine bytes of its mapping; its rate is in twenty bits of it.
  if (begins('\x7fFLAC') && packet.length >= 31)
    return { perSecond: packet.readUIntBE(27, 3) >> 4, skipped: 0, prefix: 4 }
  return null
}

/** The second packet of a stream: from the page behind its first one, through at most `mostPages` pages. */
function packetOf(file: FileHandle, { serial, behind }: Stream, mostPages: number): ByteSource {
  let next = behind
  let pagesLeft = mostPages
  let isFirst = true
  /** Bytes of the packet in this page that are not read yet. */
  let part = { at: 0, length: 0, isLast: false }

  /** Moves to the next page with bytes of the packet; false if it ends. */
  async function turn(): Promise<boolean> {
    while (!part.isLast && --pagesLeft >= 0) {
      const header = await piece(file, next, PAGE_HEADER + MAX_SEGMENTS)
      const count = header[26] ?? 0
      if (header.length < PAGE_HEADER + count || !header.subarray(0, 4).equals(CAPTURE)) break
      const segments = header.subarray(PAGE_HEADER, PAGE_HEADER + count)
      const body = next + PAGE_HEADER + count
      next = body + segments.reduce((sum, segment) => sum + segment, 0)
      if (header.readUInt32LE(14) !== serial) continue
      // A packet that begins here, where another one should continue, is not the one that was begun.
      if (!isFirst && !(header[5]! & CONTINUED)) break
      const last = segments.findIndex(segment => segment < 255)
      const own = last === -1 ? segments : segments.subarray(0, last + 1)
      part = { at: body, length: own.reduce((sum, segment) => sum + segment, 0), isLast: last !== -1 }
      isFirst = false
      if (part.length > 0) return true
    }
    return false
  }

  let held: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }
  /** Bytes of the current page, which is read at once. */
  async function take(length: number): Promise<Buffer> {
    if (part.at < held.at || part.at + length > held.at + held.bytes.length)
      held = { at: part.at, bytes: await piece(file, part.at, part.length) }
    return held.bytes.subarray(part.at - held.at, part.at - held.at + length)
  }

  async function step(length: number, use: (length: number) => Promise<void>) {
    for (let left = length; left > 0;) {
      if (part.length === 0 && !(await turn())) return
      const taken = Math.min(left, part.length)
      await use(taken)
      part = { ...part, at: part.at + taken, length: part.length - taken }
      left -= taken
    }
  }
  return {
    async read(length) {
      const pieces: Buffer[] = []
      await step(length, async taken => void pieces.push(await take(taken)))
      return Buffer.concat(pieces)
    },
    skip: length => step(length, async () => {}),
  }
}

/** The bytes of a packet, in order. `read` returns less, and `skip` stops, where it ends. */
type ByteSource = { read(length: number): Promise<Buffer>; skip(length: number): Promise<void> }

/** Titles and links are shorter; pictures are longer. */
const MAX_LENGTH = 4096

/** Reads the chapters in a packet of comments. `isOver`: it has more comments than are read. */
async function readComments(source: ByteSource, { frames: most }: MediaLimits): Promise<Comments> {
  const found = collectChapters()
  await source.skip((await number(source)) ?? 0)
  const count = (await number(source)) ?? 0
  for (let left = Math.min(count, most); left > 0; left--) {
    const length = await number(source)
    // The packet ended early: it has fewer than it announces.
    if (length === null) return { chapters: found.chapters(), isOver: false }
    if (length > MAX_LENGTH) await source.skip(length)
    else found.add((await source.read(length)).toString('utf8'))
  }
  const isOver = count > most && (await number(source)) !== null
  return { chapters: isOver ? [] : found.chapters(), isOver }
}

async function number(source: ByteSource): Promise<number | null> {
  const bytes = await source.read(4)
  return bytes.length < 4 ? null : bytes.readUInt32LE(0)
}

type Parts = Partial<Record<'' | 'NAME' | 'URL', string>>

/**
 * Collects the chapters among the comments of Vorbis, Opus and FLAC: `CHAPTER001=00:01:02.500`, `CHAPTER001NAME=…` and
 * `CHAPTER001URL=…`, in any order. https://wiki.xiph.org/Chapter_Extension
 */
export function collectChapters() {
  const found = new Map<string, Parts>()
  return {
    add(comment: string) {
      const [, place, part, value] = /^CHAPTER(\d{1,4})(NAME|URL|)=(.*)$/is.exec(comment) ?? []
      if (place === undefined) return
      found.getOrInsertComputed(place, () => ({}))[part!.toUpperCase() as keyof Parts] = value!
    },
    chapters: (): ChapterFacts[] => [...found.values()].flatMap(chapterOf).slice(0, MAX_CHAPTERS * 2),
  }
}

function chapterOf({ '': time, NAME: name, URL: url }: Parts): ChapterFacts[] {
  const startMs = parseTimestamp(time)
  if (startMs === null) return []
  const href = url ? parseAddress(url, 'https://invalid.invalid/') : null
  return [{ startMs, endMs: null, title: parseText(name ?? '') ?? '', href, imageUrl: null }]
}
