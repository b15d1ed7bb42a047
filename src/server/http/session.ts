import { Login, SessionStart, User } from '../../shared/api/user'
import type { Context } from '../context'
import { Problem } from '../problem'
import { readCookie, sessionCookie } from './cookie'
import type { OpenRoutes } from './open-routes'
import { presentUser } from './present'
import { addressOf, peerOf, serverUrlOf } from './server-url'
import type { SignedInRoutes } from './signed-in'

/** Signing in with a name and a password. */
export function signInRoutes(routes: OpenRoutes, { config, signIn, sessions, feedKeys }: Context) {
  routes.post(
    '/api/v1/login',
    async ({ body, request, server, set }) => {
      if (config.password === null)
        throw new Problem('basic-auth-off', 'Sign-in by password is not enabled on this server')
      const peer = peerOf(request, server)
      const user = await signIn.byPassword(body.username, body.password, addressOf(request, peer, config))
      endSession(request, sessions)
      const base = serverUrlOf(request, peer, config)
      set.headers['set-cookie'] = sessionCookie(base, sessions.start(user), body.remember ?? false)
      return presentUser(user, feedKeys.of(user))
    },
    { body: Login, response: User },
  )
}

/** The cookie for media, covers and the socket, in every mode. */
export function session(routes: SignedInRoutes, { config, sessions }: Context) {
  routes
    .post(
      '/api/v1/session',
      ({ user, links, body, request, set }) => {
        set.status = 204
        if (config.isOpen) return
        endSession(request, sessions)
        set.headers['set-cookie'] = sessionCookie(links.base, sessions.start(user), body?.remember ?? false)
      },
      { body: SessionStart },
    )
    .delete('/api/v1/session', ({ links, request, set }) => {
      set.status = 204
      endSession(request, sessions)
      set.headers['set-cookie'] = sessionCookie(links.base, '', false)
    })
}

/** The session that came along is over: a sign-in never goes on under an old token. */
function endSession(request: Request, sessions: Context['sessions']) {
  const token = readCookie(request)
  if (token !== null) sessions.end(token)
}
