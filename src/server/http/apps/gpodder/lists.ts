import type { Context } from '../../../context'
import { readAddress } from '../../../sync/addresses'
import { readAddresses, writePodcasts } from './formats'
import { createPodcastEntries } from './podcast-entries'
import { badRequest, emptyAnswer, SyncRefusal, type SyncRequest } from './protocol'

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
