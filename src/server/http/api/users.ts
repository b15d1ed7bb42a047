import { t } from 'elysia'
import { SkipLengths } from '../../../shared/api/player'
import { FeedKey, Locale, User, UserChange, UserEdit, UserSummary } from '../../../shared/api/user'
import { isSameName } from '../../accounts/names'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { readCookie, sessionCookie } from '../core/cookie'
import type { SignedInRoutes } from '../core/signed-in'
import { presentSkipLengths, presentUser, presentUserSummary } from './users.present'

/** The caller's own account, and all accounts for admins. */
export function users(routes: SignedInRoutes, app: Context) {
  routes.get('/api/v1/users', () => app.store.users.list().map(presentUserSummary), {
    role: 'admin',
    response: t.Array(UserSummary),
  })
  ownAccount(routes, app)
  namedAccounts(routes, app)
}

const present = (app: Context, user: UserRow): User =>
  presentUser(user, {
    feedKey: app.config.isOpen ? null : app.feedKeys.of(user),
    podcastsLeft: app.users.podcastsLeft(user),
    hasPassword: app.proofs.hasPassword(user),
  })

function ownAccount(routes: SignedInRoutes, app: Context) {
  const { store } = app
  routes
    .get('/api/v1/users/me', ({ user }) => present(app, user), { response: User })
    .put(
      '/api/v1/users/me/locale',
      ({ user, body }) => {
        const { country = user.country, language = user.language } = body
        store.users.setLocale(user.id, country || null, language || null)
        return present(app, store.users.find(user.id)!)
      },
      { body: Locale, response: User },
    )
    .get('/api/v1/users/me/skipLengths', ({ user }) => presentSkipLengths(user), { response: SkipLengths })
    .put(
      '/api/v1/users/me/skipLengths',
      ({ user, body }) => {
        store.users.setSkipLengths(user.id, body.back, body.forward)
        return body
      },
      { body: SkipLengths, response: SkipLengths },
    )
    .delete('/api/v1/users/me/apiKey', ({ user, set }) => {
      app.users.dropApiKey(user)
      set.status = 204
    })
    .post('/api/v1/users/me/feedKey', ({ user }) => ({ feedKey: app.feedKeys.of(app.users.renewFeedKey(user)) }), {
      response: FeedKey,
    })
}

function namedAccounts(routes: SignedInRoutes, app: Context) {
  const { users } = app
  routes
    .get(
      '/api/v1/users/:username',
      ({ user, params }) => {
        const name = nameIn(params.username)
        if (isSameName(name, user.username)) return present(app, user)
        // Callers who are not admins must not learn which accounts exist.
        if (user.role !== 'admin') throw notFound('user')
        return presentUserSummary(users.requireUser(name))
      },
      { response: t.Union([User, UserSummary]) },
    )
    .put(
      '/api/v1/users/:username',
      async ({ user, params, body, by, request, links, set }) => {
        if (!isSameName(nameIn(params.username), user.username)) throw notFound('user')
        const token = by === 'session' ? readCookie(request) : null
        const owner = token === null ? null : app.sessions.ownerOf(token)
        const edited = await users.edit(user, body)
        if (owner && owner.epoch !== edited.epoch)
          set.headers['set-cookie'] = sessionCookie(links.base, app.sessions.outlive(owner), owner.remembered === 1)
        return { ...present(app, edited), apiKey: body.apiKey?.toLowerCase() || null }
      },
      { body: UserEdit, response: User },
    )
    .put(
      '/api/v1/users/:username/role',
      ({ params, body }) => presentUserSummary(users.change(nameIn(params.username), body)),
      { role: 'admin', body: UserChange, response: UserSummary },
    )
    .delete(
      '/api/v1/users/:username',
      ({ params, set }) => {
        users.remove(nameIn(params.username))
        set.status = 204
      },
      { role: 'admin', body: t.Any() },
    )
}

/** Decodes the name in a path. Names may hold any character; a segment that is not valid UTF-8 names nobody. */
function nameIn(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    throw notFound('user')
  }
}
