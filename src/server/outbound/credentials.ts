export type Credentials = { user: string; password: string }
/** `givenFor`: the address that they belong to; absent = the first one of a request. */
export type GivenCredentials = Credentials & { givenFor?: string }

/**
 * Whether a secret that was given for one address may be sent to another: within the origin, or from http to https on
 * the same host and port. The default ports count as the same one.
 */
export function mayCarry(from: string, to: string): boolean {
  const [one, other] = [URL.parse(from), URL.parse(to)]
  if (!one || !other) return false
  return one.origin === other.origin || (isSameHost(one, other) && isUpgrade(one, other))
}

const isSameHost = (one: URL, other: URL) => one.hostname === other.hostname && one.port === other.port
const isUpgrade = (from: URL, to: URL) => from.protocol === 'http:' && to.protocol === 'https:'

/** The https form of an http address if it is the host that a secret was given for; null otherwise. */
export function securedAddress(givenFor: string, address: string): string | null {
  const [from, url] = [URL.parse(givenFor), URL.parse(address)]
  if (!from || !url || !isSameHost(from, url) || !isUpgrade(url, from)) return null
  url.protocol = 'https:'
  return url.href
}

/** The value of an `Authorization` header, in UTF-8 (RFC 7617). */
export const basicAuthorization = ({ user, password }: Credentials) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Takes `user:password@` out of an address. */
export function splitCredentials(address: string): { address: string; credentials: Credentials | null } {
  const url = URL.parse(address)
  if (!url || (url.username === '' && url.password === '')) return { address, credentials: null }
  const credentials = { user: decoded(url.username), password: decoded(url.password) }
  url.username = ''
  url.password = ''
  return { address: url.href, credentials }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
