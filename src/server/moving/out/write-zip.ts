import { streamOf } from '../../platform/stream-of'

/** A file of an archive; text is compressed; audio isn't, since it would not get smaller. */
export type ZipEntry = {
  name: string
  /** Milliseconds. */
  at: number
  isPacked: boolean
  content: AsyncIterable<Uint8Array>
}

type Written = { name: Buffer; at: number; method: number; crc: number; packed: number; size: number; offset: number }

const STORED = 0
const DEFLATED = 8
/** Sizes and checksum follow the content, and names are UTF-8. */
const FLAGS = 0x0808
/** Version 4.5 knows sizes of more than four gigabytes. */
const VERSION = 45
const UINT32_MAX = 0xffff_ffff
const UINT16_MAX = 0xffff

/**
 * Writes a ZIP archive as its entries arrive (APPNOTE 6.3): neither their sizes nor their number need to be known. Only
 * the directory is held in memory, about a hundred bytes for each entry.
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const entry of entries) {
    const name = Buffer.from(entry.name, 'utf8')
    const method = entry.isPacked ? DEFLATED : STORED
    const written: Written = { name, at: entry.at, method, crc: 0, packed: 0, size: 0, offset }
    const header = localHeader(written)
    yield header
    for await (const part of packed(entry, written)) {
      written.packed += part.byteLength
      yield part
    }
    const descriptor = descriptorOf(written)
    yield descriptor
    directory.push(directoryEntry(written))
    offset += header.byteLength + written.packed + descriptor.byteLength
  }
  let size = 0
  for (const entry of directory) {
    size += entry.byteLength
    yield entry
  }
  yield endOf(directory.length, size, offset)
}

async function* packed({ content, isPacked }: ZipEntry, written: Written): AsyncGenerator<Uint8Array> {
  async function* counted() {
    for await (const part of content) {
      written.crc = Bun.hash.crc32(part, written.crc)
      written.size += part.byteLength
      yield part
    }
  }
  if (!isPacked) return yield* counted()
  const packer = new CompressionStream('deflate-raw') as ReadableWritablePair<Uint8Array, Uint8Array>
  yield* streamOf(counted()).pipeThrough(packer)
}

function localHeader({ name, at, method }: Written): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(dosTime(at), 10)
  header.writeUInt16LE(name.byteLength, 26)
  return Buffer.concat([header, name])
}

function descriptorOf({ crc, packed, size }: Written): Buffer {
  const isLarge = packed >= UINT32_MAX || size >= UINT32_MAX
  const descriptor = Buffer.alloc(isLarge ? 24 : 16)
  descriptor.writeUInt32LE(0x0807_4b50, 0)
  descriptor.writeUInt32LE(crc, 4)
  if (isLarge) {
    descriptor.writeBigUInt64LE(BigInt(packed), 8)
    descriptor.writeBigUInt64LE(BigInt(size), 16)
  } else {
    descriptor.writeUInt32LE(packed, 8)
    descriptor.writeUInt32LE(size, 12)
  }
  return descriptor
}

function directoryEntry({ name, at, method, crc, packed, size, offset }: Written): Buffer {
  const extra = largeNumbers([size, packed, offset])
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x0201_4b50, 0)
  // Made on Unix, so that the permissions below count.
  entry.writeUInt16LE((3 << 8) | VERSION, 4)
  entry.writeUInt16LE(VERSION, 6)
  entry.writeUInt16LE(FLAGS, 8)
  entry.writeUInt16LE(method, 10)
  entry.writeUInt32LE(dosTime(at), 12)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(Math.min(packed, UINT32_MAX), 20)
  entry.writeUInt32LE(Math.min(size, UINT32_MAX), 24)
  entry.writeUInt16LE(name.byteLength, 28)
  entry.writeUInt16LE(extra.byteLength, 30)
  entry.writeUInt32LE(0o100644 * 0x1_0000, 38)
  entry.writeUInt32LE(Math.min(offset, UINT32_MAX), 42)
  return Buffer.concat([entry, name, extra])
}

/** The extra field for the numbers that do not fit into 32 bits; empty if all do. */
function largeNumbers(numbers: readonly number[]): Buffer {
  const large = numbers.filter(number => number >= UINT32_MAX)
  if (large.length === 0) return Buffer.alloc(0)
  const extra = Buffer.alloc(4 + 8 * large.length)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8 * large.length, 2)
  large.forEach((number, at) => extra.writeBigUInt64LE(BigInt(number), 4 + 8 * at))
  return extra
}

function endOf(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(Math.min(entries, UINT16_MAX), 8)
  end.writeUInt16LE(Math.min(entries, UINT16_MAX), 10)
  end.writeUInt32LE(Math.min(size, UINT32_MAX), 12)
  end.writeUInt32LE(Math.min(offset, UINT32_MAX), 16)
  const isLarge = entries >= UINT16_MAX || size >= UINT32_MAX || offset >= UINT32_MAX
  return isLarge ? Buffer.concat([largeEnd(entries, size, offset), end]) : end
}

/** The end of the directory with numbers of 64 bits, and its locator. */
function largeEnd(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(76)
  end.writeUInt32LE(0x0606_4b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE((3 << 8) | VERSION, 12)
  end.writeUInt16LE(VERSION, 14)
  end.writeBigUInt64LE(BigInt(entries), 24)
  end.writeBigUInt64LE(BigInt(entries), 32)
  end.writeBigUInt64LE(BigInt(size), 40)
  end.writeBigUInt64LE(BigInt(offset), 48)
  end.writeUInt32LE(0x0706_4b50, 56)
  end.writeBigUInt64LE(BigInt(offset + size), 64)
  end.writeUInt32LE(1, 72)
  return end
}

/** Date and time as two numbers of 16 bits, in steps of two seconds from 1980 to 2107; UTC. */
function dosTime(at: number): number {
  const date = new Date(Math.min(Math.max(at, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)))
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return day * 0x1_0000 + time
}
