import { Login, SessionStart, User } from '../../../shared/api/user'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import { jsonBody } from '../core/body'
import { readCookie, sessionCookie } from '../core/cookie'
import type { OpenRoutes } from '../core/open-routes'
import { addressOf, peerOf, serverUrlOf } from '../core/server-url'
import type { SignedInRoutes } from '../core/signed-in'
import { presentUser } from './users.present'

/** Signs in with a name and a password. */
export function signInRoutes(routes: OpenRoutes, app: Context) {
  const { config, signIn, sessions, feedKeys, users } = app
  routes.post(
    '/api/v1/login',
    async ({ body, request, server, set }) => {
      if (config.password === null) throw new Problem('basic-auth-off', 'Signing in with a password is turned off')
      const peer = peerOf(request, server)
      const user = await signIn.byPassword(body.username, body.password, addressOf(request, peer, config))
      const token = sessions.start(user, readCookie(request))
      set.headers['set-cookie'] = sessionCookie(serverUrlOf(request, peer, config), token, body.remember ?? false)
      return presentUser(user, feedKeys.of(user), users.podcastsLeft(user))
    },
    { parse: jsonBody(app), body: Login, response: User },
  )
}

/** Begins and ends the cookie for media, covers and the socket; open mode needs none. */
export function session(routes: SignedInRoutes, { config, sessions }: Context) {
  routes
    .post(
      '/api/v1/session',
      ({ user, links, body, request, set }) => {
        set.status = 204
        if (config.isOpen) return
        const token = sessions.start(user, readCookie(request))
        set.headers['set-cookie'] = sessionCookie(links.base, token, body?.remember ?? false)
      },
      { body: SessionStart },
    )
    .delete('/api/v1/session', ({ links, request, set }) => {
      set.status = 204
      const token = readCookie(request)
      if (token !== null) sessions.end(token)
      set.headers['set-cookie'] = sessionCookie(links.base, '', false)
    })
}
