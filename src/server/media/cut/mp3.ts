import type { FrameFormat, Frame } from './frames'
import { findFrame, findPassage, soundStart } from './frames'
import type { CutPlan } from './plan'
import { createWindow, CutRefused, type CutSpan, type Source } from './source'

// MPEG-1 (ISO/IEC 11172-3) and MPEG-2 (ISO/IEC 13818-3), layer III, and the unofficial half rates of version 2.5.
const bitRates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const rates = [44_100, 48_000, 32_000]
const LAYER_3 = 1

type Header = {
  length: number
  samples: number
  rate: number
  kind: number
  /** Bytes of the header with its check sum, and of the side information behind it. */
  head: number
  side: number
  isFirstVersion: boolean
}

function parseHeader(bytes: Buffer, at: number): Header | null {
  const [first, second, third, fourth] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!]
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return null
  const version = (second >> 3) & 3
  const rateIndex = (third >> 2) & 3
  const isFirstVersion = version === 3
  const bitRate = bitRates[isFirstVersion ? 1 : 2][third >> 4]
  if (version === 1 || ((second >> 1) & 3) !== LAYER_3 || rateIndex === 3 || !bitRate) return null
  const rate = rates[rateIndex]! / (isFirstVersion ? 1 : version === 2 ? 2 : 4)
  const isMono = fourth >> 6 === 3
  return {
    length: Math.floor(((isFirstVersion ? 144 : 72) * bitRate * 1000) / rate) + ((third >> 1) & 1),
    samples: isFirstVersion ? 1152 : 576,
    rate,
    kind: (version << 2) | rateIndex,
    head: second & 1 ? 4 : 6,
    side: isFirstVersion ? (isMono ? 17 : 32) : isMono ? 9 : 17,
    isFirstVersion,
  }
}

const format: FrameFormat = { headerBytes: 4, parse: parseHeader }

/**
 * Cuts whole frames out of an MP3. A frame may use bits of those before it: these come along silenced, with their bits,
 * and sound as a few hundredths of a second of nothing.
 */
export async function cutMp3(source: Source, span: CutSpan, tag: Buffer, budget: number): Promise<CutPlan> {
  const window = createWindow(source, budget)
  const found = await findFrame(window, format, await soundStart(window))
  if (!found) throw new CutRefused('malformed')
  const start = { ...found, at: (await isInfo(window.from, found.at)) ? found.at + found.length : found.at }
  const passage = await findPassage(window, format, start, span, countBefore)
  const silenced: Buffer[] = []
  for (const { at, length } of passage.before)
    silenced.push(silence((await window.from(at, length)).subarray(0, length)))
  const sound = Buffer.concat(silenced)
  const first = await window.from(passage.from, 4)
  const info = writeInfo(first, {
    frames: passage.before.length + passage.count,
    bytes: sound.length + passage.to - passage.from,
    isEven: passage.isEven,
  })
  const head = Buffer.concat([tag, info, sound])
  return {
    type: 'audio/mpeg',
    size: head.length + passage.to - passage.from,
    head,
    sound: { from: passage.from, to: passage.to },
  }
}

/** Whether the first frame holds no sound, but the numbers of an encoder. */
async function isInfo(read: (at: number, least: number) => Promise<Buffer>, at: number): Promise<boolean> {
  const bytes = await read(at, 64)
  const header = bytes.length < 4 ? null : parseHeader(bytes, 0)
  if (!header) return false
  const name = (place: number) => bytes.toString('latin1', place, place + 4)
  return /^(Xing|Info)$/.test(name(header.head + header.side)) || name(4 + 32) === 'VBRI'
}

/** The number of frames before one that hold the bits which it uses. */
function countBefore(_: Frame, bytes: Buffer, offset: number, before: readonly Frame[]): number {
  const header = parseHeader(bytes, offset)!
  const at = offset + header.head
  if (at + 2 > bytes.length) return 0
  // How far back its bits begin, in bytes that are no headers.
  const back = header.isFirstVersion ? (bytes[at]! << 1) | (bytes[at + 1]! >> 7) : bytes[at]!
  let held = 0
  let count = 0
  while (held < back && count < before.length) {
    // Without the check sums that they may have: one frame too many does no harm.
    held += Math.max(0, before.at(-1 - count)!.length - 6 - header.side)
    count++
  }
  return count
}

/** A frame that sounds as nothing, with the bits that later frames use still at its end. */
function silence(bytes: Uint8Array): Buffer {
  const silent = Buffer.from(bytes)
  const header = parseHeader(silent, 0)
  if (!header) throw new CutRefused('malformed')
  // The side information says that there is nothing to decode; a check sum would not fit it any more.
  silent[1] = silent[1]! | 1
  silent.fill(0, 4, Math.min(silent.length, header.head + header.side))
  return silent
}

/**
 * A first frame without sound that says how long the rest is, for players that would guess it by the first bit rate.
 */
function writeInfo(
  like: Buffer,
  { frames, bytes, isEven }: { frames: number; bytes: number; isEven: boolean },
): Buffer {
  const head = Buffer.from([like[0]!, like[1]! | 1, 0, like[3]!])
  for (let index = 1; index < 15; index++) {
    head[2] = (index << 4) | (like[2]! & 0x0c)
    const header = parseHeader(head, 0)
    if (!header || header.length < 4 + header.side + 16) continue
    const frame = Buffer.alloc(header.length)
    head.copy(frame)
    const at = 4 + header.side
    frame.write(isEven ? 'Info' : 'Xing', at, 'latin1')
    // Both numbers follow: frames, and bytes with this frame.
    frame.writeUInt32BE(3, at + 4)
    frame.writeUInt32BE(frames, at + 8)
    frame.writeUInt32BE(bytes + frame.length, at + 12)
    return frame
  }
  return Buffer.alloc(0)
}
