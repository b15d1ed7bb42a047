import type { Context } from '../../../context'
import { readSyncBody } from './body'
import { badRequest, SyncRefusal } from './protocol'

const MAX_TOKEN = 1000
/** Of a stranger. */
const MAX_TOKEN_BYTES = 4096

/**
 * Nextcloud's login flow v2: the app opens our page in a browser, where its user signs in as he likes and says yes, and asks until
 * then, every second, for what it was given.
 */
export function loginFlow({ appPasswords }: Context) {
  return {
    /** `base`: where people find us, with a slash at the end. */
    begin(request: Request, base: string) {
      const { token, id } = appPasswords.begin(request.headers.get('user-agent') ?? '')
      return {
        poll: { token, endpoint: `${base}index.php/login/v2/poll` },
        login: `${base}ui/grant/${id}`,
      }
    },
    async poll(request: Request, base: string) {
      const granted = appPasswords.claim(readToken(await readSyncBody(request, MAX_TOKEN_BYTES)))
      if (!granted) throw new SyncRefusal(404, 'Not yet')
      return { server: base.replace(/\/$/, ''), loginName: granted.username, appPassword: granted.password }
    },
  }
}

/** As a form, or as JSON. */
function readToken(body: string): string {
  if (body.length > MAX_TOKEN) throw badRequest('The body is too large')
  if (!body.trimStart().startsWith('{')) return new URLSearchParams(body.trim()).get('token') ?? ''
  try {
    const { token } = JSON.parse(body) as { token?: unknown }
    return typeof token === 'string' ? token : ''
  } catch {
    throw badRequest('The body is no readable JSON')
  }
}
