import type { Context } from '../../../context'
import { deviceTypes, type DeviceType } from '../../../store/episode-actions'
import { asObject, badRequest, emptyAnswer, readJsonBody, type SyncRequest } from './protocol'

const known = new Set<string>([...deviceTypes, 'tablet'])

/** The devices of a user, which all share one list of subscriptions. */
export const devices = ({ store, sync }: Context) => ({
  list({ user }: SyncRequest) {
    const subscriptions = sync.subscriptions.list(user).length
    return store.sync.devices(user.id).map(({ name, caption, type }) => ({ id: name, caption, type, subscriptions }))
  },

  save({ user, parts, body }: SyncRequest) {
    const { caption, type } = body.trim() === '' ? {} : asObject(readJsonBody(body))
    if (caption !== undefined && (typeof caption !== 'string' || caption.trim() === ''))
      throw badRequest('caption must be a text that is not empty')
    if (type !== undefined && (typeof type !== 'string' || !known.has(type)))
      throw badRequest(`type must be one of ${[...known].join(', ')}`)
    sync.saveDevice(user, parts.device!, {
      ...(caption !== undefined && { caption: caption.trim().slice(0, 200) }),
      // Other clients do not know tablets, and would refuse the whole list of devices.
      ...(type !== undefined && { type: (type === 'tablet' ? 'mobile' : type) as DeviceType }),
    })
    return emptyAnswer()
  },
})
