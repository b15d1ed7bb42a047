import { parseText } from '../feeds/parse/values'
import type { ChapterFacts } from '../store/documents'
import type { Budget } from './bounded-file'
import { piece, type Readable } from './readable'

// EBML (RFC 8794) and Matroska (RFC 9559); WebM is a part of it.
const SEGMENT = 0x18538067
const SEEK_HEAD = 0x114d9b74
const SEEK = 0x4dbb
const SEEK_ID = 0x53ab
const SEEK_POSITION = 0x53ac
const INFO = 0x1549a966
const SCALE = 0x2ad7b1
const DURATION = 0x4489
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const TRACK_TYPE = 0x83
const CHAPTERS = 0x1043a770
const EDITION = 0x45b9
const ATOM = 0xb6
const TIME_START = 0x91
const TIME_END = 0x92
const HIDDEN = 0x98
const DISPLAY = 0x80
const TITLE = 0x85
const CLUSTER = 0x1f43b675

const VIDEO = 1
const HEADER = 12
const AHEAD = 4096
/** Nanoseconds of a tick, unless the file sets another number. */
const DEFAULT_SCALE = 1e6

export type Matroska = {
  seconds: number | null
  chapters: ChapterFacts[]
  /** Null if no tracks were found. */
  hasVideo: boolean | null
  /** The budget was spent before the end. */
  isOver: boolean
}

type Element = { id: number; body: number; end: number }
type Walk = { file: Readable; left: Budget; ahead: { at: number; bytes: Buffer }; isOver: boolean }

/**
 * Reads the length, the chapters of the first edition, and whether there is a video track. The elements of a
 * segment are found by its index, and by walking up to the first cluster, within `budget`.
 */
export async function readMatroska(file: Readable, size: number, budget: Budget): Promise<Matroska> {
  const walk: Walk = { file, left: { ...budget }, ahead: { at: 0, bytes: Buffer.alloc(0) }, isOver: false }
  const found: Matroska = { seconds: null, chapters: [], hasVideo: null, isOver: false }
  for await (const { id, body, end } of elements(walk, 0, size))
    if (id === SEGMENT) {
      await readSegment(walk, body, end, found)
      break
    }
  return { ...found, isOver: walk.isOver, chapters: walk.isOver ? [] : found.chapters }
}

async function readSegment(walk: Walk, from: number, to: number, found: Matroska) {
  const visited = new Set<number>()
  const indexed: number[] = []
  const visit = async (element: Element) => {
    if (visited.has(element.id)) return
    if (element.id === INFO) found.seconds = await secondsOf(walk, element)
    else if (element.id === TRACKS) found.hasVideo = await hasVideo(walk, element)
    else if (element.id === CHAPTERS) found.chapters = await chaptersOf(walk, element)
    else return
    visited.add(element.id)
  }
  for await (const element of elements(walk, from, to)) {
    if (element.id === CLUSTER) break
    if (element.id === SEEK_HEAD) indexed.push(...(await offsetsIn(walk, element)))
    await visit(element)
  }
  for (const offset of indexed.slice(0, MAX_OFFSETS))
    for await (const element of elements(walk, from + offset, to)) {
      await visit(element)
      break
    }
}

const MAX_OFFSETS = 100

/** Offsets of the elements that we read, from the beginning of the segment. */
async function offsetsIn(walk: Walk, { body, end }: Element): Promise<number[]> {
  const offsets: number[] = []
  for await (const seek of elements(walk, body, end)) {
    if (seek.id !== SEEK) continue
    let id = 0
    let offset = 0
    for await (const part of elements(walk, seek.body, seek.end)) {
      if (part.id === SEEK_ID) id = await readUint(walk, part)
      if (part.id === SEEK_POSITION) offset = await readUint(walk, part)
    }
    if ([INFO, TRACKS, CHAPTERS].includes(id)) offsets.push(offset)
  }
  return offsets
}

async function secondsOf(walk: Walk, { body, end }: Element): Promise<number | null> {
  let scale = DEFAULT_SCALE
  let duration = 0
  for await (const part of elements(walk, body, end)) {
    if (part.id === SCALE) scale = await readUint(walk, part)
    if (part.id === DURATION) duration = await readFloat(walk, part)
  }
  return duration > 0 && scale > 0 ? (duration * scale) / 1e9 : null
}

async function hasVideo(walk: Walk, { body, end }: Element): Promise<boolean> {
  for await (const track of elements(walk, body, end)) {
    if (track.id !== TRACK) continue
    for await (const part of elements(walk, track.body, track.end))
      if (part.id === TRACK_TYPE && (await readUint(walk, part)) === VIDEO) return true
  }
  return false
}

async function chaptersOf(walk: Walk, { body, end }: Element): Promise<ChapterFacts[]> {
  const chapters: ChapterFacts[] = []
  for await (const edition of elements(walk, body, end)) {
    if (edition.id !== EDITION) continue
    for await (const atom of elements(walk, edition.body, edition.end)) {
      if (atom.id === ATOM) chapters.push(...(await chapterOf(walk, atom)))
    }
    if (chapters.length > 0) break
  }
  return chapters
}

async function chapterOf(walk: Walk, { body, end }: Element): Promise<ChapterFacts[]> {
  let startMs: number | null = null
  let endMs: number | null = null
  let title = ''
  for await (const part of elements(walk, body, end)) {
    if (part.id === TIME_START) startMs = Math.floor((await readUint(walk, part)) / 1e6)
    if (part.id === TIME_END) endMs = Math.floor((await readUint(walk, part)) / 1e6)
    if (part.id === HIDDEN && (await readUint(walk, part)) === 1) return []
    if (part.id === DISPLAY && !title) title = await titleOf(walk, part)
  }
  if (startMs === null || startMs > MAX_MS) return []
  return [{ startMs, endMs: endMs !== null && endMs > startMs ? endMs : null, title, href: null, imageUrl: null }]
}

const MAX_MS = 1e9
const MAX_TITLE = 4096

async function titleOf(walk: Walk, { body, end }: Element): Promise<string> {
  for await (const { id, body: from, end: to } of elements(walk, body, end))
    if (id === TITLE)
      return parseText((await readBytes(walk, from, Math.min(to - from, MAX_TITLE))).toString('utf8')) ?? ''
  return ''
}

/** The elements between two bytes; stops where they are malformed, or the budget is spent. */
async function* elements(walk: Walk, from: number, to: number): AsyncGenerator<Element> {
  for (let at = from; at < to;) {
    const header = await readBytes(walk, at, Math.min(HEADER, to - at))
    const id = header.length > 0 ? Math.clz32(header[0]!) - 23 : 9
    if (id > 4 || id >= header.length) return
    const length = Math.clz32(header[id]!) - 23
    if (length > 8 || id + length > header.length) return
    const body = at + id + length
    // All ones: the element ends where its parent does.
    const size = lengthIn(header.subarray(id, id + length))
    const end = size === null ? to : Math.min(to, body + size)
    yield { id: header.readUIntBE(0, id), body, end }
    at = end
  }
}

function lengthIn(bytes: Buffer): number | null {
  let value = bytes[0]! & ((1 << (8 - bytes.length)) - 1)
  let isOpen = value === (1 << (8 - bytes.length)) - 1
  for (const byte of bytes.subarray(1)) {
    value = value * 256 + byte
    isOpen &&= byte === 0xff
  }
  return isOpen ? null : value
}

async function readUint(walk: Walk, { body, end }: Element): Promise<number> {
  const bytes = await readBytes(walk, body, Math.min(8, end - body))
  return bytes.reduce((value, byte) => value * 256 + byte, 0)
}

async function readFloat(walk: Walk, { body, end }: Element): Promise<number> {
  const bytes = await readBytes(walk, body, Math.min(8, end - body))
  return bytes.length === 8 ? bytes.readDoubleBE() : bytes.length === 4 ? bytes.readFloatBE() : 0
}

/** Reads bytes of the file; none once the budget is spent. */
async function readBytes(walk: Walk, at: number, length: number): Promise<Buffer> {
  const { ahead, left } = walk
  if (--left.reads < 0) walk.isOver = true
  if (walk.isOver || length <= 0) return Buffer.alloc(0)
  if (at < ahead.at || at + length > ahead.at + ahead.bytes.length) {
    left.bytes -= AHEAD
    if (left.bytes < 0) walk.isOver = true
    walk.ahead = { at, bytes: await piece(walk.file, at, Math.max(length, AHEAD)) }
  }
  return walk.ahead.bytes.subarray(at - walk.ahead.at, at - walk.ahead.at + length)
}
