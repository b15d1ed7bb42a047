import type { FileHandle } from 'node:fs/promises'
import { type MediaLimits, mp4Limits } from '../limits'
import { piece, type Readable } from '../readable'
import { type Cover, type Piece, Refused, type Tags } from './tags'

/**
 * An MP4 with other tags in its list of items (`moov/udta/meta/ilst`), which is created if there is none. Every other
 * item and box and all sound stay byte for byte, except the tables that say where the sound is. Reads headers and those
 * tables only, at most 12 MB of them. Throws `Refused`.
 */
export async function writeMp4(file: FileHandle, size: number, tags: Tags, limits: MediaLimits): Promise<Piece[]> {
  const reader = createBoxReader(file, size, limits.reads)
  const moov = findMovie(await boxesIn(reader, 0, size))
  const children = await boxesOf(reader, moov)
  if (children.some(({ type }) => type === 'mvex')) throw new Refused('fragments')
  const { around, patches } = await listPatches(reader, moov, children, itemsOf(tags))
  const growth = patches.reduce((sum, { from, to, bytes }) => sum + bytes.length - (to - from), 0)
  const tables = await readOffsets(reader, moov, mp4Limits.bytes)
  return patched(size, [
    ...patches,
    ...[moov, ...around].flatMap(box => resized(box, growth)),
    ...movedOffsets(tables, moov, size, growth),
  ])
}

const ofFragments = new Set(['moof', 'mfra', 'sidx', 'ssix', 'styp'])

function findMovie(boxes: readonly Box[]): Box {
  const movies = boxes.filter(({ type }) => type === 'moov')
  if (boxes.some(({ type }) => ofFragments.has(type))) throw new Refused('fragments')
  // It may contain places in the file, too.
  if (boxes.some(({ type }) => type === 'meta')) throw new Refused('unsupported-tags')
  if (movies.length !== 1) throw new Refused('malformed')
  return movies[0]!
}

/** Changes of the list of items, and the boxes around it, which grow with it. */
type ListChange = { around: Box[]; patches: Patch[] }

async function listPatches(
  reader: BoxReader,
  moov: Box,
  children: readonly Box[],
  items: ReadonlyMap<string, Buffer>,
): Promise<ListChange> {
  const added = Buffer.concat([...items.values()])
  const udta = only(children, 'udta')
  if (!udta)
    return { around: [], patches: [insert(endOf(moov, children), writeBox('udta', metaOf(writeBox('ilst', added))))] }
  const meta = only(await boxesOf(reader, udta), 'meta')
  // Before the others: zeros after them may end the list for some readers.
  if (!meta) return { around: [udta], patches: [insert(udta.body, metaOf(writeBox('ilst', added)))] }
  const inMeta = await boxesIn(reader, await contentAt(reader, meta), meta.to)
  await requireItunes(reader, inMeta)
  const ilst = only(inMeta, 'ilst')
  if (!ilst) return { around: [udta, meta], patches: [insert(endOf(meta, inMeta), writeBox('ilst', added))] }
  const replaced = (await boxesOf(reader, ilst)).filter(({ type }) => items.has(type))
  return {
    around: [udta, meta, ilst],
    patches: [insert(ilst.body, added), ...replaced.map(({ from, to }) => ({ from, to, bytes: new Uint8Array(0) }))],
  }
}

/** The byte after the last box in a box; zeros may follow. */
const endOf = ({ body }: Box, inside: readonly Box[]) => inside.at(-1)?.to ?? body

const insert = (at: number, bytes: Uint8Array): Patch => ({ from: at, to: at, bytes })

function only(boxes: readonly Box[], type: string): Box | null {
  const [found, another] = boxes.filter(box => box.type === type)
  if (another) throw new Refused('unsupported-tags')
  return found ?? null
}

/** The first byte of the boxes in a `meta`: after four bytes of version and flags, which QuickTime leaves out. */
async function contentAt({ file }: BoxReader, { body }: Box): Promise<number> {
  const start = await piece(file, body, 8)
  return start.toString('latin1', 4, 8) === 'hdlr' ? body : body + 4
}

/** Throws `Refused` unless the items are named as iTunes does: in other lists, their names are numbers. */
async function requireItunes({ file }: BoxReader, inMeta: readonly Box[]) {
  const handler = inMeta.find(({ type }) => type === 'hdlr')
  const kind = handler && (await piece(file, handler.body + 8, 4)).toString('latin1')
  if (kind !== 'mdir') throw new Refused('unsupported-tags')
}

/** The pieces of a file with patches, which do not overlap. */
function patched(size: number, patches: readonly Patch[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { from, to, bytes } of patches.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    if (from > at) pieces.push({ from: at, to: from })
    if (bytes.length > 0) pieces.push(bytes)
    at = to
  }
  if (at < size) pieces.push({ from: at, to: size })
  return pieces
}

// Items of the list that iTunes writes: a box of a name with a box `data` in it, which says the type of its bytes.
const TEXT = 1
const JPEG = 13
const PNG = 14
const BINARY = 0

/** The items of tags by their names. */
function itemsOf({ title, album, artist, date, number, cover }: Tags): Map<string, Buffer> {
  const items = new Map<string, Buffer>()
  const add = (name: string, type: number, bytes: Uint8Array) =>
    items.set(name, writeBox(name, writeBox('data', Buffer.from([0, 0, 0, type, 0, 0, 0, 0]), bytes)))
  const texts = { '\u00a9nam': title, '\u00a9alb': album, '\u00a9ART': artist, '\u00a9day': date }
  for (const [name, text] of Object.entries(texts)) if (text !== null) add(name, TEXT, Buffer.from(text))
  if (number !== null) add('trkn', BINARY, Buffer.from([0, 0, number >> 8, number & 255, 0, 0, 0, 0]))
  if (cover) add('covr', typeOf(cover), cover.bytes)
  return items
}

const typeOf = ({ type }: Cover) => (type === 'image/png' ? PNG : JPEG)

/** The box around a list of items, as iTunes writes it. */
function metaOf(list: Uint8Array): Buffer {
  const handler = Buffer.concat([Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9)])
  return writeBox('meta', Buffer.alloc(4), writeBox('hdlr', handler), list)
}

/** A table of places in the file: where it is, its bytes, and how many of them a place takes. */
type OffsetTable = { from: number; bytes: Buffer; width: 4 | 8 }

/** Reads the tables that say where the sound of each track is, no more than `most` bytes. Throws `Refused`. */
async function readOffsets(reader: BoxReader, moov: Box, most: number): Promise<OffsetTable[]> {
  const tables: OffsetTable[] = []
  let left = most
  for (const { type, body, to } of await boxesAt(reader, moov, ['trak', 'mdia', 'minf', 'stbl'])) {
    // Places of what decrypts the samples: nobody downloads that as a podcast.
    if (type === 'saio') throw new Refused('unsupported-tags')
    if (type !== 'stco' && type !== 'co64') continue
    const width = type === 'stco' ? 4 : 8
    const head = await piece(reader.file, body, 8)
    if (head.length < 8) throw new Refused('malformed')
    const length = head.readUInt32BE(4) * width
    if (length > to - body - 8) throw new Refused('malformed')
    left -= length
    if (left < 0) throw new Refused('too-large')
    tables.push({ from: body + 8, bytes: await piece(reader.file, body + 8, length), width })
  }
  return tables
}

/** The tables after the movie box of a file of `size` bytes grew: what follows it has moved. Throws `Refused`. */
function movedOffsets(tables: readonly OffsetTable[], moov: Box, size: number, growth: number): Patch[] {
  return tables.map(({ from, bytes, width }) => {
    for (let at = 0; at < bytes.length; at += width) {
      const place = width === 4 ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at))
      if (place < moov.from) continue
      if (place < moov.to || place >= size) throw new Refused('malformed')
      if (place + growth > (width === 4 ? 0xffffffff : Number.MAX_SAFE_INTEGER)) throw new Refused('too-large')
      if (width === 4) bytes.writeUInt32BE(place + growth, at)
      else bytes.writeBigUInt64BE(BigInt(place + growth), at)
    }
    return { from, to: from + bytes.length, bytes }
  })
}

/** A box of an MP4 (ISO/IEC 14496-12): from its header to the byte after it; its content begins at `body`. */
export type Box = { type: string; from: number; body: number; to: number; form: 'short' | 'long' | 'open' }

/** Reads boxes of a file, no more than `left` of them; `ahead` holds what was read last. */
export type BoxReader = { file: Readable; left: number; size: number; ahead: { at: number; bytes: Buffer } }

const HEADER = 16
/** The items of a list are short and follow each other: one read suffices for many. */
const READ_AHEAD = 4096

export const createBoxReader = (file: Readable, size: number, most: number): BoxReader => ({
  file,
  size,
  left: most,
  ahead: { at: 0, bytes: Buffer.alloc(0) },
})

/** The boxes between two bytes. Up to seven bytes after the last belong to no box. Throws `Refused`. */
export async function boxesIn(reader: BoxReader, from: number, to: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = from; to - at >= 8;) {
    const box = await readBox(reader, at, to)
    // Only a box that isn't in another one may leave its length open.
    if (box.form === 'open' && from > 0) throw new Refused('malformed')
    boxes.push(box)
    at = box.to
  }
  return boxes
}

/** The boxes within a box. */
export const boxesOf = (reader: BoxReader, { body, to }: Box) => boxesIn(reader, body, to)

/** The boxes at the end of a path of names, in all boxes of these names. */
export async function boxesAt(reader: BoxReader, box: Box, [name, ...rest]: readonly string[]): Promise<Box[]> {
  if (name === undefined) return boxesOf(reader, box)
  const found: Box[] = []
  for (const inner of await boxesOf(reader, box))
    if (inner.type === name) found.push(...(await boxesAt(reader, inner, rest)))
  return found
}

async function readBox(reader: BoxReader, at: number, to: number): Promise<Box> {
  if (--reader.left < 0) throw new Refused('too-large')
  const bytes = await readHeader(reader, at)
  if (bytes.length < 8) throw new Refused('malformed')
  const type = bytes.toString('latin1', 4, 8)
  const [length, head, form] = lengthOf(bytes, reader.size - at)
  if (length < head || length > to - at) throw new Refused('malformed')
  return { type, from: at, body: at + head, to: at + length, form }
}

async function readHeader(reader: BoxReader, at: number): Promise<Buffer> {
  const { ahead } = reader
  const isAhead = at >= ahead.at && at + HEADER <= ahead.at + ahead.bytes.length
  if (!isAhead) reader.ahead = { at, bytes: await piece(reader.file, at, READ_AHEAD) }
  return reader.ahead.bytes.subarray(at - reader.ahead.at).subarray(0, HEADER)
}

/** The length of a box, that of its header, and how it is written. */
function lengthOf(bytes: Buffer, untilEnd: number): [number, number, Box['form']] {
  const short = bytes.readUInt32BE(0)
  if (short === 0) return [untilEnd, 8, 'open']
  if (short !== 1) return [short, 8, 'short']
  if (bytes.length < 16) throw new Refused('malformed')
  return [Number(bytes.readBigUInt64BE(8)), 16, 'long']
}

/** Bytes that replace a range of the file; an empty range inserts them. */
type Patch = { from: number; to: number; bytes: Uint8Array }

/** The size of a box that grew, in the form that it is written in. Throws `Refused`. */
function resized({ from, to, form }: Box, growth: number): Patch[] {
  if (form === 'open') return []
  const length = to - from + growth
  if (form === 'short' && length > 0xffffffff) throw new Refused('too-large')
  const bytes = Buffer.alloc(form === 'short' ? 4 : 8)
  const at = form === 'short' ? from : from + 8
  if (form === 'short') bytes.writeUInt32BE(length)
  else bytes.writeBigUInt64BE(BigInt(length))
  return [{ from: at, to: at + bytes.length, bytes }]
}

function writeBox(type: string, ...inside: Uint8Array[]): Buffer {
  const body = Buffer.concat(inside)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
