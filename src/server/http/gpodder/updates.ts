import { SECOND } from '../../clock'
import type { Context } from '../../context'
import { addressKey } from '../../sync/addresses'
import { presentAction } from './episodes'
import { createPodcastEntries } from './podcast-entries'
import { presentEpisode } from './present'
import { badRequest, readSince, SyncRefusal, type SyncRequest } from './protocol'

const MOST_EPISODES = 500

/** All that is new for a device in one answer: subscriptions, and the newest episodes of the podcasts that the library has. */
export function updates(app: Context) {
  const { store, sync } = app
  const entriesOf = createPodcastEntries(app)
  return (request: SyncRequest) => {
    const { user, parts, query, base } = request
    const since = readSince(query)
    if (since === null) throw badRequest('since is missing')
    if (!store.sync.findDevice(user.id, parts.device!)) throw new SyncRefusal(404, 'No such device')
    const { add, remove, timestamp } = sync.subscriptions.since(user, since)
    const subscribed = new Set(sync.subscriptions.list(user).map(addressKey))
    const podcasts = store.sync.podcasts(user).filter(({ feed_url }) => subscribed.has(addressKey(feed_url)))
    const ids = podcasts.map(({ id }) => id)
    const episodes = store.sync.newest(user, ids, since * SECOND, MOST_EPISODES)
    const keys = episodes.map(({ enclosure_url }) => addressKey(enclosure_url))
    const inOrder = store.sync.actionsOf(user.id, keys).sort((a, b) => a.at - b.at || a.id - b.id)
    const last = new Map(inOrder.map(action => [action.media_key, action]))
    const withActions = query.get('include_actions') === 'true'
    return {
      add: entriesOf(request, add),
      // The documentation says one, clients know the other.
      remove,
      rem: remove,
      updates: episodes.map(episode => {
        const action = last.get(addressKey(episode.enclosure_url))
        return {
          ...presentEpisode(episode, base),
          status: action && action.action !== 'flattr' ? action.action : 'new',
          ...(withActions && action && { action: presentAction(action) }),
        }
      }),
      timestamp,
    }
  }
}
