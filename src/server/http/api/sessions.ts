import { t } from 'elysia'
import { Session, type SessionWay } from '../../../shared/api/sign-in'
import { Login, SessionStart, User } from '../../../shared/api/user'
import { bearerKey } from '../../accounts/sign-in/keys'
import type { WayIn } from '../../accounts/sign-in/credentials'
import type { Context } from '../../context'
import { surroundingsOf } from '../../outbound/address'
import { Problem } from '../../platform/problem'
import type { AppSessionRow } from '../../store/app-sessions'
import type { SessionRow } from '../../store/sessions'
import { jsonBody } from '../core/body'
import { readCookie, sessionCookie } from '../core/cookie'
import { writeInstant } from '../core/instants'
import type { OpenRoutes } from '../core/open-routes'
import { addressOf, peerOf, serverUrlOf } from '../core/server-url'
import type { SignedInRoutes } from '../core/signed-in'
import { visitorOf } from '../core/visitor'
import { presentUser } from './users'

/** Signs in with a name and a password. */
export function signInRoutes(routes: OpenRoutes, app: Context) {
  const { config, signIn, sessions, feedKeys, users } = app
  routes.post(
    '/api/v1/login',
    async ({ body, request, server, set }) => {
      if (config.password === null) throw new Problem('basic-auth-off', 'Signing in with a password is turned off')
      const peer = peerOf(request, server)
      const remembered = body.remember ?? false
      const address = addressOf(request, peer, config)
      const user = await signIn.byPassword(body.username, body.password, body.code ?? null, address)
      const token = sessions.start(user, readCookie(request), {
        apiKey: null,
        way: 'password',
        // With a second factor a password alone opens nothing: the browser keeps none, and the cookie takes its place.
        carriesApi: user.second_factor === 1,
        remembered,
        keepsPassword: user.second_factor === 0,
        visitor: visitorOf(request, peer, config),
      })
      set.headers['set-cookie'] = sessionCookie(serverUrlOf(request, peer, config), token, remembered)
      return presentUser(user, {
        feedKey: feedKeys.of(user),
        podcastsLeft: users.podcastsLeft(user),
        hasPassword: true,
      })
    },
    { parse: jsonBody(app), body: Login, response: User },
  )
}

/** The way of a session by what began it; a feed key and a session begin none. */
const wayOf: Partial<Record<WayIn, SessionWay>> = {
  password: 'password',
  token: 'single-sign-on',
  proxy: 'proxy',
  'api-key': 'key',
}

/** Begins, prolongs and ends the session of a browser; open mode needs none. */
export function session(routes: SignedInRoutes, { config, sessions }: Context) {
  routes
    .post(
      '/api/v1/session',
      ({ user, links, by, body, request, server, set }) => {
        set.status = 204
        if (config.isOpen) return
        const old = readCookie(request)
        const visitor = visitorOf(request, peerOf(request, server), config)
        const remembered = body?.remember ?? false
        const owner = old === null ? null : sessions.ownerOf(old)
        const isSame = owner?.id === user.id && owner.keeps_password === 1 && owner.remembered === Number(remembered)
        if (owner && (by === 'session' || (by === 'password' && isSame))) {
          // Other tabs may be using the token at this moment: it stays.
          set.headers['set-cookie'] = sessionCookie(links.base, old!, sessions.prolong(owner, visitor.address))
          return
        }
        const token = sessions.start(user, old, {
          apiKey: by === 'api-key' ? bearerKey(request.headers.get('authorization')) : null,
          way: (by && wayOf[by]) ?? 'password',
          carriesApi: false,
          remembered,
          keepsPassword: by === 'password',
          visitor,
        })
        set.headers['set-cookie'] = sessionCookie(links.base, token, remembered)
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

/** Everything that is signed in as the caller: listed, ended one by one, or all but the caller's own. */
export function sessionList(routes: SignedInRoutes, { sessionList: list }: Context) {
  routes
    .get(
      '/api/v1/users/me/sessions',
      ({ user, ownSessionId }) => {
        const { sessions, apps } = list.of(user.id)
        return [...sessions.map(row => presentSession(row, ownSessionId)), ...apps.map(presentApp)].toSorted(
          (one, other) => other.lastSeenAt.localeCompare(one.lastSeenAt),
        )
      },
      { response: t.Array(Session) },
    )
    .delete('/api/v1/users/me/sessions', ({ user, ownSessionId, set }) => {
      list.endOthers(user.id, ownSessionId)
      set.status = 204
    })
    .delete('/api/v1/users/me/sessions/:id', ({ user, params, set }) => {
      list.end(user.id, params.id)
      set.status = 204
    })
}

const presentSession = (row: SessionRow, ownId: number | null): Session => ({
  id: row.uuid,
  kind: row.kind,
  device: row.device,
  place: row.address,
  way: row.way,
  createdAt: writeInstant(row.created_at),
  lastSeenAt: writeInstant(row.seen_at),
  isCurrent: row.id === ownId,
  keepsPassword: row.keeps_password === 1,
})

const presentApp = (row: AppSessionRow): Session => ({
  id: row.uuid,
  kind: 'app',
  device: row.name,
  place: surroundingsOf(row.last_address),
  way: null,
  createdAt: writeInstant(row.created_at),
  lastSeenAt: writeInstant(row.last_used_at),
  isCurrent: false,
  keepsPassword: false,
})
