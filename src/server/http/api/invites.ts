import { t } from 'elysia'
import { Invite, NewInvite, SignUp, UserSummary } from '../../../shared/api/user'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import type { InviteRow } from '../../store/passkeys'
import { jsonBody } from '../core/body'
import { addressOf, type IncomingRequest, peerOf } from '../core/server-url'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import type { OpenRoutes } from '../core/open-routes'
import type { SignedInRoutes } from '../core/signed-in'
import { presentUserSummary } from './users'

/** Reading and accepting an invitation, by people who have no account yet. */
export function invitation(routes: OpenRoutes, app: Context) {
  const { invites } = app
  routes
    .get(
      '/api/v1/invites/:id',
      async ({ params, request, server }) => {
        await requireKnown(app, params.id, { request, server })
        return present(invites.requireUsable(params.id))
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
        return store.invites.list().map(row => present(row, names.get(row.accepted_by ?? 0)))
      },
      { role: 'admin', response: t.Array(Invite) },
    )
    .post(
      '/api/v1/invites',
      ({ body }) => present(invites.create(body?.role ?? 'user', body?.explicitConsent ?? false)),
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

const present = (row: InviteRow, acceptedBy: string | null = null): Invite => ({
  id: row.id,
  role: row.role,
  explicitConsent: row.explicit_consent === 1,
  createdAt: writeInstant(row.created_at),
  expiresAt: writeInstant(row.expires_at),
  acceptedAt: writeInstantOrNull(row.accepted_at),
  acceptedBy,
})
