import type { Context } from '../../../context'
import type { SentAction } from '../../../sync/spelling'
import { presentTime } from './present'
import { asObject, asTexts, badRequest, readJsonBody, readSince, type SyncRequest } from './protocol'

/** Sync in the dialect of Nextcloud's gpoddersync: no devices, actions in capitals, -1 for unknown numbers. */
export const nextcloud = ({ sync }: Context) => ({
  subscriptions({ user, query, shown }: SyncRequest) {
    const phone = sync.phones.find(user, shown)
    return sync.phones.answer(phone, 'subscriptions', readSince(query) ?? 0, since =>
      sync.subscriptions.since(user, since),
    )
  },

  change({ user, body, base, shown }: SyncRequest) {
    const { add, remove } = asObject(readJsonBody(body))
    const device = sync.phones.find(user, shown).name
    sync.noteDevice(user, device)
    const changes = { add: asTexts(add, 'add'), remove: asTexts(remove, 'remove') }
    return { timestamp: sync.subscriptions.change(user, { device, base }, changes).at }
  },

  /**
   * Lists the last play of each episode: other actions, such as a deleted download, have no position. An episode that
   * was marked as unplayed is a play at position 0, because these apps know no other action.
   */
  actions({ user, query, shown }: SyncRequest) {
    const phone = sync.phones.find(user, shown)
    return sync.phones.answer(phone, 'actions', readSince(query) ?? 0, since => {
      const { actions, timestamp } = sync.actions.since(user, { since, isOfPlaces: true, isAggregated: true })
      return { actions: actions.map(present), timestamp }
    })
  },

  upload({ user, body, shown }: SyncRequest) {
    const given = readJsonBody(body)
    if (!Array.isArray(given)) throw badRequest('Expected a list')
    const actions = given.filter(action => typeof action === 'object' && action !== null)
    const device = sync.phones.find(user, shown).name
    sync.noteDevice(user, device)
    return {
      timestamp: sync.actions.upload(
        user,
        actions.map(action => ({ ...action, device })),
      ),
    }
  },
})

function present({ podcast, episode, guid, action, at, started, position, total }: SentAction) {
  return {
    podcast,
    episode,
    guid: guid ?? '',
    action: 'PLAY',
    timestamp: presentTime(at),
    started: action === 'new' ? 0 : (started ?? -1),
    position: action === 'new' ? 0 : (position ?? -1),
    total: total ?? -1,
  }
}
