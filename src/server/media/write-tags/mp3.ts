import type { FileHandle } from 'node:fs/promises'
import { contentOf, readHeader, readTag, type Frame, type Tag } from '../id3'
import type { MediaLimits } from '../limits'
import { dateFrames, isCover, isDate, namesOf, pictureFrame, textFrame, writeTag } from './id3-frames'
import type { Piece } from './pieces'
import { Refused, type Tags } from './tags'

/**
 * An MP3 with other tags: the tag at its start in the version that it has, or 2.3 where there is none. Every other
 * frame and the sound stay byte for byte. Throws `Refused`, and `TooLarge` for a tag beyond the limits.
 */
export async function writeMp3(file: FileHandle, size: number, tags: Tags, limits: MediaLimits): Promise<Piece[]> {
  const old = await readWritable(file, limits)
  const { version } = old
  const frames = [...framesOf(tags, version), ...old.frames.filter(frame => !isReplaced(frame, tags, version))]
  return [writeTag(version, frames), { from: Math.min(old.length, size), to: size }]
}

type Writable = Pick<Tag, 'version' | 'frames' | 'length'>

/** Reads the tag at the start of an MP3, all of it understood. Throws `Refused` for any other, and `TooLarge`. */
export async function readWritable(file: FileHandle, limits: MediaLimits): Promise<Writable> {
  const header = await readHeader(file, 0)
  if (!header) return { version: 3, frames: [], length: 0 }
  const tag = await readTag(file, 0, header, limits)
  if (!tag.isWhole || isAmbiguous(tag)) throw new Refused('unsupported-tags')
  return tag
}

const STUFFED = Buffer.from([0xff, 0])

/**
 * Whether readers disagree on a tag: in version 2.4 each frame says whether its bytes are stuffed, and the tag says so
 * of all. Some programs set only the latter.
 */
const isAmbiguous = ({ version, flags, frames }: Tag) =>
  version === 4 &&
  (flags & 0x80) !== 0 &&
  frames.some(frame => !(frame.flags[1]! & 0x02) && frame.body.includes(STUFFED))

function framesOf({ title, album, artist, date, number, cover }: Tags, version: number): Frame[] {
  const names = namesOf(version)
  const text = (id: string, value: string | null) => (value === null ? [] : [textFrame(id, value, version)])
  return [
    ...text(names.title, title),
    ...text(names.album, album),
    ...text(names.artist, artist),
    ...text(names.number, number === null ? null : String(number)),
    ...(date === null ? [] : dateFrames(date, version)),
    ...(cover ? [pictureFrame(cover, version)] : []),
  ]
}

function isReplaced(frame: Frame, tags: Tags, version: number): boolean {
  const names = namesOf(version)
  if (isDate(frame.id)) return tags.date !== null
  if (frame.id === names.picture)
    return tags.cover !== null && isCover(contentOf(frame, version) ?? frame.body, version)
  return (['title', 'album', 'artist', 'number'] as const).some(name => frame.id === names[name] && tags[name] !== null)
}
