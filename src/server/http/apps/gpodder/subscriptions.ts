import type { Context } from '../../../context'
import { readAddresses, writePodcasts } from './formats'
import { createPodcastEntries } from './podcast-entries'
import { asObject, asTexts, badRequest, emptyAnswer, readJsonBody, readSince, type SyncRequest } from './protocol'

/** Subscriptions: whole lists in several formats, and changes since a second. */
export function subscriptions(app: Context) {
  const { store, sync } = app
  const entriesOf = createPodcastEntries(app)

  return {
    /** Lists changes. An unknown device is registered by asking: some apps never register theirs. */
    changes({ user, parts, query }: SyncRequest) {
      const since = readSince(query)
      if (since === null) throw badRequest('since is missing')
      const answer = sync.subscriptions.since(user, since)
      // Reading does not wait for another process that writes.
      if (store.isWritable()) sync.noteDevice(user, parts.device!, true)
      return answer
    },

    change({ user, parts, body, base }: SyncRequest) {
      const { add: toAdd, remove: toRemove } = asObject(readJsonBody(body))
      const add = asTexts(toAdd, 'add')
      const remove = asTexts(toRemove, 'remove')
      if (add.some(url => remove.includes(url))) throw badRequest('An address cannot be added and removed at once')
      sync.noteDevice(user, parts.device!)
      const { at, rewritten } = sync.subscriptions.change(user, { device: parts.device!, base }, { add, remove })
      return { timestamp: at, update_urls: rewritten }
    },

    /** Writes the whole list for a device. All devices have the same one. */
    list(request: SyncRequest) {
      const { user, parts } = request
      const entries = entriesOf(request, sync.subscriptions.list(user))
      const answer = writePodcasts(parts.format!, entries, () => entries.map(({ url }) => url), app.now())
      // Reading does not wait for another process that writes.
      if (store.isWritable()) sync.noteDevice(user, parts.device!, true)
      return answer
    },
    all(request: SyncRequest) {
      const entries = entriesOf(request, sync.subscriptions.list(request.user))
      return writePodcasts(request.parts.format!, entries, () => entries, app.now())
    },

    /** Replaces the list as a whole, or not at all: half a list would unsubscribe from the other half. */
    replace({ user, parts, body, base }: SyncRequest) {
      const urls = readAddresses(parts.format!, body)
      sync.noteDevice(user, parts.device!)
      sync.subscriptions.replace(user, { device: parts.device!, base }, urls)
      return emptyAnswer()
    },
  }
}
