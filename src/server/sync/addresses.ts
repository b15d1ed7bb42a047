/**
 * Normalises an address that an app sends: trimmed, scheme and host in lower case. Null for one that is no feed's or
 * file's.
 */
export function readAddress(given: string): string | null {
  const text = given.trim()
  if (text.length < 8 || text.length > 4096) return null
  const withScheme = /^[a-z][a-z0-9+.-]*:/i.test(text)
    ? text.replace(/^(feed|itpc|itms):(\/\/)?(?=https?:)/i, '').replace(/^(feed|itpc|itms):(\/\/)?/i, 'http://')
    : `http://${text}`
  const url = URL.parse(withScheme)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || !url.hostname) return null
  // Only parts that mean the same in every spelling are normalised: a private feed's token stays as it is.
  return withScheme
    .replace(/^[a-z]+:\/\/[^/?#]*/i, origin =>
      origin.replace(
        /^([a-z]+:\/\/)([^@]*@)?(.*)$/i,
        (_, scheme: string, user = '', host: string) => scheme.toLowerCase() + user + host.toLowerCase(),
      ),
    )
    .replace(/^(https?:\/\/[^/?#]+)$/, '$1/')
}

/**
 * Key of an address, the same for every spelling: ignores scheme, default port, trailing slash, percent-encoding,
 * credentials.
 */
export function addressKey(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  const path = url.pathname.replace(/\/$/, '')
  return `${url.hostname}${url.port && url.port !== '80' && url.port !== '443' ? `:${url.port}` : ''}${decoded(path)}${decoded(url.search)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
