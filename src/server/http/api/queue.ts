import { t } from 'elysia'
import {
  Continuing,
  CountedQueue,
  Following,
  type KeptQueue,
  NewQueue,
  Queue,
  QueueAddition,
  QueueChange,
  QueueName,
  QueueOrder,
} from '../../../shared/api/queue'
import type { Context } from '../../context'
import type { SavedQueueRow } from '../../store/queue'
import type { UserRow } from '../../store/users'
import { writeInstant } from '../core/instants'
import type { Links } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode, presentEpisodeWithHistory, presentJoinedHistory } from './episodes.present'

const presentKept = ({ uuid, name, saved_at }: SavedQueueRow): KeptQueue => ({
  id: uuid,
  name,
  savedAt: writeInstant(saved_at),
})

/** The queue in use, and the others of its user. */
export function queue(routes: SignedInRoutes, context: Context) {
  const present = presenter(context)
  currentQueue(routes, context, present)
  otherQueues(routes, context, present)
}

type Present = (user: UserRow, links: Links) => Queue

const presenter =
  ({ store }: Context): Present =>
  (user, links) => {
    const { version, updated_at, name, continue_with } = store.queue.find(user.id)
    return {
      version,
      updatedAt: writeInstant(updated_at),
      name,
      continueWith: continue_with,
      others: store.savedQueues.listFor(user.id).map(presentKept),
      items: store.queue.itemsFor(user).map(row => ({
        id: row.queue_uuid,
        addedAt: writeInstant(row.queued_at),
        automatic: row.automatic === 1,
        podcastEpisode: presentEpisode(row, links),
        podcastHistoryItem: presentJoinedHistory(row),
      })),
    }
  }

function currentQueue(routes: SignedInRoutes, { store, queue, savedQueues, following }: Context, present: Present) {
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
    .delete('/api/v1/queue', ({ user, set }) => {
      queue.clear(user.id)
      set.status = 204
    })
    .post(
      '/api/v1/queue/items',
      ({ user, links, body }) => {
        queue.add(user, body)
        return present(user, links)
      },
      { body: QueueAddition, response: Queue },
    )
    .delete('/api/v1/queue/items/:id', ({ user, params, set }) => {
      queue.remove(user.id, params.id)
      set.status = 204
    })
    .get(
      '/api/v1/podcasts/episodes/:id/following',
      ({ user, links, params }) => {
        const found = following(user, store.episodes.require(user, params.id))
        return { episode: found && presentEpisodeWithHistory(found, links) }
      },
      { response: Following },
    )
    .put(
      '/api/v1/queue/continue',
      ({ user, links, body }) => {
        queue.continueWith(user.id, body.continueWith)
        return present(user, links)
      },
      { body: Continuing, response: Queue },
    )
    .put(
      '/api/v1/queue/name',
      ({ user, links, body }) => {
        savedQueues.name(user, body.name)
        return present(user, links)
      },
      { body: QueueName, response: Queue },
    )
}

function otherQueues(routes: SignedInRoutes, { store, savedQueues }: Context, present: Present) {
  routes
    .get(
      '/api/v1/queues',
      ({ user }) => store.savedQueues.countedFor(user).map(row => ({ ...presentKept(row), episodes: row.episodes })),
      { response: t.Array(CountedQueue) },
    )
    .post(
      '/api/v1/queues',
      ({ user, links, body: { name, ...known } }) => {
        savedQueues.begin(user, name, known)
        return present(user, links)
      },
      { body: NewQueue, response: Queue },
    )
    .put(
      '/api/v1/queues/:id',
      ({ user, links, params, body }) => {
        savedQueues.rename(user, params.id, body.name)
        return present(user, links)
      },
      { body: QueueName, response: Queue },
    )
    .post(
      '/api/v1/queues/:id/use',
      ({ user, links, params, body }) => {
        savedQueues.use(user, params.id, body)
        return present(user, links)
      },
      { body: QueueChange, response: Queue },
    )
    .delete('/api/v1/queues/:id', ({ user, params, set }) => {
      savedQueues.remove(user, params.id)
      set.status = 204
    })
    .post(
      '/api/v1/queues/:id/restore',
      ({ user, links, params }) => {
        savedQueues.restore(user, params.id)
        return present(user, links)
      },
      { response: Queue },
    )
}
