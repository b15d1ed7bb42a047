import type { Readable } from '../media/readable'
import { parseMpegHeader } from '../media/frames/formats'
import { readMatroska } from '../media/matroska'

export type MediaType = { type: string; extension: string }

/** The first bytes of a file that are enough to recognise its type. */
export const SNIFF_BYTES = 16 * 1024

const extensions: Record<string, string> = { 'audio/mpeg': '.mp3', 'audio/mp4': '.m4a', 'audio/x-m4a': '.m4a' }
/** Containers of sound and pictures, and their type if they hold only sound. */
const withoutPictures: Record<string, MediaType> = {
  'video/mp4': { type: 'audio/mp4', extension: '.m4a' },
  'video/quicktime': { type: 'audio/mp4', extension: '.m4a' },
  'video/webm': { type: 'audio/webm', extension: '.webm' },
  'video/matroska': { type: 'audio/matroska', extension: '.mka' },
}
const headBudget = { reads: 2000, bytes: 1024 * 1024, single: SNIFF_BYTES }

/** Recognises audio and video by the first bytes of a file, whatever names and headers say; null for anything else. */
export async function sniffMedia(start: Uint8Array): Promise<MediaType | null> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(start).catch(() => undefined)
  if (found && /^(audio|video)\//.test(found.mime)) {
    const type = plainType(found.mime)
    const media = { type, extension: extensions[type] ?? `.${found.ext}` }
    if (!/webm$|matroska$/.test(type)) return media
    return withKind(media, (await readMatroska(readable(start), start.length, headBudget)).hasVideo)
  }
  if (found?.mime === 'application/ogg') return { type: 'audio/ogg', extension: '.ogg' }
  return !found && (hasLateTag(start) || hasMpegFrames(start)) ? { type: 'audio/mpeg', extension: '.mp3' } : null
}

/** The type of a file, given whether it has moving pictures; null = unknown. */
export const withKind = (media: MediaType, hasVideo: boolean | null): MediaType =>
  hasVideo === false ? (withoutPictures[media.type] ?? media) : media

const plainType = (mime: string) => (mime === 'audio/x-m4a' ? 'audio/mp4' : (mime.split(';')[0] ?? mime))

const readable = (bytes: Uint8Array): Readable => ({
  async read(target, offset, length, position) {
    const part = bytes.subarray(position, position + length)
    target.set(part, offset)
    return { bytesRead: part.length }
  },
})

/** Some hosts send line breaks before the tag of an MP3, whose pictures may put its sound far away. */
const hasLateTag = (bytes: Uint8Array) =>
  /^[\s\0]{1,4096}ID3[\x02-\x04]/.test(Buffer.from(bytes.subarray(0, 5000)).toString('latin1'))

/** Some encoders put padding before the first frame; three frames at the right distances are proof enough. */
function hasMpegFrames(start: Uint8Array): boolean {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength)
  for (let at = bytes.indexOf(0xff); at !== -1 && at + 4 <= bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const first = parseMpegHeader(bytes, at)
    const second = first && parseMpegHeader(bytes, at + first.length)
    if (!first || second?.kind !== first.kind) continue
    const third = at + first.length + second.length
    if (third + 4 > bytes.length || parseMpegHeader(bytes, third)?.kind === first.kind) return true
  }
  return false
}
