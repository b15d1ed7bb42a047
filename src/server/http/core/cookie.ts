import { SESSION_DAYS } from '../../accounts/sign-in/session'

const NAME = 'castellan'

/** The session token in a request's cookie; null if there is none. */
export function readCookie(request: Request): string | null {
  const header = request.headers.get('cookie')
  if (!header?.includes(NAME)) return null
  for (const part of header.split(';')) {
    const [name, value] = part.trim().split('=', 2)
    if (name === NAME && value) return value
  }
  return null
}

/**
 * A `Set-Cookie` for the session, valid below the server's own path. With `remember` it survives the end of the
 * browser; an empty token deletes the cookie.
 */
export function sessionCookie(base: string, token: string, remember: boolean): string {
  const { pathname, protocol } = new URL(base)
  const age = token === '' ? '; Max-Age=0' : remember ? `; Max-Age=${SESSION_DAYS * 86_400}` : ''
  return `${NAME}=${token}; HttpOnly; SameSite=Strict; Path=${pathname}${protocol === 'https:' ? '; Secure' : ''}${age}`
}
