import { statSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { bytesAt } from './copy-source'
import { MoveRefused, tooLarge, tooMany } from './item'

// yauzl finds the entries; their sizes, sums and names are checked here: docs/internals/decisions/0030

export type Zip = { path: string; file: ZipFile; entries: ZipEntry[] }

/** An entry as the list at the end of the archive describes it. Its name is only compared, never a path. */
export type ZipEntry = Pick<
  Entry,
  | 'compressedSize'
  | 'compressionMethod'
  | 'crc32'
  | 'generalPurposeBitFlag'
  | 'relativeOffsetOfLocalHeader'
  | 'uncompressedSize'
> & { name: string }

const MAX_ENTRIES = 100_000
const MAX_DIRECTORY = 64 * 1024 * 1024
/** Bytes of an entry of the list, without its name, extra field and comment. */
const ENTRY_LENGTH = 46
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
/** The size up to which a file may be all zeros; a larger one with such a ratio can't be a library. */
const HARMLESS = 64 * 1024 * 1024
const MAX_RATIO = 200
const LEFT_FREE = 1024 ** 3
const CHUNK = 256 * 1024

/** Lists an archive, and closes it again. Throws `MoveRefused` for a damaged one, and for one in several parts. */
export async function openZip(path: string): Promise<Zip> {
  const { size } = statSync(path)
  // With yauzl's checks, one entry with an odd name would make it refuse the archive, even if nobody needs that entry.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false }
  const entries: ZipEntry[] = []
  try {
    const file = await fromRandomAccessReaderPromise(new ZipReader(path, size), size, options)
    if (file.entryCount > MAX_ENTRIES) throw tooManyFiles()
    let length = 0
    for await (const entry of file.eachEntry()) {
      length += ENTRY_LENGTH + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (length > MAX_DIRECTORY) throw tooManyFiles()
      entries.push(withoutBuffers(entry))
    }
    return { path, file, entries }
  } catch (error) {
    throw refusalOf(error, 'its list of files')
  }
}

/** Unpacks an entry into a file of ours. Throws `MoveRefused`. */
export async function unpackTo(zip: Zip, entry: ZipEntry, path: string, maxBytes: number) {
  await requireRoom(entry, path)
  const target = await open(path, 'w', 0o600)
  try {
    await unpack(zip, entry, maxBytes, chunk => target.writeFile(chunk))
  } finally {
    await target.close()
  }
}

/** Unpacks a small entry. Throws `MoveRefused`. */
export async function unpackText(zip: Zip, entry: ZipEntry, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  await unpack(zip, entry, maxBytes, chunk => void chunks.push(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** The end of a name, for people. */
export const labelOf = ({ name }: ZipEntry) => name.split(/[/\\]/).at(-1)!.slice(0, 100)

/** Reads the archive in windows for yauzl, which asks for each entry of the list twice. */
class ZipReader extends RandomAccessReader {
  private window: Buffer = Buffer.alloc(0)
  private start = 0

  constructor(
    private readonly path: string,
    private readonly size: number,
  ) {
    super()
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, done: (error: Error | null) => void) {
    if (position > this.size) return done(damaged('it ends too early'))
    if (position + length > this.size) return done(new Error('unexpected EOF'))
    if (position < this.start || position + length > this.start + this.window.length) {
      this.window = bytesAt(this.path, position, Math.max(length, CHUNK))
      this.start = position
    }
    this.window.copy(buffer, offset, position - this.start, position - this.start + length)
    done(null)
  }
}

/** The facts of an entry: 100,000 of yauzl's hold twice the memory. */
const withoutBuffers = (entry: Entry): ZipEntry => ({
  name: entry.fileNameRaw.toString('utf8'),
  compressedSize: entry.compressedSize,
  compressionMethod: entry.compressionMethod,
  crc32: entry.crc32,
  generalPurposeBitFlag: entry.generalPurposeBitFlag,
  relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
  uncompressedSize: entry.uncompressedSize,
})

/** Passes on the bytes of an entry, never more than it declares, and checks their checksum. */
async function unpack(zip: Zip, entry: ZipEntry, maxBytes: number, write: (chunk: Buffer) => void | Promise<void>) {
  requireReadable(entry, maxBytes)
  let [size, sum] = [0, 0]
  const receive = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > entry.uncompressedSize) throw damaged(`${labelOf(entry)} is larger than it says`)
      sum = crc32(chunk, sum)
      await write(chunk)
    }
  }
  try {
    // It reads only the place and the packed size of an entry.
    const header = await zip.file.readLocalFileHeaderPromise(entry as unknown as Entry, { minimal: true })
    const packed = chunksOf(zip.path, header.fileDataStart, header.fileDataStart + entry.compressedSize)
    if (entry.compressionMethod === STORED) await pipeline(packed, receive)
    else if (entry.compressedSize > 0) await pipeline(packed, createInflateRaw({ chunkSize: CHUNK }), receive)
  } catch (error) {
    throw refusalOf(error, labelOf(entry))
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw damaged(labelOf(entry))
}

async function* chunksOf(path: string, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += CHUNK) yield bytesAt(path, at, Math.min(CHUNK, end - at))
}

/** A person who may upload only little must not fill the disk with what it unpacks to. */
async function requireRoom(entry: ZipEntry, path: string) {
  const { uncompressedSize: size } = entry
  const { bavail, bsize } = await statfs(dirname(path))
  if (size > HARMLESS && size > Number(bavail) * Number(bsize) - LEFT_FREE)
    throw new MoveRefused('disk-full', `The disk has no room for ${labelOf(entry)}, which unpacks to ${size} bytes`)
}

function requireReadable(entry: ZipEntry, maxBytes: number) {
  const {
    generalPurposeBitFlag: flags,
    compressionMethod: method,
    compressedSize: packed,
    uncompressedSize: size,
  } = entry
  if (flags & ENCRYPTED) throw unusual('The archive is encrypted. Make one without a password.')
  if (method !== STORED && method !== DEFLATED)
    throw unusual(`The archive uses an unsupported compression (${method}). Unpack it first.`)
  if (size > maxBytes) throw tooLarge(`${labelOf(entry)} has ${size} bytes, more than ${maxBytes}`, maxBytes)
  if (size > HARMLESS && size > MAX_RATIO * packed)
    throw new MoveRefused(
      'move-damaged',
      `${labelOf(entry)} unpacks from ${packed} to ${size} bytes: that is not a library`,
      { detail: labelOf(entry) },
    )
}

const damaged = (why: string) =>
  new MoveRefused('move-damaged', `The archive is damaged or cut short (${why}). Export it again, or copy all of it.`)

const unusual = (message: string) => new MoveRefused('move-archive', message)

const tooManyFiles = () => tooMany(`The archive has more than ${MAX_ENTRIES} files`, MAX_ENTRIES)

/** yauzl reports faults of an archive only in words, zlib with codes; only errors of the disk are not refusals. */
function refusalOf(error: unknown, place: string): unknown {
  const { message, code = '' } = error as Error & { code?: string }
  if (error instanceof MoveRefused || (code !== '' && !code.startsWith('Z_'))) return error
  if (message.includes('multi-disk')) return unusual('The archive has several parts. Make a single one.')
  if (message.includes('End of central directory')) return damaged('it has no list of files')
  return damaged(message.includes('overflows') ? 'it ends too early' : place)
}
