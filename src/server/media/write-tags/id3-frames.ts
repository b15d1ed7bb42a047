import { writeSynchsafe, type Frame } from '../id3'
import { Refused, type Tags } from './tags'

/** Names of the frames that are written, in each version of ID3v2. */
const names = {
  2: { title: 'TT2', album: 'TAL', artist: 'TP1', number: 'TRK', picture: 'PIC' },
  3: { title: 'TIT2', album: 'TALB', artist: 'TPE1', number: 'TRCK', picture: 'APIC' },
  4: { title: 'TIT2', album: 'TALB', artist: 'TPE1', number: 'TRCK', picture: 'APIC' },
} as const
type Version = keyof typeof names

export const namesOf = (version: number) => names[version as Version]

/** Frames that say when something was recorded: year, day and time, whatever version they belong to. */
const dates = new Set(['TYE', 'TDA', 'TIM', 'TYER', 'TDAT', 'TIME', 'TDRC'])

export const isDate = (id: string) => dates.has(id)

export const textFrame = (id: string, text: string, version: number): Frame => ({
  id,
  flags: noFlags(version),
  body: encodeText(text, version),
})

export function dateFrames(date: string, version: number): Frame[] {
  if (version === 4) return [textFrame('TDRC', date, version)]
  const [year, month, day] = date.split('-') as [string, string, string]
  const [yearName, dayName] = version === 2 ? ['TYE', 'TDA'] : ['TYER', 'TDAT']
  return [textFrame(yearName, year, version), textFrame(dayName, day + month, version)]
}

const FRONT_COVER = 3

export function pictureFrame({ type, bytes }: NonNullable<Tags['cover']>, version: number): Frame {
  const format = version === 2 ? (type === 'image/png' ? 'PNG' : 'JPG') : `${type}\0`
  const head = Buffer.from(`\0${format}${String.fromCharCode(FRONT_COVER)}\0`, 'latin1')
  return { id: namesOf(version).picture, flags: noFlags(version), body: Buffer.concat([head, bytes]) }
}

/** Whether a picture is the front cover, or one that does not say what it is. */
export function isCover(content: Buffer, version: number): boolean {
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
