import type { FileHandle } from 'node:fs/promises'
import { MAX_CHAPTERS } from '../feeds/parse/chapters'
import { parseAddress, parseText } from '../feeds/parse/values'
import type { ChapterFacts } from '../store/documents'
import { contentOf, createWalk, decodeText, findTag, type Frame, readHeader, readTag, type Walk } from './id3'
import type { MediaLimits } from './limits'

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
