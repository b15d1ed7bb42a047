import { writeFileSync } from 'node:fs'
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipContent = {
  name: string
  content: string | Uint8Array
  isStored?: boolean
  /** Overrides of the directory: what a hostile archive claims. */
  claims?: Partial<{ size: number; packed: number; crc: number; flags: number; method: number; offset: number }>
}

/** Writes an archive; `isLarge`: with the sizes and the end that large ones have. */
export function writeZip(path: string, contents: readonly ZipContent[], isLarge = false) {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const content of contents) {
    const { header, packed, entry } = partsOf(content, offset, isLarge)
    parts.push(header, packed)
    directory.push(entry)
    offset += header.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  for (const place of [8, 10]) end.writeUInt16LE(isLarge ? 0xffff : contents.length, place)
  end.writeUInt32LE(isLarge ? 0xffffffff : list.length, 12)
  end.writeUInt32LE(isLarge ? 0xffffffff : offset, 16)
  const large = isLarge ? [largeEnd(contents.length, list.length, offset)] : []
  writeFileSync(path, Buffer.concat([...parts, list, ...large, end]))
  return path
}

function partsOf({ name, content, isStored = false, claims = {} }: ZipContent, offset: number, isLarge: boolean) {
  const bytes = Buffer.from(content)
  const packed = isStored ? bytes : deflateRawSync(bytes)
  const facts = {
    flags: 0,
    method: isStored ? 0 : 8,
    crc: crc32(bytes),
    packed: packed.length,
    size: bytes.length,
    offset,
    ...claims,
  }
  const label = Buffer.from(name)
  // As streaming writers do, the header before the bytes says nothing of their number.
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(label.length, 26)
  const extra = isLarge ? largeSizes(facts) : Buffer.alloc(0)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(facts.flags, 8)
  entry.writeUInt16LE(facts.method, 10)
  entry.writeUInt32LE(facts.crc, 16)
  entry.writeUInt32LE(isLarge ? 0xffffffff : facts.packed, 20)
  entry.writeUInt32LE(isLarge ? 0xffffffff : facts.size, 24)
  entry.writeUInt16LE(label.length, 28)
  entry.writeUInt16LE(extra.length, 30)
  entry.writeUInt32LE(isLarge ? 0xffffffff : facts.offset, 42)
  return { header: Buffer.concat([header, label]), packed, entry: Buffer.concat([entry, label, extra]) }
}

function largeSizes({ size, packed, offset }: { size: number; packed: number; offset: number }) {
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  ;[size, packed, offset].forEach((value, place) => extra.writeBigUInt64LE(BigInt(value), 4 + place * 8))
  return extra
}

/** The end of a large archive, and what leads to it; it follows the directory. */
function largeEnd(count: number, length: number, offset: number) {
  const bytes = Buffer.alloc(76)
  bytes.writeUInt32LE(0x06064b50, 0)
  ;[count, count, length, offset].forEach((value, place) => bytes.writeBigUInt64LE(BigInt(value), 24 + place * 8))
  bytes.writeUInt32LE(0x07064b50, 56)
  bytes.writeBigUInt64LE(BigInt(offset + length), 64)
  return bytes
}
