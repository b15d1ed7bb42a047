export type Credentials = { user: string; password: string }

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
