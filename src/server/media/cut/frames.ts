import { adtsFormat, mpegFormat, type MpegHeader, parseMpegHeader, readStatedLength } from '../frames/formats'
import {
  createWindow,
  findFrame,
  type Frame,
  type FrameFormat,
  soundStart,
  type Source,
  walkFrames,
  type Window,
} from '../frames/walk'
import { type CutPlan, CutRefused, type CutSpan } from './plan'

const LAYER_3 = 3

function parseHeader(bytes: Buffer, at: number): MpegHeader | null {
  const header = parseMpegHeader(bytes, at)
  return header?.layer === LAYER_3 ? header : null
}

const mp3Format: FrameFormat = { ...mpegFormat, parse: parseHeader }

/**
 * Cuts whole frames out of an MP3. A frame may use bits of those before it: these are included with their bits but
 * silenced, and sound like a few hundredths of a second of silence.
 */
export async function cutMp3(source: Source, span: CutSpan, tag: Buffer, budget: number): Promise<CutPlan> {
  const window = createWindow(source, budget)
  const found = await findFrame(window, mp3Format, await soundStart(window))
  if (!found) throw new CutRefused('malformed')
  const isInfo = readStatedLength((await window.from(found.at, 64)).subarray(0, 64)) !== null
  const start = { ...found, at: isInfo ? found.at + found.length : found.at }
  const passage = await findPassage(window, mp3Format, start, span, countBefore)
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

/** The number of frames before one that hold bits which it uses. */
function countBefore(_: Frame, bytes: Buffer, offset: number, before: readonly Frame[]): number {
  const header = parseHeader(bytes, offset)!
  const at = offset + header.head
  if (at + 2 > bytes.length) return 0
  // How far back its bits begin, in bytes without headers.
  const back = header.isFirstVersion ? (bytes[at]! << 1) | (bytes[at + 1]! >> 7) : bytes[at]!
  let held = 0
  let count = 0
  while (held < back && count < before.length) {
    // The checksums that they may have are ignored: one frame too many does no harm.
    held += Math.max(0, before.at(-1 - count)!.length - 6 - header.side)
    count++
  }
  return count
}

/** A silent frame that still has the bits that later frames use at its end. */
function silence(bytes: Uint8Array): Buffer {
  const silent = Buffer.from(bytes)
  const header = parseHeader(silent, 0)
  if (!header) throw new CutRefused('malformed')
  // The side information says that there is nothing to decode; a checksum would no longer match it.
  silent[1] = silent[1]! | 1
  silent.fill(0, 4, Math.min(silent.length, header.head + header.side))
  return silent
}

/**
 * A first frame without sound that states the length of the rest, for players that would guess it from the first bit
 * rate.
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
    // Both numbers follow: frames, and bytes including this frame.
    frame.writeUInt32BE(3, at + 4)
    frame.writeUInt32BE(frames, at + 8)
    frame.writeUInt32BE(bytes + frame.length, at + 12)
    return frame
  }
  return Buffer.alloc(0)
}

/** Cuts whole frames out of bare AAC, with the one before them, which the first overlaps. */
export async function cutAdts(source: Source, span: CutSpan, tag: Buffer, budget: number): Promise<CutPlan> {
  const window = createWindow(source, budget)
  const start = await findFrame(window, adtsFormat, await soundStart(window))
  if (!start) throw new CutRefused('malformed')
  const passage = await findPassage(window, adtsFormat, start, span, (_frame, _bytes, _offset, before) =>
    Math.min(1, before.length),
  )
  const from = passage.before[0]?.at ?? passage.from
  return { type: 'audio/aac', size: tag.length + passage.to - from, head: tag, sound: { from, to: passage.to } }
}

/** The frames of a span of time: those before it that it needs, and where it begins and ends. */
type Passage = { before: Frame[]; first: Frame; from: number; to: number; count: number; isEven: boolean }

/**
 * Finds the frames of a span of seconds. `reach` returns how many of the last frames before the span the first of it
 * needs. Throws `CutRefused`.
 */
async function findPassage(
  window: Window,
  format: FrameFormat,
  start: { at: number; kind: number; rate: number },
  span: { from: number; to: number },
  reach: (frame: Frame, bytes: Buffer, offset: number, before: readonly Frame[]) => number,
): Promise<Passage> {
  const [begin, end] = [span.from * start.rate, span.to * start.rate]
  const recent: Frame[] = []
  let passage: Passage | null = null
  let samples = 0
  await walkFrames(window, format, start, (frame, bytes, offset) => {
    const isWithin = samples + frame.samples > begin
    samples += frame.samples
    if (!isWithin) {
      recent.push(frame)
      if (recent.length > 2 * MAX_BEFORE) recent.splice(0, MAX_BEFORE)
      return true
    }
    if (!passage) {
      const count = reach(frame, bytes, offset, recent)
      const before = count === 0 ? [] : recent.slice(-count)
      passage = { before, first: frame, from: frame.at, to: frame.at, count: 0, isEven: true }
    }
    passage.to = frame.at + frame.length
    passage.count++
    // Frames of one bit rate differ by a byte of padding.
    passage.isEven &&= Math.abs(frame.length - passage.first.length) <= 1
    return samples < end
  })
  if (!passage) throw new CutRefused('beyond-end')
  return passage
}

const MAX_BEFORE = 100
