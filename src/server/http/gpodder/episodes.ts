import type { Context } from '../../context'
import { addressKey } from '../../sync/addresses'
import type { ActionRow } from '../../store/sync'
import { presentEpisode, presentTime } from './present'
import { badRequest, readJsonBody, readSince, SyncRefusal, type SyncRequest } from './protocol'

/** Episode actions in the words of API 2. */
export const episodes = ({ store, sync }: Context) => ({
  upload({ user, body }: SyncRequest) {
    const given = readJsonBody(body)
    if (!Array.isArray(given)) throw badRequest('A list is expected')
    const actions = given.filter(action => typeof action === 'object' && action !== null)
    if (actions.some(({ device }) => device !== undefined && device !== null && !isDeviceId(device)))
      throw badRequest('Invalid device')
    return { timestamp: sync.actions.upload(user, actions), update_urls: [] }
  },

  favourites: ({ user, base }: SyncRequest) => store.sync.liked(user).map(episode => presentEpisode(episode, base)),

  list({ user, query }: SyncRequest) {
    const device = query.get('device')
    const podcast = query.get('podcast')
    // All devices are one group: what was heard on any of them concerns the one that asks.
    if (device !== null && !store.sync.findDevice(user.id, device)) throw new SyncRefusal(404, 'No such device')
    const { rows, timestamp } = sync.actions.since(user, {
      since: readSince(query) ?? 0,
      feedKey: podcast === null ? null : addressKey(podcast),
      isAggregated: query.get('aggregated') === 'true',
    })
    return { actions: rows.map(presentAction), timestamp }
  },
})

export const isDeviceId = (given: unknown) => typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)

/** Numbers of plays alone: clients stumble over others. */
export function presentAction({ feed_url, media_url, guid, action, device, at, started, position, total }: ActionRow) {
  return {
    podcast: feed_url,
    episode: media_url,
    ...(guid !== null && { guid }),
    action,
    device,
    timestamp: presentTime(at),
    ...(action === 'play' &&
      position !== null && { started: started ?? 0, position, ...(total !== null && { total }) }),
  }
}
