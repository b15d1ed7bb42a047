import { open } from 'node:fs/promises'
import { TooLarge } from './bounded-file'
import { decodeText, readHeader, readTag, writeSynchsafe, type Frame } from './id3'
import type { MediaLimits } from './limits'

const MAX_TITLE = 4096

/** A whole tag, and the byte of the old file where its sound begins. */
export type WrittenTag = { tag: Uint8Array; soundAt: number }

export type NumberTagRequest = { path: string; number: string; title: string; limits: MediaLimits }

/**
 * The ID3 tag of an MP3 file with a number before its title, everything else byte for byte, and where the sound begins
 * behind the old one. Null when there is nothing to do, or when the tag is of a kind that is better left alone.
 */
export async function numberTag({ path, number, title, limits }: NumberTagRequest): Promise<WrittenTag | null> {
  const file = await open(path, 'r')
  try {
    const header = await readHeader(file, 0)
    if (header && header.flags !== 0) return null
    const tag = header ? await readTag(file, 0, header, limits) : { version: 3, frames: [], length: 0, isWhole: true }
    if (!tag.isWhole) return null
    const named = tag.frames.find(({ id }) => id === 'TIT2')
    if (named && named.body.length > MAX_TITLE) return null
    const old = named ? decodeText(named.body) : title
    if (old.startsWith(`${number} `)) return null
    const body = encodeText(`${number} ${old}`, tag.version)
    const frame = { id: 'TIT2', flags: named?.flags ?? Buffer.alloc(2), body }
    const frames = named ? tag.frames.map(other => (other === named ? frame : other)) : [frame, ...tag.frames]
    return { tag: writeTag(tag.version, frames), soundAt: tag.length }
  } catch (error) {
    if (error instanceof TooLarge) return null
    throw error
  } finally {
    await file.close()
  }
}

function writeTag(version: number, frames: readonly Frame[]): Buffer {
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

const encodeText = (text: string, version: number): Buffer =>
  version === 4
    ? Buffer.concat([Buffer.from([3]), Buffer.from(text)])
    : Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')])
