import { open } from 'node:fs/promises'
import { TooLarge } from './bounded-file'
import { contentOf, decodeText } from './id3'
import type { MediaLimits } from './limits'
import { namesOf, textFrame, writeTag } from './write-tags/id3-frames'
import { readWritable } from './write-tags/mp3'
import { Refused } from './write-tags/tags'

const MAX_TITLE = 4096

/** A whole tag, and the byte of the old file where its sound begins. */
export type WrittenTag = { tag: Uint8Array; soundAt: number }

export type NumberTagRequest = { path: string; number: string; title: string; limits: MediaLimits }

/**
 * Writes the ID3 tag of an MP3 file again, with a number before its title and everything else byte for byte. Null when
 * there is nothing to do, or when the tag is of a kind that is better left alone.
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
