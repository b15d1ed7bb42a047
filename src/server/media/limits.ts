import { SECOND } from '../platform/clock'

/** Bounds on reading the metadata of a media file. A file beyond them plays without chapters, or with an estimated length. */
export type MediaLimits = {
  /** Bytes of an MP3's tag, pictures included: it is read into memory. */
  tagBytes: number
  /** Frames of such a tag: a thousand chapters, each with title, picture and link, are four thousand. */
  frames: number
  /** The number of reads in any other container, their bytes in all, and the bytes of the longest. */
  reads: number
  bytes: number
  single: number
  /** Bytes of sound whose frames are counted, and the time for it: with more, the length is an estimate. */
  soundBytes: number
  soundMs: number
  timeoutMs: number
}

export const mediaLimits: MediaLimits = {
  tagBytes: 32 * 1024 * 1024,
  frames: 10_000,
  reads: 20_000,
  bytes: 2 * 1024 * 1024,
  single: 256 * 1024,
  soundBytes: 2e9,
  soundMs: 8 * SECOND,
  timeoutMs: 20 * SECOND,
}

/** Each table of an MP4 is in one piece: for three hours of sound a megabyte and a half; a cover may be as large. */
export const mp4Limits = { bytes: 12 * 1024 * 1024, single: 8 * 1024 * 1024 }
