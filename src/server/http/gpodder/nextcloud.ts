import type { Context } from '../../context'
import type { ActionRow } from '../../store/sync'
import { NAMELESS } from '../../sync/clock'
import { presentTime } from './present'
import { asObject, asTexts, badRequest, readJsonBody, readSince, type SyncRequest } from './protocol'

/** The same store in the words of Nextcloud's gpoddersync app: no devices, actions in capitals, -1 for what is not known. */
export const nextcloud = ({ sync }: Context) => ({
  subscriptions: ({ user, query }: SyncRequest) => sync.subscriptions.since(user, readSince(query) ?? 0),

  change({ user, body }: SyncRequest) {
    const { add, remove } = asObject(readJsonBody(body))
    const { at } = sync.subscriptions.change(user, NAMELESS, {
      add: asTexts(add, 'add'),
      remove: asTexts(remove, 'remove'),
    })
    return { timestamp: at }
  },

  /**
   * Plays alone, the last of each episode: a download that was deleted says nothing of where somebody was. What was marked as not
   * played is a play at its beginning, for apps that know no other word.
   */
  actions({ user, query }: SyncRequest) {
    const { rows, timestamp } = sync.actions.since(user, {
      since: readSince(query) ?? 0,
      isOfPlaces: true,
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
        actions.map(action => ({ ...action, device: NAMELESS })),
      ),
    }
  },
})

function present({ feed_url, media_url, guid, action, at, started, position, total }: ActionRow) {
  return {
    podcast: feed_url,
    episode: media_url,
    guid: guid ?? '',
    action: 'PLAY',
    timestamp: presentTime(at),
    started: action === 'new' ? 0 : (started ?? -1),
    position: action === 'new' ? 0 : (position ?? -1),
    total: total ?? -1,
  }
}
