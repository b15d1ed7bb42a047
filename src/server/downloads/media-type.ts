export type MediaType = { type: string; extension: string }

/** The first bytes of a file that are enough to recognise its type. */
export const SNIFF_BYTES = 16 * 1024

const extensions: Record<string, string> = { 'audio/mpeg': '.mp3', 'audio/mp4': '.m4a', 'audio/x-m4a': '.m4a' }

/** Recognises audio and video by the first bytes of a file, whatever names and headers say; null for anything else. */
export async function sniffMedia(start: Uint8Array): Promise<MediaType | null> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(start).catch(() => undefined)
  if (found && /^(audio|video)\//.test(found.mime)) {
    const type = plainType(found.mime)
    return { type, extension: extensions[type] ?? `.${found.ext}` }
  }
  if (found?.mime === 'application/ogg') return { type: 'audio/ogg', extension: '.ogg' }
  return !found && hasMpegFrames(start) ? { type: 'audio/mpeg', extension: '.mp3' } : null
}

const plainType = (mime: string) => (mime === 'audio/x-m4a' ? 'audio/mp4' : (mime.split(';')[0] ?? mime))

/** Some encoders put padding before the first frame; two frames at the right distance are proof enough. */
function hasMpegFrames(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length - 4; at++) {
    const length = frameLength(bytes, at)
    if (length > 0 && at + length < bytes.length - 4 && frameLength(bytes, at + length) > 0) return true
  }
  return false
}

const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const sampleRates = [44100, 48000, 32000]

/** The bytes of an MPEG-1 layer III frame that begins here, 0 if none does. */
function frameLength(bytes: Uint8Array, at: number): number {
  const [first, second, third] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!]
  if (first !== 0xff || (second & 0xfe) !== 0xfa) return 0
  const bitrate = bitrates[third >> 4]
  const sampleRate = sampleRates[(third >> 2) & 3]
  return bitrate && sampleRate ? Math.floor((144_000 * bitrate) / sampleRate) + ((third >> 1) & 1) : 0
}
