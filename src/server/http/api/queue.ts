import { t } from 'elysia'
import { Queue, QueueAddition, QueueOrder } from '../../../shared/api/queue'
import type { Context } from '../../context'
import type { UserRow } from '../../store/users'
import { writeInstant } from '../core/instants'
import type { Links } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode } from './episodes.present'
import { presentJoinedHistory } from './playback.present'

export function queue(routes: SignedInRoutes, { store, queue }: Context) {
  const present = (user: UserRow, links: Links): Queue => {
    const { version, updated_at } = store.queue.find(user.id)
    return {
      version,
      updatedAt: writeInstant(updated_at),
      items: store.queue.itemsFor(user).map(row => ({
        id: row.queue_uuid,
        addedAt: writeInstant(row.queued_at),
        podcastEpisode: presentEpisode(row, links),
        podcastHistoryItem: presentJoinedHistory(row),
      })),
    }
  }

  routes
    .get('/api/v1/queue', ({ user, links }) => present(user, links), { response: Queue })
    .put(
      '/api/v1/queue',
      ({ user, links, body }) => {
        queue.replace(user, body.items, body.version)
        return present(user, links)
      },
      { body: QueueOrder, response: Queue },
    )
    .delete(
      '/api/v1/queue',
      ({ user, set }) => {
        queue.clear(user.id)
        set.status = 204
      },
      { body: t.Any() },
    )
    .post(
      '/api/v1/queue/items',
      ({ user, links, body }) => {
        queue.add(user, body)
        return present(user, links)
      },
      { body: QueueAddition, response: Queue },
    )
    .delete(
      '/api/v1/queue/items/:id',
      ({ user, params, set }) => {
        queue.remove(user.id, params.id)
        set.status = 204
      },
      { body: t.Any() },
    )
}
