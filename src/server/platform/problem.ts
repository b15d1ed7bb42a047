import type { ErrorCode } from '../../shared/error-code'

/** A refusal with a code that the interface translates. Anything else that is thrown is a bug. */
export class Problem extends Error {
  override name = 'Problem'
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly args: Record<string, string> = {},
    /** Seconds after which it makes sense to try again. */
    readonly retryAfter?: number,
  ) {
    super(message)
  }
}

type Thing =
  | 'podcast'
  | 'episode'
  | 'download'
  | 'user'
  | 'invite'
  | 'playlist'
  | 'tag'
  | 'queue'
  | 'queue-item'
  | 'job'
  | 'move'
  | 'notification'
  | 'destination'
  | 'transcript'
  | 'transcription'
  | 'backup'
  | 'clip'

export const notFound = (what: Thing): Problem => new Problem(`${what}-not-found`, `There is no such ${what}`)

export const invalidField = (field: string, rule: string): Problem =>
  new Problem('invalid-field', `${field}: ${rule}`, { field, rule })

export const noSuchPath = () => new Problem('not-found', 'There is nothing at this address')

/** Passes on the row that a query found. Throws the `Problem` that says what was not found. */
export function required<T>(row: T | null | undefined, what: Thing): T {
  if (row === null || row === undefined) throw notFound(what)
  return row
}
