import type { Login } from '../../src/shared/api/user'
import { createApi } from '../../src/ui/api'
import { createAdministrationApi } from '../../src/ui/api/administration'
import { createClient } from '../../src/ui/api/client'
import type { TestApp } from './app'

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
export const pixel =
  'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36'

type Place = { userAgent?: string; address?: string }

/**
 * A browser that holds nothing but its cookie, and says what browsers say about a request. A sign-in by password makes
 * the cookie carry the calls, as it does for accounts with a second factor.
 */
export function cookieBrowser(app: TestApp, { userAgent = firefox, address = '203.0.113.7' }: Place = {}) {
  let cookie = ''
  async function send(request: Request): Promise<Response> {
    request.headers.set('User-Agent', userAgent)
    request.headers.set('X-Forwarded-For', address)
    if (cookie) request.headers.set('Cookie', cookie)
    if (request.method !== 'GET') request.headers.set('Origin', 'http://localhost')
    const response = await app.app.handle(request)
    const set = response.headers.get('set-cookie')
    if (set) cookie = set.split(';')[0]!
    return response
  }
  const client = createClient(app.context.config.prefix, { fetch: send })
  const api = createApi(client)
  return {
    cookie: () => cookie,
    /** The headers of a request that the test makes by itself. */
    headers: () => ({ Cookie: cookie, 'User-Agent': userAgent, 'X-Forwarded-For': address }),
    send: (path: string, init?: RequestInit) => send(new Request(`http://localhost${path}`, init)),
    ...api,
    ...createAdministrationApi(client),
    session: {
      ...api.session,
      async login(login: Login) {
        const me = await api.session.login(login)
        const { sessions } = app.context
        sessions.forgetPassword(sessions.ownerOf(cookie.split('=')[1]!)!, true)
        return me
      },
    },
  }
}
