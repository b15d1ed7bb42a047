import type { ErrorCode } from '../../shared/error-code'
import { parseRetryAfter } from '../feeds/schedule'
import { isOfProxy, OutboundError } from '../outbound/error'
import { SourceFailed, UploadStalled, type Answer } from '../outbound/upload'
import { DAY, HOUR, MINUTE } from '../platform/clock'
import { Problem } from '../platform/problem'
import { StorageFailure } from '../storage/storage'

/**
 * - `final`: sending this file again would end the same way.
 * - `file`: tried again a few times.
 * - `server`: the server or its settings are to blame, and everything waits until that is over.
 * - `storage`: the file cannot be read now; it waits as long as it takes.
 */
export type Blame = 'final' | 'file' | 'server' | 'storage'

/** A failed attempt, with a message for people. `retryAfterMs`: the pause that the server asked for. */
export class TranscriptionFailure extends Error {
  override name = 'TranscriptionFailure'
  constructor(
    readonly code: ErrorCode,
    readonly blame: Blame,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message)
  }
}

/** The server's answer is to blame: it is dropped when the failure is recorded. */
export class UselessAnswer extends TranscriptionFailure {
  override name = 'UselessAnswer'
}

/** The reasons for which nothing is sent to the server for a while. */
export const serverCodes = [
  'transcription-key',
  'transcription-address',
  'transcription-unreachable',
  'transcription-busy',
] as const satisfies readonly ErrorCode[]

const MAX_ATTEMPTS = 5
const MAX_WORDS = 400

/** Whether an attempt was the last one. A useless answer costs as much as a good one, so it gets fewer attempts. */
export const isLast = ({ code, blame }: TranscriptionFailure, attempts: number) =>
  blame === 'final' || (blame === 'file' && attempts >= (code === 'transcription-unusable' ? 3 : MAX_ATTEMPTS))

/** The pause after the `count`th failure in a row: 1, 2, 4 … minutes at most an hour, for a file 1, 5, 25, 125. */
export function pauseAfter({ blame, retryAfterMs }: TranscriptionFailure, count: number): number {
  const usual = blame === 'file' ? MINUTE * 5 ** (count - 1) : Math.min(MINUTE * 2 ** Math.min(count - 1, 10), HOUR)
  return Math.min(Math.max(retryAfterMs ?? usual, 1000), DAY)
}

const byStatus: Partial<Record<number, [code: ErrorCode, blame: Blame]>> = {
  401: ['transcription-key', 'server'],
  402: ['transcription-key', 'server'],
  403: ['transcription-key', 'server'],
  404: ['transcription-address', 'server'],
  405: ['transcription-address', 'server'],
  // The proxy asks for other credentials.
  407: ['transcription-unreachable', 'server'],
  408: ['transcription-timeout', 'file'],
  429: ['transcription-busy', 'server'],
  503: ['transcription-busy', 'server'],
}

/** A redirect is not followed: its target must be named in the configuration. */
function kindOf(status: number): readonly [code: ErrorCode, blame: Blame] {
  if (status < 400) return ['transcription-address', 'server']
  return byStatus[status] ?? (status < 500 ? ['transcription-refused', 'final'] : ['transcription-failed', 'file'])
}

/** Turns an answer other than success into a failure; `key` is never repeated, even if the server does. */
export function statusFailure({ status, headers, body }: Answer, key: string | null, now: number) {
  const [code, blame] = kindOf(status)
  const asked = code === 'transcription-busy' ? parseRetryAfter(headers.get('retry-after'), now) : null
  const words = wordsOf(body, key)
  return new TranscriptionFailure(code, blame, `The server answered ${status}${words && `: ${words}`}`, asked)
}

/**
 * The words of an error, bounded and on one line: `error.message` of OpenAI, `detail` of others, or the text itself.
 */
function wordsOf(body: Uint8Array, key: string | null): string {
  const text = new TextDecoder().decode(body.subarray(0, 64 * 1024))
  const found = /^\s*</.test(text) ? textOfPage(text) : (messageIn(text) ?? text)
  const safe = key === null ? found : found.replaceAll(key, '…')
  return (
    safe
      // oxlint-disable-next-line no-control-regex
      .replace(/[\0-\x20\x7f]+/g, ' ')
      .trim()
      .slice(0, MAX_WORDS)
      .toWellFormed()
  )
}

const textOfPage = (html: string) => /<title>([^<]{0,200})/i.exec(html)?.[1] ?? ''

function messageIn(text: string): string | null {
  try {
    const { error, detail, message } = JSON.parse(text) as Record<string, unknown>
    const inner = typeof error === 'object' ? (error as { message?: unknown } | null)?.message : error
    const found = [inner, detail, message].find(value => value !== undefined && value !== null)
    if (found === undefined) return null
    return typeof found === 'string' ? found : JSON.stringify(found)
  } catch {
    return null
  }
}

/** A failure that only this file causes, so that the others need not wait. */
export const ownFailure = ({ message, retryAfterMs }: TranscriptionFailure) =>
  new TranscriptionFailure('transcription-failed', 'file', message, retryAfterMs)

export const expectedTranscript = (reason: string) => `Expected a transcript, got ${reason}`

/** Turns an error of the network or the storage into a failure; anything else is a bug and stays as it is. */
export function asFailure(error: unknown): unknown {
  if (error instanceof StorageFailure) return new TranscriptionFailure('media-storage-absent', 'storage', error.message)
  if (error instanceof Problem) return new TranscriptionFailure(error.code, 'storage', error.message)
  if (error instanceof UploadStalled) return new TranscriptionFailure('transcription-timeout', 'file', error.message)
  if (error instanceof SourceFailed) return new TranscriptionFailure('media-storage-absent', 'storage', error.message)
  if (!(error instanceof OutboundError)) return error
  if (isOfProxy(error.code) || error.code === 'unreachable')
    return new TranscriptionFailure('transcription-unreachable', 'server', error.message)
  if (error.code === 'too-large')
    return new TranscriptionFailure('transcription-unusable', 'file', expectedTranscript('more than is accepted here'))
  const code = error.code === 'timeout' ? 'transcription-timeout' : 'transcription-failed'
  return new TranscriptionFailure(code, 'file', error.message)
}
