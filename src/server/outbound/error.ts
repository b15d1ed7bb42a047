export type OutboundCode =
  | 'address-not-allowed'
  | 'unreachable'
  /** The host took the connection and ended it without an answer. */
  | 'closed'
  | 'too-many-redirects'
  | 'timeout'
  | 'too-large'
  /** The host answered with a status other than success. */
  | 'bad-status'

/** The number of redirects that a request follows. */
export const MAX_REDIRECTS = 10

const messages: Record<OutboundCode, string> = {
  'address-not-allowed': 'This address may not be reached from here',
  unreachable: 'The host could not be reached',
  closed: 'The host closed the connection without an answer',
  'too-many-redirects': `The host redirected more than ${MAX_REDIRECTS} times`,
  timeout: 'The host took too long to answer',
  'too-large': 'The host sent more than is accepted here',
  'bad-status': 'The host answered',
}

type Details = { status?: number; cause?: unknown }

/** A failed request, with a message for people. `status` is that of a `bad-status`. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly status: number | null

  constructor(
    readonly code: OutboundCode,
    readonly host: string,
    { status, cause }: Details = {},
  ) {
    super(status === undefined ? messages[code] : `${messages[code]} ${status}`, { cause })
    this.status = status ?? null
  }
}
