import type { FileHandle } from 'node:fs/promises'
import { contentOf, decodeText, findTag, readHeader, readTag, type Frame } from './id3'
import type { MediaLimits } from './limits'

/** Texts of a file's tags as they are written; null = none. */
export type MediaTags = Record<'title' | 'album' | 'artist' | 'date' | 'comment', string | null> & {
  number: number | null
}

/** Reads the tag at the start of an MP3; one that is too large says nothing. */
export async function readId3Tags(file: FileHandle, limits: MediaLimits): Promise<MediaTags> {
  const find = await readFrames(file, limits)
  const text = (...ids: string[]) => ids.map(id => find(id)).find(Boolean)
  const [year, day] = [text('TYER'), text('TDAT')]
  const dayAndMonth = /^(\d\d)(\d\d)$/.exec(decoded(day) ?? '')
  const older = year && dayAndMonth ? `${decoded(year)}-${dayAndMonth[2]}-${dayAndMonth[1]}` : null
  return {
    title: decoded(text('TIT2')),
    album: decoded(text('TALB')),
    artist: decoded(text('TPE1')),
    date: decoded(text('TDRC', 'TDRL', 'TDOR')) ?? older,
    comment: commentIn(find('COMM')),
    number: Number(/^\d{1,6}/.exec(decoded(text('TRCK')) ?? '')?.[0]) || null,
  }
}

/** Reads the first picture of the tag at the start of an MP3; null where there is none. */
export async function readId3Picture(file: FileHandle, limits: MediaLimits): Promise<Uint8Array | null> {
  const content = (await readFrames(file, limits))('APIC')
  if (!content) return null
  // The type of the picture is behind the name of its format, and a description before its bytes.
  const description = content.indexOf(0, 1) + 2
  return description < 2 ? null : content.subarray(endOfText(content, description, content[0]!))
}

type FindFrame = (id: string) => Buffer | null

async function readFrames(file: FileHandle, limits: MediaLimits): Promise<FindFrame> {
  const at = (await findTag(file, 0)) ?? 0
  const header = await readHeader(file, at)
  const tag = header && (await readTag(file, at, header, limits).catch(() => null))
  const first = new Map<string, Frame>()
  for (const frame of tag?.frames ?? []) first.getOrInsertComputed(frame.id, () => frame)
  return id => {
    const frame = first.get(id)
    return frame ? contentOf(frame, tag!.version) : null
  }
}

const decoded = (content: Buffer | null | undefined): string | null => (content && decodeText(content)) || null

/** A comment is behind its language and a description. */
function commentIn(content: Buffer | null): string | null {
  if (!content || content.length < 5) return null
  const encoding = content.subarray(0, 1)
  return decoded(Buffer.concat([encoding, content.subarray(endOfText(content, 4, content[0]!))]))
}

/** The byte behind a text and its end, which is as wide as a character. */
function endOfText(content: Buffer, from: number, encoding: number): number {
  const isWide = encoding === 1 || encoding === 2
  let at = from
  if (!isWide) while (at < content.length && content[at] !== 0) at++
  if (isWide) while (at + 1 < content.length && (content[at] !== 0 || content[at + 1] !== 0)) at += 2
  return at + (isWide ? 2 : 1)
}
