import { SECOND } from '../../../platform/clock'
import type { Context } from '../../../context'
import { presentAction } from './episodes'
import { createPodcastEntries } from './podcast-entries'
import { presentEpisode } from './present'
import { badRequest, readSince, type SyncRequest } from './protocol'

const MOST_EPISODES = 500

/** All news for a device in one response: changed subscriptions, and the newest episodes of podcasts in the library. */
export function updates(app: Context) {
  const { store, sync } = app
  const entriesOf = createPodcastEntries(app)
  return (request: SyncRequest) => {
    const { user, parts, query, base } = request
    const since = readSince(query)
    if (since === null) throw badRequest('since is missing')
    const { add, remove, timestamp } = sync.subscriptions.since(user, since)
    if (store.isWritable()) sync.noteDevice(user, parts.device!)
    const find = sync.addresses.finder()
    const subscribed = new Set(sync.subscriptions.list(user).map(url => find(url)?.podcastId))
    const podcasts = store.sync.podcasts(user).filter(({ id }) => subscribed.has(id))
    const ids = podcasts.map(({ id }) => id)
    const episodes = store.sync.newest(user, ids, since * SECOND, MOST_EPISODES)
    const episodeIds = episodes.map(episode => episode.id)
    const { actions } = sync.actions.since(user, { since: 0, episodeIds, isAggregated: true })
    const last = new Map(actions.map(action => [action.episodeId, action]))
    const withActions = query.get('include_actions') === 'true'
    return {
      add: entriesOf(request, add),
      // Documentation and clients disagree about the name.
      remove,
      rem: remove,
      updates: episodes.map(episode => {
        const action = last.get(episode.id)
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
