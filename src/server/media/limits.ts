import { SECOND } from '../platform/clock'

/** How much of a media file is read for what it says of itself. What is over it is played without chapters. */
export type MediaLimits = {
  /** A tag of an MP3, pictures included: it is gone through in memory. */
  tagBytes: number
  /** Frames of such a tag: a thousand chapters, each with title, picture and link, are four thousand. */
  frames: number
  /** Separate reads of any other container, what they read in all, and the longest of them. */
  reads: number
  bytes: number
  single: number
  timeoutMs: number
}

export const mediaLimits: MediaLimits = {
  tagBytes: 32 * 1024 * 1024,
  frames: 10_000,
  reads: 20_000,
  bytes: 2 * 1024 * 1024,
  single: 256 * 1024,
  timeoutMs: 20 * SECOND,
}

/** The tables of an MP4 lie in one piece each: three hours of sound are a megabyte and a half, a cover may be as much. */
export const mp4Limits = { bytes: 12 * 1024 * 1024, single: 8 * 1024 * 1024 }
