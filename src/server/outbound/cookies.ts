type Cookie = { name: string; value: string; domain: string; isHostOnly: boolean; path: string; isSecure: boolean }

const MOST_COOKIES = 50
const MOST_CHARACTERS = 4096
/** Dates before it take a cookie back, if an answer is not dated. */
const LONG_AGO = Date.UTC(2000, 0)

/**
 * Keeps the cookies of one chain of redirects (RFC 6265) and forgets them with it. Each is returned to the host, path
 * and scheme that it was set for. At most 50 of 4,096 characters.
 */
export function createCookieJar() {
  let cookies: Cookie[] = []
  return {
    /** Keeps what an answer from `url` sets. */
    keep(url: URL, headers: Headers) {
      const answeredAt = Date.parse(headers.get('date') ?? '') || LONG_AGO
      for (const text of headers.getSetCookie()) {
        const found = text.length > MOST_CHARACTERS ? null : parseCookie(text, url, answeredAt)
        if (!found) continue
        const { cookie, isOver } = found
        cookies = cookies.filter(other => !isSame(cookie, other))
        if (!isOver && cookies.length < MOST_COOKIES) cookies.push(cookie)
      }
    },
    /** The `Cookie` header for `url`; '' = none. */
    headerFor: (url: URL) =>
      cookies
        .filter(cookie => isFor(cookie, url))
        .map(({ name, value }) => `${name}=${value}`)
        .join('; '),
  }
}

const isSame = (one: Cookie, other: Cookie) =>
  one.name === other.name && one.domain === other.domain && one.path === other.path

const isWithinDomain = (hostname: string, domain: string) => hostname === domain || hostname.endsWith(`.${domain}`)

function isFor({ domain, isHostOnly, path, isSecure }: Cookie, { hostname, pathname, protocol }: URL): boolean {
  if (isHostOnly ? hostname !== domain : !isWithinDomain(hostname, domain)) return false
  if (isSecure && protocol !== 'https:') return false
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

/** `isOver`: the cookie takes back one that was set before. Null for what is not a cookie, or one for another host. */
function parseCookie(text: string, url: URL, now: number): { cookie: Cookie; isOver: boolean } | null {
  const [pair = '', ...rest] = text.split(';')
  const at = pair.indexOf('=')
  const name = pair.slice(0, at).trim()
  const value = pair.slice(at + 1).trim()
  if (at < 1 || name === '' || !/^[\x20-\x7e]*$/.test(name + value)) return null
  const attributes = new Map(rest.map(part => splitAttribute(part)))
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? ''
  // A top-level name would reach every host below it.
  if (domain !== '' && domain !== url.hostname && !(domain.includes('.') && url.hostname.endsWith(`.${domain}`)))
    return null
  const path = attributes.get('path') ?? ''
  const cookie = {
    name,
    value,
    domain: domain || url.hostname,
    isHostOnly: domain === '',
    path: path.startsWith('/') ? path : url.pathname.slice(0, Math.max(url.pathname.lastIndexOf('/'), 1)),
    isSecure: attributes.has('secure'),
  }
  return { cookie, isOver: isOver(now, attributes.get('max-age'), attributes.get('expires')) }
}

function splitAttribute(part: string): [string, string] {
  const [name = '', ...value] = part.split('=')
  return [name.trim().toLowerCase(), value.join('=').trim()]
}

const isOver = (now: number, maxAge = '', expires = '') =>
  /^-?\d+$/.test(maxAge) ? Number(maxAge) <= 0 : Date.parse(expires) < now
