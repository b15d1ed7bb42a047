export type OutboundCode =
  | 'address-not-allowed'
  | 'unreachable'
  /** The host accepted the connection and ended it without an answer. */
  | 'closed'
  | 'too-many-redirects'
  | 'timeout'
  | 'too-large'
  /** The host answered with a status other than success. */
  | 'bad-status'
  /** The proxy was not there, or ended the connection. */
  | 'proxy-away'
  /** The proxy wants other credentials, or does not let this request through. */
  | 'proxy-refused'
  /** No answer arrived through the proxy in time. */
  | 'proxy-silent'
  /** The proxy works, but could not reach the host. */
  | 'proxy-missed'

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
  'proxy-away': 'The proxy cannot be reached, or closed the connection. Check the address of the proxy.',
  'proxy-refused': 'The proxy refused the request. Check its rules, and the credentials in its address. It answered',
  'proxy-silent': 'The proxy returned no answer in time',
  'proxy-missed': 'The proxy could not reach the host and answered',
}

/** Whether the proxy failed, and not the host behind it. */
export const isOfProxy = (code: OutboundCode) => proxyCodes.has(code)
const proxyCodes: ReadonlySet<OutboundCode> = new Set(['proxy-away', 'proxy-refused', 'proxy-silent'])

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
