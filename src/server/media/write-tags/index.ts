import { open } from 'node:fs/promises'
import { isMp4 } from '../../../shared/forms'
import { contentOf, decodeText } from '../id3'
import type { MediaLimits } from '../limits'
import { TooLarge } from '../bounded-file'
import { namesOf, readWritable, textFrame, writeMp3, writeTag } from './mp3'
import { writeMp4 } from './mp4'
import { fit, type Piece, type Refusal, Refused, type Tags } from './tags'

export { writePieces, type Piece } from './tags'
export type { Cover, Refusal, Tags } from './tags'

export type WriteTagsRequest = { path: string; type: string; tags: Tags; limits: MediaLimits }

/** The file with its new tags, in pieces for `writePieces`, or the reason why it keeps its tags. */
export type WrittenTags = { pieces: Piece[]; refusal: null } | { pieces: null; refusal: Refusal }

/**
 * Makes the pieces of an MP3 or MP4 with these tags, within `limits`: everything else in it stays byte for byte. Texts
 * become one line of at most 1000 characters; an invalid date, number or cover, and a cover of more than 8 MB, are left
 * out. Nothing is written here.
 */
export async function writeTags({ path, type, tags, limits }: WriteTagsRequest): Promise<WrittenTags> {
  const write = type === 'audio/mpeg' ? writeMp3 : isMp4(type) ? writeMp4 : null
  if (!write) return { pieces: null, refusal: 'unsupported-type' }
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    return { pieces: await write(file, size, fit(tags), limits), refusal: null }
  } catch (error) {
    if (error instanceof TooLarge) return { pieces: null, refusal: 'too-large' }
    if (error instanceof Refused) return { pieces: null, refusal: error.reason }
    throw error
  } finally {
    await file.close()
  }
}

const MAX_TITLE = 4096

/** A whole tag, and the byte of the old file where its sound begins. */
export type WrittenTag = { tag: Uint8Array; soundAt: number }

export type NumberTagRequest = { path: string; number: string; title: string; limits: MediaLimits }

/**
 * Writes the ID3 tag of an MP3 file again, with a number before its title and everything else byte for byte. Null when
 * there is nothing to do, or when the tag is of a kind that should be left alone.
 */
export async function numberTag({ path, number, title, limits }: NumberTagRequest): Promise<WrittenTag | null> {
  const file = await open(path, 'r')
  try {
    const { version, frames, length } = await readWritable(file, limits)
    const { title: id } = namesOf(version)
    const named = frames.find(frame => frame.id === id)
    const content = named && contentOf(named, version)
    if (named && (!content || content.length > MAX_TITLE)) return null
    const old = content ? decodeText(content) : title
    if (old.startsWith(`${number} `)) return null
    const frame = textFrame(id, `${number} ${old}`, version)
    const others = named ? frames.map(other => (other === named ? frame : other)) : [frame, ...frames]
    return { tag: writeTag(version, others), soundAt: length }
  } catch (error) {
    if (error instanceof TooLarge || error instanceof Refused) return null
    throw error
  } finally {
    await file.close()
  }
}
