import type { FileHandle } from 'node:fs/promises'
import { ac3Format, adtsFormat, mpegFormat, readStatedLength } from './frames/formats'
import { createWindow, findFrame, type FrameFormat, Unreadable, walkFrames, type Window } from './frames/walk'
import type { MediaLimits } from './limits'

/** `isEstimate`: not all frames were counted. */
export type SoundLength = { seconds: number | null; isEstimate: boolean }

type First = { at: number; length: number; samples: number; rate: number; kind: number }
type Counted = { samples: number; end: number; isWhole: boolean }

const formats: Record<string, FrameFormat> = {
  'audio/mpeg': mpegFormat,
  'audio/aac': adtsFormat,
  'audio/vnd.dolby.dd-raw': ac3Format,
}

/** Whether a file of this type is frames without a container: none of them states the length of the whole. */
export const isBareSound = (type: string) => type in formats

const unknown: SoundLength = { seconds: null, isEstimate: false }

/**
 * Measures frames of sound from a byte on: by an encoder's header that describes the whole file, else by counting them
 * all. If that takes too long, or the file is damaged, extrapolates from the frames that were counted.
 */
export async function soundLength(
  file: FileHandle,
  { size, type }: { size: number; type: string },
  start: number,
  { soundBytes, soundMs }: Pick<MediaLimits, 'soundBytes' | 'soundMs'>,
): Promise<SoundLength> {
  const format = formats[type]!
  const window = createWindow({ size, readBytes: (from, to) => readBytes(file, from, to) }, soundBytes)
  const first = await findFrame(window, format, start).catch(unlessUnreadable)
  if (!first) return unknown
  const stated = readStatedLength((await window.from(first.at, first.length)).subarray(0, first.length))
  if (stated?.frames && describesAll(stated.bytes, size - first.at))
    return { seconds: (stated.frames * first.samples) / first.rate, isEstimate: false }
  const at = stated ? first.at + first.length : first.at
  const { samples, end, isWhole } = await countFrames(window, format, { ...first, at }, soundMs)
  const seconds = samples / first.rate
  if (isWhole) return { seconds, isEstimate: false }
  return samples === 0 ? unknown : { seconds: (seconds * (size - at)) / (end - at), isEstimate: true }
}

async function readBytes(file: FileHandle, from: number, to: number) {
  const bytes = Buffer.allocUnsafe(to - from)
  return bytes.subarray(0, (await file.read(bytes, 0, bytes.length, from)).bytesRead)
}

/** If a header states another size than the file has, something was added to the file after it was made. */
const describesAll = (stated: number | null, size: number) => stated === null || Math.abs(stated - size) <= size / 20

/** Frames that are counted before the clock is checked again. */
const STRIDE = 4096

async function countFrames(window: Window, format: FrameFormat, first: First, mostMs: number): Promise<Counted> {
  const endsAt = performance.now() + mostMs
  const counted: Counted = { samples: 0, end: first.at, isWhole: true }
  let frames = 0
  await walkFrames(window, format, first, ({ at, length, samples }) => {
    counted.samples += samples
    counted.end = at + length
    frames++
    counted.isWhole = frames % STRIDE !== 0 || performance.now() < endsAt
    return counted.isWhole
  }).catch(error => {
    unlessUnreadable(error)
    counted.isWhole = false
  })
  return counted
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof Unreadable) return null
  throw error
}
