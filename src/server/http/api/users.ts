import { t } from 'elysia'
import {
  EverythingSize,
  FeedKey,
  Invite,
  Locale,
  NewInvite,
  NewName,
  SignUp,
  SkipLengths,
  User,
  UserChange,
  UserEdit,
  UserSummary,
} from '../../../shared/api/user'
import { isConfigured } from '../../accounts/configured'
import { mayAssist } from '../../accounts/sign-in/apps'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import { streamOf } from '../../platform/stream-of'
import { playerChoiceOf, type UserRow } from '../../store/users'
import { readCookie, sessionCookie } from '../core/visitor'
import { inert } from '../core/answers'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import { Flag, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import type { InviteRow } from '../../store/passkeys'
import { jsonBody } from '../core/body'
import { addressOf, type IncomingRequest, peerOf } from '../core/links'
import type { OpenRoutes } from '../core/open-routes'

/** The caller's own account, and all accounts for admins. */
export function users(routes: SignedInRoutes, app: Context) {
  routes.get('/api/v1/users', () => app.store.users.list().map(presentUserSummary), {
    role: 'admin',
    response: t.Array(UserSummary),
  })
  ownAccount(routes, app)
  namedAccounts(routes, app)
}

function ownAccount(routes: SignedInRoutes, app: Context) {
  const { store } = app
  routes
    .get('/api/v1/users/me', ({ user }) => presentUser(app, user), { response: User })
    .put(
      '/api/v1/users/me/locale',
      ({ user, body }) => {
        const { country = user.country, language = user.language } = body
        store.users.setLocale(user.id, country || null, language || null)
        return presentUser(app, store.users.find(user.id)!)
      },
      { body: Locale, response: User },
    )
    .get('/api/v1/users/me/skipLengths', ({ user }) => playerChoiceOf(user), { response: SkipLengths })
    .put(
      '/api/v1/users/me/skipLengths',
      ({ user, body }) => {
        store.users.setSkipLengths(user.id, body)
        return playerChoiceOf(store.users.find(user.id)!)
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
        if (found?.id === user.id) return presentUser(app, user)
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
        return { ...presentUser(app, edited), apiKey: body.apiKey?.toLowerCase() || null }
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

/** An account as admins see it. */
export const presentUserSummary = (row: UserRow): UserSummary => ({
  id: row.uuid,
  username: row.username,
  role: row.role,
  explicitConsent: row.explicit_consent === 1,
  createdAt: writeInstant(row.created_at),
  secondFactor: row.second_factor === 1,
})

/** An account as its owner sees it; the API key itself is never shown again. */
export const presentUser = ({ config, feedKeys, users, proofs }: Context, row: UserRow): User => ({
  ...presentUserSummary(row),
  apiKey: null,
  apiKeySet: row.api_key_hash !== null,
  apiKeyForAssistants: config.assistantApiKeys === false ? null : mayAssist(row, config),
  feedKey: config.isOpen ? null : feedKeys.of(row),
  readOnly: isConfigured(config, row, 'name'),
  hasPassword: proofs.hasPassword(row),
  podcastsLeft: users.podcastsLeft(row),
  admin: users.adminOf(row),
  country: row.country,
  language: row.language,
})

/** Exports everything of the caller. A browser saves the archive while it is written. */
export const everything = (routes: SignedInRoutes, { movingOut }: Context) =>
  routes
    .get('/api/v1/users/me/everything', ({ user }) => movingOut.sizeFor(user), { response: EverythingSize })
    .get(
      '/api/v1/users/me/everything.zip',
      ({ user, query, request, server }) => {
        const withFiles = readFlag('files', query.files)
        // Sending gigabytes may take any time.
        server?.timeout(request, 0)
        return new Response(streamOf(movingOut.archiveFor(user, { withFiles, withPasswords: false })), {
          headers: {
            ...inert,
            'Content-Type': 'application/zip',
            'Content-Disposition': `attachment; filename="${movingOut.fileName()}"`,
            'Cache-Control': 'no-store',
          },
        })
      },
      { query: t.Object({ files: Flag }) },
    )

/** Reading and accepting an invitation, by people who have no account yet. */
export function invitation(routes: OpenRoutes, app: Context) {
  const { invites } = app
  routes
    .get(
      '/api/v1/invites/:id',
      async ({ params, request, server }) => {
        await requireKnown(app, params.id, { request, server })
        return presentInvite(invites.requireUsable(params.id))
      },
      { response: Invite },
    )
    .post(
      '/api/v1/users',
      async ({ body, request, server }) => {
        await requireKnown(app, body.inviteId, { request, server })
        return presentUserSummary(await invites.accept(body))
      },
      { parse: jsonBody(app), body: SignUp, response: UserSummary },
    )
}

/** Throws `invite-not-found`. The id is a secret, so guessing is slowed down as it is for passwords. */
async function requireKnown(
  { config, throttle, store }: Context,
  id: string,
  { request, server }: IncomingRequest,
): Promise<void> {
  const address = addressOf(request, peerOf(request, server), config)
  const known = store.invites.find(id) ?? (await throttle.recordFailure({ way: 'invite', name: '' }, address))
  if (!known) throw notFound('invite')
}

/** Making and withdrawing invitations, for admins. */
export function invites(routes: SignedInRoutes, { store, invites }: Context) {
  routes
    .get(
      '/api/v1/invites',
      () => {
        const names = new Map(store.users.list().map(({ id, username }) => [id, username]))
        return store.invites.list().map(row => presentInvite(row, names.get(row.accepted_by ?? 0)))
      },
      { role: 'admin', response: t.Array(Invite) },
    )
    .post(
      '/api/v1/invites',
      ({ body }) => presentInvite(invites.create(body?.role ?? 'user', body?.explicitConsent ?? false)),
      {
        role: 'admin',
        body: NewInvite,
        response: Invite,
      },
    )
    .get(
      '/api/v1/invites/:id/link',
      ({ links, params }) =>
        new Response(`${links.base}ui/invite/${store.invites.require(params.id).id}`, {
          headers: { 'Content-Type': 'text/plain; charset=utf-8' },
        }),
      { role: 'admin' },
    )
    .delete(
      '/api/v1/invites/:id',
      ({ params, set }) => {
        invites.remove(params.id)
        set.status = 204
      },
      { role: 'admin' },
    )
}

const presentInvite = (row: InviteRow, acceptedBy: string | null = null): Invite => ({
  id: row.id,
  role: row.role,
  explicitConsent: row.explicit_consent === 1,
  createdAt: writeInstant(row.created_at),
  expiresAt: writeInstant(row.expires_at),
  acceptedAt: writeInstantOrNull(row.accepted_at),
  acceptedBy,
})
