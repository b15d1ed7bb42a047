import type { Context } from '../../../context'
import { asObject, badRequest, readJsonBody, SyncRefusal, type SyncRequest } from './protocol'

/** Which devices share their subscriptions: all of them, always. */
export function groups({ store }: Context) {
  const names = ({ user }: SyncRequest) => store.sync.devices(user.id).map(({ name }) => name)
  const list = (request: SyncRequest) => {
    const all = names(request)
    return all.length > 1
      ? { synchronized: [all], 'not-synchronized': [] }
      : { synchronized: [], 'not-synchronized': all }
  }
  return {
    list,
    /** Asked for what is so already, or for what cannot be: devices that are there are checked, and nothing changes. */
    change(request: SyncRequest) {
      const given = asObject(readJsonBody(request.body))
      const groups = (given.synchronize ?? []) as unknown
      const stopped = (given['stop-synchronize'] ?? []) as unknown
      if (!Array.isArray(groups) || !Array.isArray(stopped)) throw badRequest('Lists of devices are expected')
      if (groups.some(group => !Array.isArray(group) || group.length < 2)) throw badRequest('A group has two devices')
      const known = new Set<unknown>(names(request))
      if ([...groups.flat(), ...stopped].some(name => !known.has(name))) throw new SyncRefusal(404, 'No such device')
      return list(request)
    },
  }
}
