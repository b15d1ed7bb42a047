import type { Context } from '../../../context'
import type { SentAction } from '../../../sync/spelling'
import { presentEpisode, presentTime } from './present'
import { badRequest, readJsonBody, readSince, type SyncRequest } from './protocol'

/** Episode actions, in the format of API 2. */
export const episodes = ({ store, sync }: Context) => ({
  upload({ user, body }: SyncRequest) {
    const given = readJsonBody(body)
    if (!Array.isArray(given)) throw badRequest('Expected a list')
    const actions = given.filter(action => typeof action === 'object' && action !== null)
    if (actions.some(({ device }) => device !== undefined && device !== null && !isDeviceId(device)))
      throw badRequest('Invalid device id')
    return { timestamp: sync.actions.upload(user, actions), update_urls: [] }
  },

  favourites: ({ user, base }: SyncRequest) => store.sync.liked(user).map(episode => presentEpisode(episode, base)),

  list({ user, query }: SyncRequest) {
    const device = query.get('device')
    // All devices form one group, so an action on any of them concerns the one that asks.
    if (device !== null && !isDeviceId(device)) throw badRequest('Invalid device id')
    const { actions, timestamp } = sync.actions.since(user, {
      since: readSince(query) ?? 0,
      podcast: query.get('podcast'),
      isAggregated: query.get('aggregated') === 'true',
    })
    if (device !== null && store.isWritable()) sync.noteDevice(user, device)
    return { actions: actions.map(presentAction), timestamp }
  },
})

const isDeviceId = (given: unknown) => typeof given === 'string' && /^(?!\.{1,2}$)[\w.-]{1,64}$/.test(given)

/** An action in the format of API 2. Only plays have positions: clients stumble over others. */
export function presentAction({ podcast, episode, guid, action, device, at, started, position, total }: SentAction) {
  return {
    podcast,
    episode,
    ...(guid !== null && { guid }),
    action,
    device,
    timestamp: presentTime(at),
    ...(action === 'play' &&
      position !== null && { started: started ?? 0, position, ...(total !== null && { total }) }),
  }
}
