import type { Context } from '../../context'
import type { ActionRow } from '../../store/sync'
import { presentTime } from './present'
import { asObject, asTexts, badRequest, readJsonBody, readSince, type SyncRequest } from './protocol'

const DEVICE = 'nextcloud'

/** The same store in the words of Nextcloud's gpoddersync app: no devices, actions in capitals, -1 for what is not known. */
export const nextcloud = ({ sync }: Context) => ({
  subscriptions: ({ user, query }: SyncRequest) => sync.subscriptions.since(user, readSince(query) ?? 0),

  change({ user, body }: SyncRequest) {
    const { add, remove } = asObject(readJsonBody(body))
    const { at } = sync.subscriptions.change(user, DEVICE, {
      add: asTexts(add, 'add'),
      remove: asTexts(remove, 'remove'),
    })
    return { timestamp: at }
  },

  /** Plays alone, the last of each episode: a download that was deleted says nothing of where somebody was. */
  actions({ user, query }: SyncRequest) {
    const { rows, timestamp } = sync.actions.since(user, {
      since: readSince(query) ?? 0,
      kind: 'play',
      isAggregated: true,
    })
    return { actions: rows.map(present), timestamp }
  },

  upload({ user, body }: SyncRequest) {
    const given = readJsonBody(body)
    if (!Array.isArray(given)) throw badRequest('A list is expected')
    const actions = given.filter(action => typeof action === 'object' && action !== null)
    return {
      timestamp: sync.actions.upload(
        user,
        actions.map(action => ({ ...action, device: DEVICE })),
      ),
    }
  },
})

function present({ feed_url, media_url, guid, action, at, started, position, total }: ActionRow) {
  return {
    podcast: feed_url,
    episode: media_url,
    guid: guid ?? '',
    action: action.toUpperCase(),
    timestamp: presentTime(at),
    started: started ?? -1,
    position: position ?? -1,
    total: total ?? -1,
  }
}
