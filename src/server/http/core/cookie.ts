import { SESSION_DAYS } from '../../accounts/sign-in/session'

const NAME = 'castellan'

/** The value of our cookie in a request. */
export function readCookie(request: Request): string | null {
  const header = request.headers.get('cookie')
  if (!header?.includes(NAME)) return null
  for (const part of header.split(';')) {
    const [name, value] = part.trim().split('=', 2)
    if (name === NAME && value) return value
  }
  return null
}

/** Valid below the server's own path; `remember` outlives the browser's session. An empty token takes the cookie away. */
export function sessionCookie(base: string, token: string, remember: boolean): string {
  const { pathname, protocol } = new URL(base)
  const lasts = token === '' ? '; Max-Age=0' : remember ? `; Max-Age=${SESSION_DAYS * 86_400}` : ''
  return `${NAME}=${token}; HttpOnly; SameSite=Strict; Path=${pathname}${protocol === 'https:' ? '; Secure' : ''}${lasts}`
}
