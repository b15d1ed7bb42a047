import type { FileHandle } from 'node:fs/promises'
import { MAX_CHAPTERS } from '../feeds/parse/chapters'
import { parseAddress, parseText } from '../feeds/parse/values'
import type { ChapterFacts } from '../store/documents'
import type { MediaLimits } from './limits'
import { TooLarge } from './bounded-file'
import { piece, type Readable } from './readable'

// ID3v2, https://id3.org/id3v2.3.0 and https://id3.org/id3v2.4.0-structure
const HEADER = 10

/** `flags` has two bytes, in version 2 none. */
export type Frame = { id: string; flags: Buffer; body: Buffer }
type Header = { version: number; flags: number; size: number; length: number }
/** `isWhole`: every byte was understood, so that the tag can be rewritten. */
export type Tag = Header & { frames: Frame[]; isWhole: boolean }
type Bounds = Pick<MediaLimits, 'tagBytes' | 'frames'>

/** Reads the header of a tag at this byte; null if none begins. `length` includes the header and a footer. */
export async function readHeader(file: Readable, at: number): Promise<Header | null> {
  const bytes = await piece(file, at, HEADER)
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 3) !== 'ID3') return null
  const flags = bytes[5]!
  const size = synchsafe(bytes, 6)
  return { version: bytes[3]!, flags, size, length: HEADER + size + (flags & 0x10 ? HEADER : 0) }
}

const MAX_JUNK = 4096

/** The byte at which a tag begins, past the line breaks or the zeros that some hosts put in front; null without one. */
async function findTag(file: Readable, from: number): Promise<number | null> {
  const bytes = await piece(file, from, MAX_JUNK)
  // Sound that begins here is not searched: it may contain anything.
  if (bytes[0] === 0xff) return null
  const found = /ID3[\x02-\x04].[^][\0-\x7f]{4}/.exec(bytes.toString('latin1'))
  return found && from + found.index
}

/** Reads a tag and its frames. Throws `TooLarge`. */
export async function readTag(file: Readable, at: number, header: Header, bounds: Bounds): Promise<Tag> {
  const { version, flags, size } = header
  if (size > bounds.tagBytes) throw new TooLarge(`The tag has ${size} bytes`)
  // In the oldest version, this flag means a compression that was never defined.
  if (version < 2 || version > 4 || (version === 2 && flags & 0x40)) return { ...header, frames: [], isWhole: false }
  const stored = await piece(file, at + HEADER, size)
  const bytes = version < 4 && flags & 0x80 ? withoutStuffing(stored) : stored
  const begin = flags & 0x40 ? extendedLength(bytes, version) : 0
  const walk = createWalk(version, bounds.frames)
  const frames = [...walk.framesOf(bytes.subarray(begin))]
  return { ...header, frames, isWhole: stored.length === size && begin <= bytes.length && !walk.isBroken() }
}

type Walk = ReturnType<typeof createWalk>

/** Walks through frames and the frames within them, no more than `most` in all. */
function createWalk(version: number, most: number) {
  let left = most
  let isBroken = false
  const [name, header] = version === 2 ? [3, 6] : [4, HEADER]
  return {
    /** Yields frames until padding, or until the bytes are no frame. Throws `TooLarge`. */
    *framesOf(bytes: Buffer): Generator<Frame> {
      let at = 0
      while (at + header <= bytes.length && bytes[at] !== 0) {
        const id = bytes.toString('latin1', at, at + name)
        const begin = at + header
        const end = begin + lengthAt(bytes, at + name, version)
        isBroken ||= !/^[A-Z0-9]+$/.test(id) || end > bytes.length
        if (isBroken) return
        if (--left < 0) throw new TooLarge(`The tag has more than ${most} frames`)
        yield { id, flags: bytes.subarray(at + 2 * name, begin), body: bytes.subarray(begin, end) }
        at = end
      }
      // Some programs write lengths in the way of another version: then what follows isn't padding.
      isBroken ||= bytes.subarray(at).some(byte => byte !== 0)
    },
    isBroken: () => isBroken,
  }
}

/** The content of a frame after its flags are applied; null when it is compressed or encrypted. */
export function contentOf({ flags, body }: Frame, version: number): Buffer | null {
  const format = flags[1] ?? 0
  if (format & (version === 4 ? 0x0c : 0xc0)) return null
  if (version !== 4) return body
  const plain = format & 0x02 ? withoutStuffing(body) : body
  return format & 0x01 ? plain.subarray(4) : plain
}

/** Undoes unsynchronisation, which puts a zero behind each byte of ones so that no decoder takes it for sound. */
function withoutStuffing(bytes: Buffer): Buffer {
  const plain = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    plain[length++] = bytes[at]!
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at++
  }
  return plain.subarray(0, length)
}

const extendedLength = (bytes: Buffer, version: number) =>
  bytes.length < 4 ? 0 : version === 4 ? synchsafe(bytes, 0) : 4 + bytes.readUInt32BE(0)

function lengthAt(bytes: Buffer, at: number, version: number): number {
  if (version === 2) return bytes.readUIntBE(at, 3)
  return version === 4 ? synchsafe(bytes, at) : bytes.readUInt32BE(at)
}

/** Reads a number from the low seven bits of four bytes. */
const synchsafe = (bytes: Buffer, at: number) =>
  (bytes[at]! << 21) | (bytes[at + 1]! << 14) | (bytes[at + 2]! << 7) | bytes[at + 3]!

export function writeSynchsafe(bytes: Buffer, at: number, value: number) {
  for (let place = 0; place < 4; place++) bytes[at + place] = (value >>> (21 - 7 * place)) & 127
}

const decoders: Record<number, string> = { 0: 'latin1', 1: 'utf-16', 2: 'utf-16be', 3: 'utf-8' }
const MAX_TEXT = 4096

/** Decodes the first text of a frame whose first byte names the encoding. */
export function decodeText(body: Buffer): string {
  const encoding = decoders[body[0] ?? 0] ?? 'latin1'
  const isBigEndian = body[1] === 0xfe && body[2] === 0xff
  const decoder = new TextDecoder(encoding === 'utf-16' && isBigEndian ? 'utf-16be' : encoding)
  return decoder
    .decode(body.subarray(1, 1 + MAX_TEXT))
    .replace(/^\uFEFF/, '')
    .split('\0')[0]!
    .trim()
}

/** Texts of a file's tags as they are written; null = none. */
export type MediaTags = Record<'title' | 'album' | 'artist' | 'date' | 'comment', string | null> & {
  number: number | null
}

/** Reads the tag at the start of an MP3; nothing if it is too large. */
export async function readId3Tags(file: FileHandle, limits: MediaLimits): Promise<MediaTags> {
  const find = await readFrames(file, limits)
  const text = (...ids: string[]) => ids.map(id => find(id)).find(Boolean)
  const [year, day] = [text('TYER'), text('TDAT')]
  const dayAndMonth = /^(\d\d)(\d\d)$/.exec(decoded(day) ?? '')
  const older = year && dayAndMonth ? `${decoded(year)}-${dayAndMonth[2]}-${dayAndMonth[1]}` : null
  return {
    title: decoded(text('TIT2')),
    album: decoded(text('TALB')),
    artist: decoded(text('TPE1')),
    date: decoded(text('TDRC', 'TDRL', 'TDOR')) ?? older,
    comment: commentIn(find('COMM')),
    number: Number(/^\d{1,6}/.exec(decoded(text('TRCK')) ?? '')?.[0]) || null,
  }
}

/** Reads the first picture of the tag at the start of an MP3; null if there is none. */
export async function readId3Picture(file: FileHandle, limits: MediaLimits): Promise<Uint8Array | null> {
  const content = (await readFrames(file, limits))('APIC')
  if (!content) return null
  // The type of the picture follows the name of its format, and a description precedes its bytes.
  const description = content.indexOf(0, 1) + 2
  return description < 2 ? null : content.subarray(endOfText(content, description, content[0]!))
}

type FindFrame = (id: string) => Buffer | null

async function readFrames(file: FileHandle, limits: MediaLimits): Promise<FindFrame> {
  const at = (await findTag(file, 0)) ?? 0
  const header = await readHeader(file, at)
  const tag = header && (await readTag(file, at, header, limits).catch(() => null))
  const first = new Map<string, Frame>()
  for (const frame of tag?.frames ?? []) first.getOrInsertComputed(frame.id, () => frame)
  return id => {
    const frame = first.get(id)
    return frame ? contentOf(frame, tag!.version) : null
  }
}

const decoded = (content: Buffer | null | undefined): string | null => (content && decodeText(content)) || null

/** A comment follows its language and a description. */
function commentIn(content: Buffer | null): string | null {
  if (!content || content.length < 5) return null
  const encoding = content.subarray(0, 1)
  return decoded(Buffer.concat([encoding, content.subarray(endOfText(content, 4, content[0]!))]))
}

/** The byte after a text and its terminator, which is as wide as a character. */
function endOfText(content: Buffer, from: number, encoding: number): number {
  const isWide = encoding === 1 || encoding === 2
  let at = from
  if (!isWide) while (at < content.length && content[at] !== 0) at++
  if (isWide) while (at + 1 < content.length && (content[at] !== 0 || content[at + 1] !== 0)) at += 2
  return at + (isWide ? 2 : 1)
}

const MAX_TAGS = 4

/**
 * Reads the chapters in the ID3 tags at the start of an MP3, and finds the byte where its sound begins. `isOver`: one
 * of the tags is too large to read. https://id3.org/id3v2-chapters-1.0
 */
export async function readChapters(file: FileHandle, limits: MediaLimits) {
  let soundAt = 0
  let isOver = false
  const chapters: ChapterFacts[] = []
  for (let count = 0; ; count++) {
    const tagAt = await findTag(file, soundAt)
    const header = tagAt === null ? null : await readHeader(file, tagAt)
    if (tagAt === null || !header) break
    if (count < MAX_TAGS && !isOver) {
      const found = await readTag(file, tagAt, header, limits)
        .then(({ frames, version }) => chaptersIn(frames, version, limits))
        .catch(() => null)
      if (found) chapters.push(...found)
      else isOver = true
    }
    soundAt = tagAt + header.length
    if (count > limits.frames) break
  }
  return { chapters: isOver ? [] : chapters, soundAt, isOver }
}

function chaptersIn(frames: readonly Frame[], version: number, { frames: most }: MediaLimits): ChapterFacts[] {
  const walk = createWalk(version, most)
  const shown = shownIn(frames, version)
  return frames
    .filter(({ id }) => id === 'CHAP')
    .flatMap(frame => {
      const body = contentOf(frame, version)
      const chapter = body && readChapter(body, version, walk)
      return chapter && (!shown || shown.has(chapter.name)) ? [chapter.facts] : []
    })
    .slice(0, MAX_CHAPTERS * 2)
}

/** Names of the chapters that are in a table of contents; null if there is none. */
function shownIn(frames: readonly Frame[], version: number): Set<string> | null {
  const tables = frames.flatMap(frame => (frame.id === 'CTOC' ? (contentOf(frame, version) ?? []) : []))
  if (tables.length === 0) return null
  const names = new Set<string>()
  for (const table of tables) {
    let at = afterZero(table, 0) + 1
    const count = table[at++] ?? 0
    for (let place = 0; place < count && at < table.length; place++) {
      const end = afterZero(table, at)
      names.add(table.toString('latin1', at, end - 1))
      at = end
    }
  }
  return names
}

/** Reads one chapter; null without a title, as in other players. */
function readChapter(body: Buffer, version: number, walk: Walk): { name: string; facts: ChapterFacts } | null {
  const at = afterZero(body, 0)
  if (at + 16 > body.length) return null
  const startMs = body.readUInt32BE(at)
  const endMs = body.readUInt32BE(at + 4)
  let title: string | null = null
  let href: string | null = null
  for (const frame of walk.framesOf(body.subarray(at + 16))) {
    const content = contentOf(frame, version)
    if (content && frame.id === 'TIT2') title = parseText(decodeText(content)) ?? ''
    if (content && frame.id === 'WXXX') href = parseAddress(linkIn(content), 'https://invalid.invalid/')
  }
  if (title === null) return null
  return {
    name: body.toString('latin1', 0, at - 1),
    facts: { startMs, endMs: endMs > startMs && endMs !== 0xffffffff ? endMs : null, title, href, imageUrl: null },
  }
}

/** The address after the description, which ends with a zero as wide as a character of its encoding. */
function linkIn(content: Buffer): string {
  const isWide = content[0] === 1 || content[0] === 2
  let at = 1
  if (isWide) while (at + 1 < content.length && (content[at] !== 0 || content[at + 1] !== 0)) at += 2
  const from = isWide ? at + 2 : afterZero(content, 1)
  return content.toString('latin1', from, from + 2000).split('\0')[0]!
}

function afterZero(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(0, from)
  return at === -1 ? bytes.length : at + 1
}
