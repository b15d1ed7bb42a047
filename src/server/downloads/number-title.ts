import { open, rename, unlink } from 'node:fs/promises'

const HEADER = 10
const MAX_TAG = 32 * 1024 * 1024

/**
 * Puts a number before the title in the ID3 tag of an MP3 file; everything else of the tag stays as it is, byte for byte.
 * The file is replaced whole or not at all. Answers its new size, or null when there is nothing to do or when the tag is
 * of a kind that is better left alone.
 */
export async function numberTitle(
  path: string,
  temporary: string,
  number: string,
  title: string,
): Promise<number | null> {
  const source = await open(path, 'r')
  try {
    const tag = await readTag(source)
    if (!tag) return null
    const named = tag.frames.find(({ id }) => id === 'TIT2')
    const old = named ? decodeText(named.body) : title
    if (old.startsWith(`${number} `)) return null
    const frame = {
      id: 'TIT2',
      flags: named?.flags ?? Buffer.alloc(2),
      body: encodeText(`${number} ${old}`, tag.version),
    }
    const frames = named ? tag.frames.map(other => (other === named ? frame : other)) : [frame, ...tag.frames]
    const size = await writeFile(temporary, writeTag(tag.version, frames), source, tag.length)
    await rename(temporary, path)
    return size
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    await source.close()
  }
}

type Frame = { id: string; flags: Buffer; body: Buffer }
type Tag = { version: 3 | 4; frames: Frame[]; length: number }
type File = Awaited<ReturnType<typeof open>>

/** An empty one where the file has none; null for tags that are written in ways that hardly anybody uses. */
async function readTag(file: File): Promise<Tag | null> {
  const header = await read(file, 0, HEADER)
  if (header.toString('latin1', 0, 3) !== 'ID3') return { version: 3, frames: [], length: 0 }
  const version = header[3]
  const flags = header[5]!
  const size = synchsafe(header, 6)
  if ((version !== 3 && version !== 4) || flags !== 0 || size > MAX_TAG) return null
  const bytes = await read(file, HEADER, size)
  if (bytes.length < size) return null
  const frames: Frame[] = []
  for (let at = 0; at + HEADER <= size && bytes[at] !== 0;) {
    const id = bytes.toString('latin1', at, at + 4)
    const length = version === 4 ? synchsafe(bytes, at + 4) : bytes.readUInt32BE(at + 4)
    const end = at + HEADER + length
    if (!/^[A-Z0-9]{4}$/.test(id) || end > size) return null
    frames.push({ id, flags: bytes.subarray(at + 8, at + 10), body: bytes.subarray(at + HEADER, end) })
    at = end
  }
  return { version, frames, length: HEADER + size }
}

function writeTag(version: 3 | 4, frames: readonly Frame[]): Buffer {
  const body = Buffer.concat(
    frames.flatMap(({ id, flags, body: content }) => {
      const length = Buffer.alloc(4)
      if (version === 4) writeSynchsafe(length, 0, content.length)
      else length.writeUInt32BE(content.length)
      return [Buffer.from(id, 'latin1'), length, flags, content]
    }),
  )
  const header = Buffer.from([0x49, 0x44, 0x33, version, 0, 0, 0, 0, 0, 0])
  writeSynchsafe(header, 6, body.length)
  return Buffer.concat([header, body])
}

/** The tag, and the rest of the source behind its old tag; on the disk when this returns. */
async function writeFile(path: string, tag: Buffer, source: File, from: number): Promise<number> {
  const target = await open(path, 'w')
  try {
    await target.write(tag)
    let size = tag.length
    const buffer = Buffer.alloc(1024 * 1024)
    for (let at = from; ;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) break
      await target.write(buffer, 0, bytesRead)
      at += bytesRead
      size += bytesRead
    }
    await target.sync()
    return size
  } finally {
    await target.close()
  }
}

async function read(file: File, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, at)
  return buffer.subarray(0, bytesRead)
}

/** Seven bits of each byte. */
const synchsafe = (bytes: Buffer, at: number) =>
  (bytes[at]! << 21) | (bytes[at + 1]! << 14) | (bytes[at + 2]! << 7) | bytes[at + 3]!

function writeSynchsafe(bytes: Buffer, at: number, value: number) {
  for (let place = 0; place < 4; place++) bytes[at + place] = (value >>> (21 - 7 * place)) & 127
}

const decoders: Record<number, string> = { 0: 'latin1', 1: 'utf-16', 2: 'utf-16be', 3: 'utf-8' }

function decodeText(body: Buffer): string {
  const encoding = decoders[body[0] ?? 0] ?? 'latin1'
  const isBigEndian = body[1] === 0xfe && body[2] === 0xff
  const text = new TextDecoder(encoding === 'utf-16' && isBigEndian ? 'utf-16be' : encoding).decode(body.subarray(1))
  return text
    .replace(/^\uFEFF/, '')
    .split('\0')[0]!
    .trim()
}

const encodeText = (text: string, version: 3 | 4): Buffer =>
  version === 4
    ? Buffer.concat([Buffer.from([3]), Buffer.from(text)])
    : Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')])
