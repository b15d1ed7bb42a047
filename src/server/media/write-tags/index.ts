import { open } from 'node:fs/promises'
import { TooLarge } from '../bounded-file'
import type { MediaLimits } from '../limits'
import { isMp4 } from '../../../shared/media-kinds'
import { writeMp3 } from './mp3'
import { writeMp4 } from './mp4'
import type { Piece } from './pieces'
import { fit, Refused, type Refusal, type Tags } from './tags'

export { writePieces, type Piece } from './pieces'
export type { Cover, Refusal, Tags } from './tags'

export type WriteTagsRequest = { path: string; type: string; tags: Tags; limits: MediaLimits }

/** The file with its new tags, in pieces for `writePieces`, or the reason why it keeps those that it has. */
export type WrittenTags = { pieces: Piece[]; refusal: null } | { pieces: null; refusal: Refusal }

/**
 * Makes the pieces of an MP3 or MP4 with these tags, within `limits`: everything else in it stays byte for byte. Texts
 * become one line of at most 1000 characters; a date, number or cover that is none, and a cover of more than 8 MB, are
 * left out. Nothing is written here.
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
