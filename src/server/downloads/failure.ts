import type { ErrorCode } from '../../shared/error-code'
import { refusedAdvice } from '../feeds/fetch/fetch'
import { parseRetryAfter } from '../feeds/schedule'
import { isOfProxy, OutboundError, type OutboundCode } from '../outbound/error'
import { DAY, MINUTE, SECOND } from '../platform/clock'
import { isFullDisk } from '../platform/log'

/**
 * A failed attempt, with a message for people. `permanent`: repeating the request is unlikely to help. `retryAfterMs`:
 * the pause before the next attempt, null = the usual one.
 */
export class DownloadFailure extends Error {
  override name = 'DownloadFailure'
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly permanent = false,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message)
  }
}

/** Statuses that another attempt is unlikely to change. */
const refusals = new Set([400, 401, 403, 404, 405, 406, 410, 451])
const advice: Record<number, string> = {
  401: '. Check the user name and password of the podcast.',
  403: refusedAdvice,
  404: '. The publisher may have removed or moved the file.',
  410: '. The publisher has removed the file.',
}

/** Turns a status other than success into a failure, with the pause that `Retry-After` asks for, up to a day. */
export function statusFailure({ status, headers }: Response, now: number): DownloadFailure {
  const askedMs = parseRetryAfter(headers.get('retry-after'), now)
  const retryAfterMs = askedMs === null ? null : Math.min(askedMs, DAY)
  const pause = retryAfterMs === null ? '' : ` and asked for a pause of ${Math.ceil(retryAfterMs / SECOND)} seconds`
  const message = `The host answered ${status}${pause || (advice[status] ?? '')}`
  return new DownloadFailure('media-unreachable', message, refusals.has(status), retryAfterMs)
}

/** Describes a response that is neither audio nor video. `got`: what the host sent instead. */
export const notMedia = (got: string) =>
  new DownloadFailure(
    'not-media',
    `Expected audio or video, got ${got}. Open the address of the episode in a browser to see why.`,
    true,
  )

/** Describes an MP4 whose index is missing because the host has only its beginning: no program can play any of it. */
export const withoutIndex = () =>
  new DownloadFailure(
    'media-incomplete',
    'The MP4 file of the host is cut off: it lacks its index (the moov box), and nothing can play it.',
    true,
  )

/** Reads the status back from the message of a failure, where it is kept; null if no host answered with one. */
export const findStatus = (message: string | null): number | null =>
  Number(/^The host answered (\d{3})\b/.exec(message ?? '')?.[1]) || null

export const diskFull = (message: string) => new DownloadFailure('disk-full', message, false, 10 * MINUTE)

const unreachable = () => new DownloadFailure('media-unreachable', 'The connection to the host failed')

const outboundFailures: Partial<Record<OutboundCode, (maxBytes: number) => DownloadFailure>> = {
  'address-not-allowed': () =>
    new DownloadFailure(
      'address-not-allowed',
      'The file is at an address that may not be reached from here. An admin can allow a private network with ALLOWED_NETWORKS.',
      true,
    ),
  'too-large': maxBytes =>
    new DownloadFailure('too-large-upstream', `The file is larger than the limit of ${maxBytes / 1e9} GB`, true),
  timeout: () => new DownloadFailure('upstream-timeout', 'The host sent nothing for too long'),
  closed: () => new DownloadFailure('media-unreachable', 'The host closed the connection without an answer'),
  'too-many-redirects': () => new DownloadFailure('media-unreachable', 'The host redirected too many times'),
}

/** Turns an error of the network or the disk into a failure; anything else is a bug and stays as it is. */
export function asDownloadFailure(error: unknown, maxBytes: number): unknown {
  if (error instanceof OutboundError && isOfProxy(error.code)) return new DownloadFailure('proxy-failed', error.message)
  if (error instanceof OutboundError) return (outboundFailures[error.code] ?? unreachable)(maxBytes)
  if (isFullDisk(error)) return diskFull('The disk is full. The download resumes once there is space.')
  return error
}
