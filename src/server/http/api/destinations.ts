import { t } from 'elysia'
import {
  Destination,
  DestinationEdit,
  DestinationRequest,
  DestinationTest,
  NewDestination,
  type NewsType,
  PushKey,
} from '../../../shared/api/destination'
import type { Context } from '../../context'
import type { SignedInRoutes } from '../core/signed-in'
import { writeMinute } from '../../notify/quiet'
import type { ListedDestination } from '../../store/destinations'
import { writeInstantOrNull } from '../core/instants'

/** Destinations of the caller's news. */
export function destinations(routes: SignedInRoutes, { destinations }: Context) {
  routes
    .get('/api/v1/destinations', ({ user }) => destinations.list(user).map(presentDestination), {
      response: t.Array(Destination),
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
})
