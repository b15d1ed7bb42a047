import type { Context } from '../../../context'
import { type SettingPlace, type SettingScope, settingScopes } from '../../../store/app-data'
import { addressKey, readAddress } from '../../../sync/addresses'
import { createPodcastEntries, readAddresses, writePodcasts } from './formats'
import { asObject, asTexts, badRequest, emptyAnswer, readJsonBody, SyncRefusal, type SyncRequest } from './protocol'

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

    /** Applies the whole change, or none of it. */
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

const MAX_TITLE = 200
const MAX_LISTS = 200
const MAX_FEEDS = 5000

/** Lists of podcasts that users publish through the protocol; they do not affect subscriptions. */
export function lists(app: Context) {
  const { store } = app
  const entriesOf = createPodcastEntries(app)

  function read({ parts, body }: SyncRequest): string[] {
    const feeds = readAddresses(parts.format!, body)
      .map(readAddress)
      .filter(url => url !== null)
    if (feeds.length > MAX_FEEDS) throw badRequest(`Too many podcasts, the limit is ${MAX_FEEDS}`)
    return [...new Set(feeds)]
  }
  function require({ user, parts }: SyncRequest) {
    const list = store.appData.findList(user.id, parts.name!)
    if (!list) throw new SyncRefusal(404, 'List not found')
    return list
  }

  return {
    create(request: SyncRequest) {
      const { user, parts, query, base } = request
      const title = query.get('title')?.trim().slice(0, MAX_TITLE) ?? ''
      const name = slugOf(title)
      if (name === '') throw badRequest('title is missing')
      if (store.appData.findList(user.id, name)) throw new SyncRefusal(409, 'A list with this title already exists')
      if (store.appData.lists(user.id).length >= MAX_LISTS)
        throw badRequest(`Too many lists, the limit is ${MAX_LISTS}`)
      store.appData.saveList(user.id, { name, title, feeds: read(request) })
      const location = `${base}api/2/lists/${encodeURIComponent(user.username)}/list/${name}.${parts.format}`
      return new Response('', { status: 201, headers: { Location: location, 'Content-Type': 'text/plain' } })
    },

    all: ({ user, base }: SyncRequest) =>
      store.appData.lists(user.id).map(({ name, title }) => ({
        title,
        name,
        web: `${base}api/2/lists/${encodeURIComponent(user.username)}/list/${name}.opml`,
      })),

    one(request: SyncRequest) {
      const entries = entriesOf(request, require(request).feeds)
      return writePodcasts(request.parts.format!, entries, () => entries, app.now())
    },
    replace(request: SyncRequest) {
      store.appData.saveList(request.user.id, { ...require(request), feeds: read(request) })
      return emptyAnswer(204)
    },
    remove(request: SyncRequest) {
      require(request)
      store.appData.removeList(request.user.id, request.parts.name!)
      return emptyAnswer(204)
    },
  }
}

/** Makes the name of a list from its title: `Fog & lamps` becomes `fog-lamps`. */
const slugOf = (title: string) =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
