import { open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { MoveRefused } from '../refused'
import { damaged, readAt, type ZipEntry, type ZipFile } from './directory'

const HEADER = 0x04034b50
const HEADER_LENGTH = 30
const STORED = 0
const DEFLATED = 8
/** A file of up to so many bytes may be of nothing but zeros; a larger one is no library at such a ratio. */
const HARMLESS = 64 * 1024 * 1024
const MAX_RATIO = 200
const LEFT_FREE = 1024 ** 3
const CHUNK = 256 * 1024

/** Unpacks an entry into our own file. Throws `MoveRefused`. */
export async function unpackTo(zip: ZipFile, entry: ZipEntry, path: string, mostBytes: number) {
  await requireRoom(entry, path)
  const target = await open(path, 'w', 0o600)
  try {
    await unpack(zip, entry, mostBytes, chunk => target.writeFile(chunk))
  } finally {
    await target.close()
  }
}

/** Unpacks a small entry. Throws `MoveRefused`. */
export async function unpackText(zip: ZipFile, entry: ZipEntry, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  await unpack(zip, entry, mostBytes, chunk => void chunks.push(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** Hands on the bytes of an entry, never more than it declares, and checks their sum. */
async function unpack(
  zip: ZipFile,
  entry: ZipEntry,
  mostBytes: number,
  write: (chunk: Buffer) => void | Promise<void>,
) {
  requireReadable(entry, mostBytes)
  let [size, sum] = [0, 0]
  const receive = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > entry.size) throw damaged(`${labelOf(entry)} is larger than it says`)
      sum = crc32(chunk, sum)
      await write(chunk)
    }
  }
  const start = findContents(zip, entry)
  if (entry.packed > 0) {
    const packed = chunksOf(zip, start, start + entry.packed)
    try {
      if (entry.method === STORED) await pipeline(packed, receive)
      else await pipeline(packed, createInflateRaw({ chunkSize: CHUNK }), receive)
    } catch (error) {
      throw String((error as { code?: unknown }).code).startsWith('Z_') ? damaged(labelOf(entry)) : error
    }
  }
  if (size !== entry.size || sum !== entry.crc) throw damaged(labelOf(entry))
}

async function* chunksOf(zip: ZipFile, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += CHUNK) yield readAt(zip, at, Math.min(CHUNK, end - at))
}

/** A person who may upload little may not fill the disk by what it unpacks to. */
async function requireRoom(entry: ZipEntry, path: string) {
  const { bavail, bsize } = await statfs(dirname(path))
  if (entry.size > HARMLESS && entry.size > Number(bavail) * Number(bsize) - LEFT_FREE)
    throw new MoveRefused(`The disk has no room for ${labelOf(entry)}, which unpacks to ${entry.size} bytes`)
}

function requireReadable(entry: ZipEntry, mostBytes: number) {
  const { isEncrypted, method, packed, size } = entry
  if (isEncrypted) throw new MoveRefused('The archive is encrypted. Make one without a password.')
  if (method !== STORED && method !== DEFLATED)
    throw new MoveRefused(`The archive is packed in a way that is not known here (${method}). Unpack it first.`)
  if (size > mostBytes) throw new MoveRefused(`${labelOf(entry)} has ${size} bytes, more than ${mostBytes}`)
  if (size > HARMLESS && size > MAX_RATIO * packed)
    throw new MoveRefused(`${labelOf(entry)} unpacks from ${packed} to ${size} bytes: that is no library`)
}

/** The place of the first byte after the header, whose own names and sizes mean nothing. */
function findContents(zip: ZipFile, entry: ZipEntry): number {
  const header = readAt(zip, entry.offset, HEADER_LENGTH)
  if (header.readUInt32LE(0) !== HEADER) throw damaged(labelOf(entry))
  const start = entry.offset + HEADER_LENGTH + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + entry.packed > zip.size) throw damaged('it ends too early')
  return start
}

/** The end of a name, for people. */
export const labelOf = ({ name }: ZipEntry) => name.split(/[/\\]/).at(-1)!.slice(0, 100)
