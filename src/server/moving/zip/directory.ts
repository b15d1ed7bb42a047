import { bytesAt } from '../copy-source'
import { MoveRefused } from '../refused'

/** An entry as the directory at the end of the archive describes it; its name is only compared, never a path. */
export type ZipEntry = {
  name: string
  isEncrypted: boolean
  /** 0 = stored, 8 = deflated. */
  method: number
  crc: number
  /** Bytes in the archive, and unpacked. */
  packed: number
  size: number
  /** Place of the header that is before its bytes. */
  offset: number
}

export type ZipFile = { path: string; size: number }

const MAX_ENTRIES = 100_000
const MAX_DIRECTORY = 64 * 1024 * 1024

const END = 0x06054b50
const END_LENGTH = 22
const MAX_COMMENT = 0xffff
const LOCATOR = 0x07064b50
const LOCATOR_LENGTH = 20
const LARGE_END = 0x06064b50
const LARGE_END_LENGTH = 56
const ENTRY = 0x02014b50
const ENTRY_LENGTH = 46
/** The tag of the sizes of large files. */
const LARGE = 1
const IN_LARGE = 0xffffffff

export const damaged = (why: string) =>
  new MoveRefused(`The archive is damaged or cut short (${why}). Export it once more, or copy it whole.`)

/** Lists the entries of an archive. Throws `MoveRefused` for a damaged one, and for one in several parts. */
export function readDirectory(zip: ZipFile): ZipEntry[] {
  const { count, length, offset } = findDirectory(zip)
  if (count > MAX_ENTRIES || length > MAX_DIRECTORY)
    throw new MoveRefused(`The archive has more than ${MAX_ENTRIES} files`)
  const bytes = readAt(zip, offset, length)
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < count;) {
    if (at + ENTRY_LENGTH > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw damaged('its list of files')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map(place => bytes.readUInt16LE(at + place))
    const nameEnd = at + ENTRY_LENGTH + nameLength!
    const extraEnd = nameEnd + extraLength!
    if (extraEnd + commentLength! > bytes.length) throw damaged('its list of files')
    entries.push({
      name: bytes.toString('utf8', at + ENTRY_LENGTH, nameEnd),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      ...readSizes(bytes, at, bytes.subarray(nameEnd, extraEnd)),
    })
    at = extraEnd + commentLength!
  }
  return entries
}

/** Reads bytes of the archive. Throws `MoveRefused` where it has not so many. */
export function readAt({ path, size }: ZipFile, offset: number, length: number): Buffer {
  if (offset + length > size) throw damaged('it ends too early')
  return bytesAt(path, offset, length)
}

function findDirectory(zip: ZipFile) {
  const tail = readAt(
    zip,
    Math.max(0, zip.size - END_LENGTH - MAX_COMMENT),
    Math.min(zip.size, END_LENGTH + MAX_COMMENT),
  )
  const at = findEnd(tail)
  if (at === -1) throw damaged('it has no list of files')
  const [disk, , , count] = [4, 6, 8, 10].map(place => tail.readUInt16LE(at + place))
  const [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]
  const large = findLargeEnd(zip, zip.size - tail.length + at)
  if (large) return large
  if (disk !== 0) throw new MoveRefused('The archive has several parts. Make one of a single part.')
  return { count: count!, length, offset }
}

/** The last place of the end's mark after which its comment fills the rest. */
function findEnd(tail: Buffer): number {
  for (let at = tail.length - END_LENGTH; at >= 0; at--)
    if (tail.readUInt32LE(at) === END && at + END_LENGTH + tail.readUInt16LE(at + 20) === tail.length) return at
  return -1
}

/** The directory of an archive of more than 4 GB or 65,535 files; null for a smaller one. */
function findLargeEnd(zip: ZipFile, end: number) {
  if (end < LOCATOR_LENGTH) return null
  const locator = readAt(zip, end - LOCATOR_LENGTH, LOCATOR_LENGTH)
  if (locator.readUInt32LE(0) !== LOCATOR) return null
  const bytes = readAt(zip, toNumber(locator.readBigUInt64LE(8)), LARGE_END_LENGTH)
  if (bytes.readUInt32LE(0) !== LARGE_END) throw damaged('its list of files')
  const [count, length, offset] = [32, 40, 48].map(place => toNumber(bytes.readBigUInt64LE(place)))
  return { count: count!, length: length!, offset: offset! }
}

/** Sizes and place of an entry; what does not fit into 32 bits is in the extra field, in this order. */
function readSizes(bytes: Buffer, at: number, extra: Buffer) {
  const large = largeValues(extra)
  const [size, packed, offset] = [24, 20, 42].map(place => {
    const value = bytes.readUInt32LE(at + place)
    if (value !== IN_LARGE) return value
    const next = large.shift()
    if (next === undefined) throw damaged('its list of files')
    return next
  })
  return { size: size!, packed: packed!, offset: offset! }
}

function largeValues(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== LARGE) continue
    const values = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    return Array.from({ length: Math.min(3, Math.floor(values.length / 8)) }, (_, place) =>
      toNumber(values.readBigUInt64LE(place * 8)),
    )
  }
  return []
}

function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged('a size')
  return Number(value)
}
