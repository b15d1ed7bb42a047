import { SYNC_DAYS } from '../../../accounts/sign-in/session'

const NAME = 'sessionid'

/** The session token in an app's cookie; null if there is none. The cookie has the name that gpodder.net gives it. */
export const readSyncCookie = (request: Request): string | null =>
  new RegExp(`(?:^|;\\s*)${NAME}=([^;]+)`).exec(request.headers.get('cookie') ?? '')?.[1] ?? null

/** A `Set-Cookie` for an app's session, `Secure` only over https. An empty token deletes the cookie. */
export function syncCookie(base: string, token: string): string {
  const { pathname, protocol } = new URL(base)
  const age = token === '' ? 0 : SYNC_DAYS * 86_400
  return `${NAME}=${token}; HttpOnly; SameSite=Lax; Path=${pathname}; Max-Age=${age}${protocol === 'https:' ? '; Secure' : ''}`
}
