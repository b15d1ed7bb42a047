import type { Context } from '../../context'
import type { UserRow } from '../../store/users'
import { readAddresses, writePodcasts } from './formats'
import { createPodcastEntries } from './podcast-entries'
import {
  asObject,
  asTexts,
  badRequest,
  emptyAnswer,
  readJsonBody,
  readSince,
  SyncRefusal,
  type SyncRequest,
} from './protocol'

/** Subscriptions, as whole lists in several formats and as what changed. */
export function subscriptions(app: Context) {
  const { store, sync } = app
  const entriesOf = createPodcastEntries(app)
  /** From here on the device knows what it was told. */
  const noteSync = (user: UserRow, device: string, at: number) => store.sync.noteSync(user.id, device, at)

  return {
    /** What changed since. A device that is not there yet is none. */
    changes({ user, parts, query }: SyncRequest) {
      const since = readSince(query)
      if (since === null) throw badRequest('since is missing')
      if (!store.sync.findDevice(user.id, parts.device!)) throw new SyncRefusal(404, 'No such device')
      const answer = sync.subscriptions.since(user, since)
      noteSync(user, parts.device!, answer.timestamp)
      return answer
    },

    change({ user, parts, body }: SyncRequest) {
      const { add: toAdd, remove: toRemove } = asObject(readJsonBody(body))
      const add = asTexts(toAdd, 'add')
      const remove = asTexts(toRemove, 'remove')
      if (add.some(url => remove.includes(url))) throw badRequest('An address cannot be added and removed at once')
      sync.saveDevice(user, parts.device!, {})
      const { at, rewritten } = sync.subscriptions.change(user, parts.device!, { add, remove })
      return { timestamp: at, update_urls: rewritten }
    },

    /** The whole list of a device, or of all of them, which is the same. */
    list(request: SyncRequest) {
      const { user, parts } = request
      const entries = entriesOf(request, sync.subscriptions.list(user))
      const answer = writePodcasts(parts.format!, entries, () => entries.map(({ url }) => url), app.now())
      noteSync(user, parts.device!, sync.clock())
      return answer
    },
    all(request: SyncRequest) {
      const entries = entriesOf(request, sync.subscriptions.list(request.user))
      return writePodcasts(request.parts.format!, entries, () => entries, app.now())
    },

    replace({ user, parts, body }: SyncRequest) {
      const urls = readAddresses(parts.format!, body)
      sync.saveDevice(user, parts.device!, {})
      sync.subscriptions.replace(user, parts.device!, urls)
      return emptyAnswer()
    },
  }
}
