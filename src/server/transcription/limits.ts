import { HOUR, MINUTE, SECOND } from '../platform/clock'

/** The limits of transcribing, in milliseconds and bytes. */
export type TranscriptionLimits = {
  /** The longest time in which the server takes nothing of a file. */
  stallMs: number
  /** The least speed at which a file is sent, in addition to `sendMs`. */
  bytesPerSecond: number
  sendMs: number
  /** The time for an answer, in addition to three times the duration of the audio. */
  answerMs: number
  maxAnswerBytes: number
}

export const transcriptionLimits: TranscriptionLimits = {
  stallMs: 2 * MINUTE,
  bytesPerSecond: 16 * 1024,
  sendMs: 30 * MINUTE,
  answerMs: 15 * MINUTE,
  maxAnswerBytes: 16 * 1024 * 1024,
}

const TIMES_DURATION = 3
/** Audio of unknown length is taken to have 32 kbit/s. */
const MIN_BYTES_PER_SECOND = 4000
const MAX_S = (48 * HOUR) / SECOND

/** The time for an answer; `duration` in seconds, 0 = unknown. */
export function timeForAnswer({ answerMs }: TranscriptionLimits, duration: number, bytes: number): number {
  const seconds = duration > 0 ? duration : bytes / MIN_BYTES_PER_SECOND
  return answerMs + TIMES_DURATION * Math.min(seconds, MAX_S) * SECOND
}

export const timeForSending = ({ sendMs, bytesPerSecond }: TranscriptionLimits, bytes: number): number =>
  sendMs + (bytes / bytesPerSecond) * SECOND
