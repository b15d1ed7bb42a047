import { t } from 'elysia'
import {
  Destination,
  DestinationEdit,
  DestinationKind,
  DestinationRequest,
  DestinationTest,
  Dismissal,
  NewDestination,
  type NewsType,
  Notification,
  PushKey,
} from '../../../shared/api/notification'
import type { Context } from '../../context'
import { kinds } from '../../notify/kinds'
import type { Kind } from '../../notify/kinds/kind'
import { writeMinute } from '../../notify/quiet'
import { notFound } from '../../platform/problem'
import type { ListedDestination } from '../../store/destinations'
import type { NotificationRow } from '../../store/notifications'
import { writeInstant, writeInstantOrNull } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

const MAX_SHOWN = 500

export function notifications(routes: SignedInRoutes, { store }: Context) {
  routes
    .get(
      '/api/v1/notifications/unread',
      ({ user }) => store.notifications.unread(user, MAX_SHOWN).map(presentNotification),
      { response: t.Array(Notification) },
    )
    .put(
      '/api/v1/notifications/dismiss',
      ({ user, body, set }) => {
        if (!store.notifications.dismiss(user.id, body.id)) throw notFound('notification')
        set.status = 204
      },
      { body: Dismissal },
    )
}

export const presentNotification = (row: NotificationRow): Notification => ({
  id: row.uuid,
  typeOfMessage: row.type,
  message: row.message,
  createdAt: writeInstant(row.created_at),
  status: row.dismissed ? 'dismissed' : 'unread',
  podcastId: row.podcast_uuid,
  episodeId: row.episode_uuid,
  episodeCount: row.episode_count,
})

/** Destinations of the caller's news. */
export function destinations(routes: SignedInRoutes, { destinations }: Context) {
  routes
    .get('/api/v1/destinations', ({ user }) => destinations.list(user).map(presentDestination), {
      response: t.Array(Destination),
    })
    .get('/api/v1/destinations/kinds', () => Object.entries(kinds).map(presentKind), {
      response: t.Array(DestinationKind),
    })
    .get('/api/v1/destinations/pushKey', () => ({ key: destinations.pushKey() }), { response: PushKey })
    .post(
      '/api/v1/destinations',
      async ({ user, body, links }) => {
        const { row, signingSecret } = await destinations.create(user, body, links.base)
        return { ...presentDestination(row), secret: signingSecret }
      },
      { body: DestinationRequest, response: NewDestination },
    )
    .put(
      '/api/v1/destinations/:id',
      async ({ user, params, body, links }) =>
        presentDestination(await destinations.edit(user, params.id, body, links.base)),
      { body: DestinationEdit, response: Destination },
    )
    .delete('/api/v1/destinations/:id', ({ user, params, set }) => {
      destinations.remove(user, params.id)
      set.status = 204
    })
    .post(
      '/api/v1/destinations/:id/restore',
      ({ user, params }) => presentDestination(destinations.restore(user, params.id)),
      { response: Destination },
    )
    .post(
      '/api/v1/destinations/:id/test',
      async ({ user, params }) => {
        const result = await destinations.test(user, params.id)
        return { failure: result?.failure ?? null, status: result?.status ?? null }
      },
      { response: DestinationTest },
    )
}

const presentKind = ([kind, { label, icon, address, token }]: [string, Kind]): DestinationKind => ({
  kind,
  label,
  icon: [...icon],
  fields: [
    ...(address === null ? [] : [{ name: 'address' as const, isRequired: true }]),
    ...(token === 'none' ? [] : [{ name: 'token' as const, isRequired: token === 'required' }]),
  ],
})

/** A destination without the secrets of its row. */
const presentDestination = (row: ListedDestination): Destination => ({
  id: row.uuid,
  kind: row.kind,
  name: row.name,
  host: row.host,
  hasToken: row.has_token === 1,
  events: JSON.parse(row.events) as NewsType[],
  isOn: row.is_on === 1,
  quietHours:
    row.quiet_from === null || row.quiet_to === null
      ? null
      : { from: writeMinute(row.quiet_from), to: writeMinute(row.quiet_to) },
  timeZone: row.time_zone,
  lastSuccessAt: writeInstantOrNull(row.last_success_at),
  lastFailureAt: writeInstantOrNull(row.last_failure_at),
  lastFailure: row.last_failure,
  lastStatus: row.last_status,
  hasEnded: row.has_ended === 1,
  waiting: row.waiting,
  nextAt: writeInstantOrNull(row.due_at),
})
