import type { ProblemBody } from '../../../shared/api/parts'
import type { ErrorCode } from '../../../shared/error-code'
import type { Context } from '../../context'
import { describeError, isFullDisk } from '../../platform/log'
import { Problem } from '../../platform/problem'
import { isBusy } from '../../store/writing'

/** The HTTP status of every code. A few codes appear only in downloads and podcasts and are never a response. */
const statuses = {
  'bad-request': 400,
  'not-signed-in': 401,
  'wrong-user-or-password': 401,
  'second-factor-needed': 401,
  'wrong-second-factor': 401,
  'passkey-refused': 401,
  'not-confirmed': 403,
  'not-admin': 403,
  'not-uploader': 403,
  'basic-auth-off': 403,
  'podcast-limit-reached': 403,
  'account-read-only': 403,
  'explicit-not-allowed': 403,
  'public-clips-off': 403,
  'setup-code-wrong': 403,
  'demo-read-only': 403,
  'setup-refused': 422,
  'cross-site': 403,
  'not-found': 404,
  'podcast-not-found': 404,
  'episode-not-found': 404,
  'download-not-found': 404,
  'user-not-found': 404,
  'invite-not-found': 404,
  'playlist-not-found': 404,
  'tag-not-found': 404,
  'queue-not-found': 404,
  'queue-item-not-found': 404,
  'job-not-found': 404,
  'move-not-found': 404,
  'notification-not-found': 404,
  'destination-not-found': 404,
  'transcript-not-found': 404,
  'transcription-not-found': 404,
  'backup-not-found': 404,
  'clip-not-found': 404,
  'method-not-allowed': 405,
  'podcast-already-added': 409,
  'download-state': 409,
  'file-not-downloaded': 409,
  'transcript-published': 409,
  'transcription-not-configured': 409,
  'transcription-state': 409,
  'username-taken': 409,
  'username-looks-taken': 409,
  'username-refused': 403,
  'too-many-app-passwords': 409,
  'too-many-destinations': 409,
  'too-many-passkeys': 409,
  'second-factor-on': 409,
  'no-own-password': 409,
  'too-many-clips': 409,
  'clip-needs-file': 409,
  'clip-unsupported': 422,
  'clip-too-slow': 504,
  'invite-accepted': 409,
  'last-admin': 409,
  'playlist-name-taken': 409,
  'playlist-fills-itself': 409,
  'tag-name-taken': 409,
  'queue-changed': 409,
  'queue-name-taken': 409,
  'too-many-queues': 409,
  'already-running': 409,
  'move-state': 409,
  'move-undone': 409,
  'podindex-not-configured': 409,
  'too-many-outlines': 413,
  'invalid-opml': 422,
  'invite-expired': 410,
  'move-too-old': 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'range-not-satisfiable': 416,
  'invalid-field': 422,
  'invalid-format': 422,
  'password-too-weak': 422,
  'passkey-invalid': 400,
  'not-a-feed': 422,
  'nothing-playable': 422,
  'feed-gone': 422,
  'feed-needs-credentials': 422,
  'feed-refused': 422,
  'address-not-allowed': 422,
  'too-large-upstream': 422,
  'too-many-attempts': 429,
  'too-many-requests': 429,
  unexpected: 500,
  'feed-unreachable': 502,
  'feed-closed': 502,
  'feed-redirects': 502,
  'feed-challenge': 502,
  'directory-unreachable': 502,
  'destination-unreachable': 502,
  'proxy-failed': 502,
  'media-unreachable': 502,
  'transcription-key': 502,
  'transcription-address': 502,
  'transcription-unreachable': 502,
  'transcription-busy': 503,
  'transcription-refused': 502,
  'transcription-failed': 502,
  'transcription-timeout': 504,
  'transcription-unusable': 502,
  'no-speech': 422,
  starting: 503,
  'media-folder-absent': 503,
  'media-storage-absent': 503,
  'storage-failed': 503,
  'database-busy': 503,
  'upstream-timeout': 504,
  'upstream-too-slow': 504,
  'disk-full': 507,
  'not-media': 502,
  'media-incomplete': 502,
  'integrity-mismatch': 502,
  'media-superseded': 410,
  'set-aside': 409,
  'length-mismatch': 502,
  cancelled: 409,
  'feed-unreadable': 422,
  'move-unknown-file': 422,
  'move-other-program': 422,
  'move-nothing-found': 422,
  'move-damaged': 422,
  'move-too-many': 422,
  'move-no-file': 422,
  'move-in-use': 422,
  'move-archive': 422,
  'move-several-databases': 422,
  'move-dump': 422,
  'move-version': 422,
  'move-needs-list': 422,
  'move-too-much': 422,
  'move-copy-lost': 422,
  'move-server-address': 422,
  'move-server-answer': 502,
  'move-server-refused': 502,
  'move-server-name': 502,
  'move-server-moved': 502,
} as const satisfies Record<ErrorCode, number>

const RETRY_AFTER_SECONDS = 2

export const statusOf = (code: ErrorCode): number => statuses[code]

type Logs = Pick<Context, 'log' | 'room'>

/** Logs why a request failed. A full disk is logged once, when it is noticed, and not with each request. */
export function logFailedRequest({ log, room }: Logs, message: string, error: unknown, about = {}) {
  const level = isFullDisk(error) && room.isFull() ? 'debug' : 'error'
  log[level](message, { ...about, error: describeError(error) })
}

/** Turns any error into a response. A bug is answered with an id only, under which the log has the details. */
export function answerProblem(error: unknown, logs: Logs): Response {
  if (error instanceof Problem) return respond(error)
  const fault = diskFault(error)
  if (fault?.code === 'database-busy') return respond(fault)
  if (fault) {
    logFailedRequest(logs, 'database cannot be used', error)
    return respond(fault)
  }
  if (refersToNothing(error)) {
    logs.log.info('Request refused: its subject has been removed', { error: describeError(error) })
    return respond(new Problem('not-found', 'It has been removed since'))
  }
  const requestId = crypto.randomUUID()
  logFailedRequest(logs, 'unexpected error', error, { requestId })
  return respond(new Problem('unexpected', "Something went wrong. The server's log has the details.", { requestId }))
}

/**
 * Whether a row was to refer to another one that isn't there: a podcast, or the account itself, was removed while the
 * request did its work in pieces.
 */
const refersToNothing = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'SQLITE_CONSTRAINT_FOREIGNKEY'

/** Reads a disk or lock failure from SQLite's error code; null for any other error. The transaction was rolled back. */
export function diskFault(error: unknown): Problem | null {
  const { code } = error as { code?: unknown }
  if (isBusy(error)) return databaseBusy()
  if (typeof code !== 'string') return null
  if (isFullDisk(error)) return new Problem('disk-full', 'The disk is full')
  if (/^SQLITE_(READONLY|IOERR|CANTOPEN)/.test(code))
    return new Problem('storage-failed', 'The disk cannot be written to')
  return null
}

/** Another process writes. Nothing was changed. */
export const databaseBusy = () => new Problem('database-busy', 'The database is busy', {}, RETRY_AFTER_SECONDS)

/** The response to a refused request, in the one shape that all errors have. */
export function respond({ code, message, args, retryAfter }: Problem, headers: Record<string, string> = {}): Response {
  return Response.json({ errorCode: code, message, arguments: args } satisfies ProblemBody, {
    status: statusOf(code),
    headers: {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...headers,
    },
  })
}
