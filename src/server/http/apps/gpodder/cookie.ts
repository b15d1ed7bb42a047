import { SYNC_DAYS } from '../../../accounts/sign-in/session'

const NAME = 'sessionid'

/** The name that podcast apps know from elsewhere. */
export const readSyncCookie = (request: Request): string | null =>
  new RegExp(`(?:^|;\\s*)${NAME}=([^;]+)`).exec(request.headers.get('cookie') ?? '')?.[1] ?? null

/** Not `Secure` on plain http, where apps would lose it. An empty token takes the cookie away. */
export function syncCookie(base: string, token: string): string {
  const { pathname, protocol } = new URL(base)
  const age = token === '' ? 0 : SYNC_DAYS * 86_400
  return `${NAME}=${token}; HttpOnly; SameSite=Lax; Path=${pathname}; Max-Age=${age}${protocol === 'https:' ? '; Secure' : ''}`
}
