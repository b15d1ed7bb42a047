import type { Context } from '../../../context'
import { asObject, badRequest, readJsonBody, SyncRefusal, type SyncRequest } from './protocol'

/** The groups of devices that share subscriptions. Here all devices always share them. */
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
    /** Checks a wish for other groups, and changes nothing: all devices stay in one group. */
    change(request: SyncRequest) {
      const given = asObject(readJsonBody(request.body))
      const groups = (given.synchronize ?? []) as unknown
      const stopped = (given['stop-synchronize'] ?? []) as unknown
      if (!Array.isArray(groups) || !Array.isArray(stopped)) throw badRequest('Expected lists of devices')
      if (groups.some(group => !Array.isArray(group) || group.length < 2))
        throw badRequest('A group needs at least two devices')
      const known = new Set<unknown>(names(request))
      if ([...groups.flat(), ...stopped].some(name => !known.has(name))) throw new SyncRefusal(404, 'Device not found')
      return list(request)
    },
  }
}
