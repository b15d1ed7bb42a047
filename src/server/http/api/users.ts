import { t } from 'elysia'
import { SkipLengths } from '../../../shared/api/player'
import { FeedKey, Locale, NewName, User, UserChange, UserEdit, UserSummary } from '../../../shared/api/user'
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
        const found = users.findAddressed(params.username)
        if (found?.id === user.id) return present(app, user)
        // Callers who are not admins must not learn which accounts exist.
        if (!found || user.role !== 'admin') throw notFound('user')
        return presentUserSummary(found)
      },
      { response: t.Union([User, UserSummary]) },
    )
    .put(
      '/api/v1/users/:username',
      async ({ user, params, body, by, request, links, set }) => {
        if (users.findAddressed(params.username)?.id !== user.id) throw notFound('user')
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
      ({ params, body }) => presentUserSummary(users.change(users.requireAddressed(params.username), body)),
      { role: 'admin', body: UserChange, response: UserSummary },
    )
    .put(
      '/api/v1/users/:username/username',
      ({ params, body }) => presentUserSummary(users.rename(users.requireAddressed(params.username), body.username)),
      { role: 'admin', body: NewName, response: UserSummary },
    )
    .delete(
      '/api/v1/users/:username',
      ({ params, set }) => {
        users.remove(users.requireAddressed(params.username))
        set.status = 204
      },
      { role: 'admin' },
    )
}
