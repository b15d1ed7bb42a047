import { t } from 'elysia'
import { FeedKey, Locale, User, UserChange, UserEdit, UserSummary } from '../../../shared/api/user'
import { isSameName } from '../../accounts/users'
import type { Context } from '../../context'
import { notFound, Problem } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import { presentUser, presentUserSummary } from './users.present'
import type { SignedInRoutes } from '../core/signed-in'

export function users(routes: SignedInRoutes, app: Context) {
  const { store } = app
  const present = (user: UserRow) =>
    presentUser(user, app.config.isOpen ? null : app.feedKeys.of(user), app.users.podcastsLeft(user))

  routes
    .get('/api/v1/users', () => store.users.list().map(presentUserSummary), {
      role: 'admin',
      response: t.Array(UserSummary),
    })
    .get('/api/v1/users/me', ({ user }) => present(user), { response: User })
    .put(
      '/api/v1/users/me/locale',
      ({ user, body }) => {
        const { country = user.country, language = user.language } = body
        store.users.setLocale(user.id, country || null, language || null)
        return present(store.users.find(user.id)!)
      },
      { body: Locale, response: User },
    )
    .delete('/api/v1/users/me/apiKey', ({ user, set }) => {
      app.users.dropApiKey(user)
      set.status = 204
    })
    .post(
      '/api/v1/users/me/feedKey',
      ({ user }) => {
        const renewed = app.users.renewFeedKey(user)
        app.publish({ type: 'feedKeyRenewed', userId: renewed.id })
        return { feedKey: app.feedKeys.of(renewed) }
      },
      { response: FeedKey },
    )
    .get(
      '/api/v1/users/:username',
      ({ user, params }) => {
        const name = nameIn(params.username)
        if (isSameName(name, user.username)) return present(user)
        // To others than admins, other people do not exist.
        if (user.role !== 'admin') throw notFound('user')
        return presentUserSummary(app.users.requireUser(name))
      },
      { response: t.Union([User, UserSummary]) },
    )
    .put(
      '/api/v1/users/:username',
      async ({ user, params, body }) => {
        if (!isSameName(nameIn(params.username), user.username)) throw notFound('user')
        const edited = await app.users.edit(user, body)
        return { ...present(edited), apiKey: body.apiKey?.toLowerCase() || null }
      },
      { body: UserEdit, response: User },
    )
    .put(
      '/api/v1/users/:username/role',
      ({ params, body }) => presentUserSummary(app.users.change(nameIn(params.username), body)),
      { role: 'admin', body: UserChange, response: UserSummary },
    )
    .delete(
      '/api/v1/users/:username',
      ({ params, set }) => {
        app.users.remove(nameIn(params.username))
        set.status = 204
      },
      { role: 'admin', body: t.Any() },
    )
}

/** Names hold whatever people write; a path that decodes to nothing readable names nobody. */
function nameIn(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    throw new Problem('user-not-found', 'There is no such user')
  }
}
