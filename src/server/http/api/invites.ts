import { t } from 'elysia'
import { Invite, NewInvite } from '../../../shared/api/invite'
import { SignUp, UserSummary } from '../../../shared/api/user'
import type { Context } from '../../context'
import { notFound } from '../../platform/problem'
import { jsonBody } from '../core/body'
import type { InviteRow } from '../../store/invites'
import type { OpenRoutes } from '../core/open-routes'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import { presentUserSummary } from './users.present'
import { addressOf, peerOf } from '../core/server-url'
import type { SignedInRoutes } from '../core/signed-in'

type Asked = { request: Request; server: Parameters<typeof peerOf>[1] }

/** What somebody with an invitation may ask before there is an account. */
export function invitation(routes: OpenRoutes, context: Context) {
  const { config, invites, throttle, store } = context
  const from = ({ request, server }: Asked) => addressOf(request, peerOf(request, server), config)
  /** Ids are secrets: guessing them is slowed down like guessing passwords. */
  async function requireKnown(id: string, address: string) {
    const known = store.invites.find(id) ?? (await throttle.guess('invite', address, () => null))
    if (!known) throw notFound('invite')
  }

  routes
    .get(
      '/api/v1/invites/:id',
      async ({ params, request, server }) => {
        await requireKnown(params.id, from({ request, server }))
        return presentInvite(invites.requireUsable(params.id))
      },
      { response: Invite },
    )
    .post(
      '/api/v1/users',
      async ({ body, request, server }) => {
        await requireKnown(body.inviteId, from({ request, server }))
        return presentUserSummary(await invites.accept(body))
      },
      { parse: jsonBody(context), body: SignUp, response: UserSummary },
    )
}

export function invites(routes: SignedInRoutes, { store, invites }: Context) {
  const require = (id: string) => {
    const invite = store.invites.find(id)
    if (!invite) throw notFound('invite')
    return invite
  }

  routes
    .get('/api/v1/invites', () => store.invites.list().map(presentInvite), { role: 'admin', response: t.Array(Invite) })
    .post(
      '/api/v1/invites',
      ({ body }) => presentInvite(invites.create(body?.role ?? 'user', body?.explicitConsent ?? false)),
      { role: 'admin', body: NewInvite, response: Invite },
    )
    .get(
      '/api/v1/invites/:id/link',
      ({ links, params }) =>
        new Response(`${links.base}ui/invite/${require(params.id).id}`, {
          headers: { 'Content-Type': 'text/plain; charset=utf-8' },
        }),
      { role: 'admin' },
    )
    .delete(
      '/api/v1/invites/:id',
      ({ params, set }) => {
        store.invites.remove(require(params.id).id)
        set.status = 204
      },
      { role: 'admin', body: t.Any() },
    )
}

const presentInvite = (row: InviteRow): Invite => ({
  id: row.id,
  role: row.role,
  explicitConsent: row.explicit_consent === 1,
  createdAt: writeInstant(row.created_at),
  expiresAt: writeInstant(row.expires_at),
  acceptedAt: writeInstantOrNull(row.accepted_at),
})
