import type { Context } from '../../../context'
import { settingScopes, type SettingPlace, type SettingScope } from '../../../store/app-data'
import { addressKey } from '../../../sync/addresses'
import { asObject, asTexts, badRequest, readJsonBody, SyncRefusal, type SyncRequest } from './protocol'

const MAX_NAME = 200
const MAX_VALUE = 64 * 1024
const MAX_SETTINGS = 5000

/** Settings that apps store for themselves, per account, device, podcast or episode. We never read them. */
export function settings({ store }: Context) {
  function placeOf({ user, parts, query }: SyncRequest): SettingPlace {
    const scope = parts.scope as SettingScope
    if (!settingScopes.includes(scope)) throw badRequest(`scope must be one of ${settingScopes.join(', ')}`)
    const need = (name: string) => query.get(name) || refuse(`${name} is missing`)
    const of = {
      account: () => '',
      device: () => {
        const device = need('device')
        if (!store.sync.findDevice(user.id, device)) throw new SyncRefusal(404, 'Device not found')
        return device
      },
      podcast: () => addressKey(need('podcast')),
      episode: () => `${addressKey(need('podcast'))} ${addressKey(need('episode'))}`,
    }[scope]()
    return { userId: user.id, scope, of }
  }

  return {
    list: (request: SyncRequest) => store.appData.settings(placeOf(request)),

    /** Applies the whole change, or nothing of it. */
    change(request: SyncRequest) {
      const place = placeOf(request)
      const given = asObject(readJsonBody(request.body))
      const set = Object.entries(asObject(given.set ?? {}))
      for (const [name, value] of set) {
        if (name === '' || name.length > MAX_NAME) throw badRequest(`Names must have 1 to ${MAX_NAME} characters`)
        if (JSON.stringify(value).length > MAX_VALUE) throw badRequest(`Values must not exceed ${MAX_VALUE} characters`)
      }
      store.inTransaction(() => {
        for (const [name, value] of set) store.appData.set(place, name, value)
        for (const name of asTexts(given.remove, 'remove')) store.appData.unset(place, name)
        if (store.appData.countSettings(request.user.id) > MAX_SETTINGS)
          throw badRequest(`Too many settings, the limit is ${MAX_SETTINGS}`)
      })
      return store.appData.settings(place)
    },
  }
}

function refuse(message: string): never {
  throw badRequest(message)
}
