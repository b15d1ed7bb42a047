import type { Context } from '../../../context'
import { readSyncBody } from './body'
import { badRequest, SyncRefusal } from './protocol'

const MAX_TOKEN = 1000
/** Small, because strangers may send it. */
const MAX_TOKEN_BYTES = 4096

/**
 * Nextcloud's login flow v2: the app opens our page in a browser, where the user signs in and grants access. Until then
 * the app asks every second for its password.
 */
export function loginFlow({ appPasswords }: Context) {
  return {
    /** Begins a flow; `base` is the server's address with a trailing slash. */
    begin(request: Request, base: string) {
      const { token, id } = appPasswords.begin(request.headers.get('user-agent') ?? '')
      return {
        poll: { token, endpoint: `${base}index.php/login/v2/poll` },
        login: `${base}ui/grant/${id}`,
      }
    },
    async poll(request: Request, base: string) {
      const granted = appPasswords.claim(readToken(await readSyncBody(request, MAX_TOKEN_BYTES)))
      if (!granted) throw new SyncRefusal(404, 'Access has not been granted yet')
      return { server: base.replace(/\/$/, ''), loginName: granted.username, appPassword: granted.password }
    },
  }
}

/** Reads the token from a form or from JSON. */
function readToken(body: string): string {
  if (body.length > MAX_TOKEN) throw badRequest(`The body is too large, the limit is ${MAX_TOKEN} characters`)
  if (!body.trimStart().startsWith('{')) return new URLSearchParams(body.trim()).get('token') ?? ''
  try {
    const { token } = JSON.parse(body) as { token?: unknown }
    return typeof token === 'string' ? token : ''
  } catch {
    throw badRequest('The body is not valid JSON')
  }
}
