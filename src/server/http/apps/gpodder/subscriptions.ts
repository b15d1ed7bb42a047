import type { Context } from '../../../context'
import { readAddresses, writePodcasts } from './formats'
import { createPodcastEntries } from './podcast-entries'
import { asObject, asTexts, badRequest, emptyAnswer, readJsonBody, readSince, type SyncRequest } from './protocol'

/** Subscriptions, as whole lists in several formats and as what changed. */
export function subscriptions(app: Context) {
  const { sync } = app
  const entriesOf = createPodcastEntries(app)

  return {
    /** What changed since. A device that was never seen is one from now on: some apps never register theirs. */
    changes({ user, parts, query }: SyncRequest) {
      const since = readSince(query)
      if (since === null) throw badRequest('since is missing')
      const answer = sync.subscriptions.since(user, since)
      sync.noteDevice(user, parts.device!, true)
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

    /** The whole list of a device, or of all of them, which is the same. */
    list(request: SyncRequest) {
      const { user, parts } = request
      const entries = entriesOf(request, sync.subscriptions.list(user))
      const answer = writePodcasts(parts.format!, entries, () => entries.map(({ url }) => url), app.now())
      sync.noteDevice(user, parts.device!, true)
      return answer
    },
    all(request: SyncRequest) {
      const entries = entriesOf(request, sync.subscriptions.list(request.user))
      return writePodcasts(request.parts.format!, entries, () => entries, app.now())
    },

    /** All of it or nothing: a list that is read in part would unsubscribe everybody from the rest. */
    replace({ user, parts, body, base }: SyncRequest) {
      const urls = readAddresses(parts.format!, body)
      sync.noteDevice(user, parts.device!)
      sync.subscriptions.replace(user, { device: parts.device!, base }, urls)
      return emptyAnswer()
    },
  }
}
