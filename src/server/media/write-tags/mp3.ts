import type { FileHandle } from 'node:fs/promises'
import { contentOf, type Frame, readHeader, readTag, type Tag, writeSynchsafe } from '../id3'
import type { MediaLimits } from '../limits'
import { type Piece, Refused, type Tags } from './tags'

/**
 * An MP3 with other tags: the tag at its start keeps its version, and is 2.3 if there was none. Every other frame and
 * the sound stay byte for byte. Throws `Refused`, and `TooLarge` for a tag beyond the limits.
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
 * Whether readers disagree about a tag: in version 2.4 each frame says whether its bytes are stuffed, and the tag says
 * whether all are. Some programs set only the latter.
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

/** Names of the frames that are written, in each version of ID3v2. */
const names = {
  2: { title: 'TT2', album: 'TAL', artist: 'TP1', number: 'TRK', picture: 'PIC' },
  3: { title: 'TIT2', album: 'TALB', artist: 'TPE1', number: 'TRCK', picture: 'APIC' },
  4: { title: 'TIT2', album: 'TALB', artist: 'TPE1', number: 'TRCK', picture: 'APIC' },
} as const
type Version = keyof typeof names

export const namesOf = (version: number) => names[version as Version]

/** Frames that say when something was recorded: year, day and time, of every version. */
const dates = new Set(['TYE', 'TDA', 'TIM', 'TYER', 'TDAT', 'TIME', 'TDRC'])

const isDate = (id: string) => dates.has(id)

export const textFrame = (id: string, text: string, version: number): Frame => ({
  id,
  flags: noFlags(version),
  body: encodeText(text, version),
})

function dateFrames(date: string, version: number): Frame[] {
  if (version === 4) return [textFrame('TDRC', date, version)]
  const [year, month, day] = date.split('-') as [string, string, string]
  const [yearName, dayName] = version === 2 ? ['TYE', 'TDA'] : ['TYER', 'TDAT']
  return [textFrame(yearName, year, version), textFrame(dayName, day + month, version)]
}

const FRONT_COVER = 3

function pictureFrame({ type, bytes }: NonNullable<Tags['cover']>, version: number): Frame {
  const format = version === 2 ? (type === 'image/png' ? 'PNG' : 'JPG') : `${type}\0`
  const head = Buffer.from(`\0${format}${String.fromCharCode(FRONT_COVER)}\0`, 'latin1')
  return { id: namesOf(version).picture, flags: noFlags(version), body: Buffer.concat([head, bytes]) }
}

/** Whether a picture is the front cover, or one that does not say what it is. */
function isCover(content: Buffer, version: number): boolean {
  const kind = content[version === 2 ? 4 : content.indexOf(0, 1) + 1]
  return kind === FRONT_COVER || kind === 0
}

const noFlags = (version: number) => Buffer.alloc(version === 2 ? 0 : 2)

const encodeText = (text: string, version: number): Buffer =>
  version === 4
    ? Buffer.concat([Buffer.from([3]), Buffer.from(text)])
    : Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')])

/** The largest number in four bytes of seven bits. */
const MAX_BYTES = 2 ** 28 - 1

/** Writes a whole tag, without padding. Throws `Refused`. */
export function writeTag(version: number, frames: readonly Frame[]): Buffer {
  const body = Buffer.concat(
    frames.flatMap(({ id, flags, body: content }) => [
      Buffer.from(id, 'latin1'),
      writeLength(content.length, version),
      flags,
      content,
    ]),
  )
  if (body.length > MAX_BYTES) throw new Refused('too-large')
  const header = Buffer.from([0x49, 0x44, 0x33, version, 0, 0, 0, 0, 0, 0])
  writeSynchsafe(header, 6, body.length)
  return Buffer.concat([header, body])
}

function writeLength(length: number, version: number): Buffer {
  const bytes = Buffer.alloc(version === 2 ? 3 : 4)
  if (length > (version === 2 ? 2 ** 24 - 1 : MAX_BYTES)) throw new Refused('too-large')
  if (version === 4) writeSynchsafe(bytes, 0, length)
  else bytes.writeUIntBE(length, 0, bytes.length)
  return bytes
}
