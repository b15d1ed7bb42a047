import { MOST_PLAYLIST_ITEMS } from '../../../../shared/api/playlist'
import type { Context } from '../../../context'
import type { PlaylistRow } from '../../../store/playlists'
import type { UserRow } from '../../../store/users'
import { createItems, type Items } from './items'
import { requireLibrary } from './libraries'
import {
  AppRefusal,
  done,
  fieldsOf,
  notFound,
  readCount,
  textOf,
  WrittenJson,
  type AppCall,
  type AppRequest,
} from './protocol'

const LONGEST_NAME = 200
/** Items that are written at once: a few milliseconds of work. */
const PART = 250

/** Playlists of a user, with whole episodes and their podcasts. */
export function playlistCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const { store, playlists } = app
  const require = ({ user, parts }: AppRequest) => store.playlists.require(user.id, parts.playlist!)
  const write = async (user: UserRow, row: PlaylistRow) => new WrittenJson(await playlistJson(app, items, user, row))

  /** Changes the episodes of a playlist, and answers with it. */
  const changing = (change: (request: AppRequest, row: PlaylistRow) => void) => (request: AppRequest) => {
    const row = require(request)
    store.inTransaction(() => change(request, row))
    playlists.announce(row, store.playlists.findFor(request.user.id, row.uuid) ? 'changed' : 'removed')
    return write(request.user, row)
  }
  const add = changing(({ user, body }, row) => {
    const ids = listed(app, user, body)
    if (ids.length === 0) throw notFound()
    for (const id of ids) store.playlists.append(row.id, id, MOST_PLAYLIST_ITEMS)
  })
  const remove = changing(({ user, body, parts }, row) => {
    const ids = parts.episode === undefined ? listed(app, user, body) : [episodeId(app, user, parts.episode)]
    for (const id of ids) store.playlists.removeItem(row.id, id)
    // An app that takes out the last episode expects the list to be gone.
    if (ids.length > 0 && store.playlists.episodeIds(row.id).length === 0) store.playlists.remove(row.id)
  })

  return [
    [
      'GET /api/playlists',
      async ({ user }) => new WrittenJson(`{"playlists":${await listJson(app, items, user, ownOf(app, user))}}`),
    ],
    ['GET /api/libraries/:library/playlists', request => page(app, items, request)],
    ['POST /api/playlists', request => write(request.user, playlists.announce(create(app, request), 'added'))],
    ['GET /api/playlists/:playlist', request => write(request.user, require(request))],
    [
      'PATCH /api/playlists/:playlist',
      request => write(request.user, playlists.announce(edit(app, request, require(request)), 'changed')),
    ],
    [
      'DELETE /api/playlists/:playlist',
      request => {
        playlists.remove(request.user, request.parts.playlist!)
        return done()
      },
    ],
    ['POST /api/playlists/:playlist/item', add],
    ['POST /api/playlists/:playlist/batch/add', add],
    ['POST /api/playlists/:playlist/batch/remove', remove],
    ['DELETE /api/playlists/:playlist/item/:item/:episode', remove],
  ]
}

const ownOf = ({ store }: Context, user: UserRow) => store.playlists.listFor(user.id)

async function page(app: Context, items: Items, request: AppRequest) {
  requireLibrary(items, request)
  const { user, query } = request
  const [limit, number] = [readCount(query, 'limit', 0), readCount(query, 'page', 0)]
  const all = ownOf(app, user)
  const shown = limit === 0 ? all : all.slice(number * limit, (number + 1) * limit)
  const beside = JSON.stringify({ total: all.length, limit, page: number })
  return new WrittenJson(`{"results":${await listJson(app, items, user, shown)},${beside.slice(1)}`)
}

async function listJson(app: Context, items: Items, user: UserRow, rows: readonly PlaylistRow[]): Promise<string> {
  const texts: string[] = []
  for (const row of rows) texts.push(await playlistJson(app, items, user, row))
  return `[${texts.join(',')}]`
}

/** Writes a playlist in parts: other requests are answered in between. Its podcasts come with every episode. */
export async function playlistJson({ store }: Context, items: Items, user: UserRow, row: PlaylistRow): Promise<string> {
  const ids = store.playlists.episodeIds(row.id)
  const texts: string[] = []
  for (let from = 0; from < ids.length; from += PART) {
    await new Promise(setImmediate)
    const entries = items.withEpisodes(user, ids.slice(from, from + PART)).map(({ item }) => {
      const { recentEpisode: episode, ...libraryItem } = item
      return { libraryItemId: libraryItem.id, episodeId: episode.id, episode, libraryItem }
    })
    if (entries.length > 0) texts.push(JSON.stringify(entries).slice(1, -1))
  }
  const head = {
    id: row.uuid,
    name: row.name,
    libraryId: items.ids.libraryId,
    userId: user.uuid,
    description: null,
    lastUpdate: row.created_at,
    createdAt: row.created_at,
  }
  return `${JSON.stringify(head).slice(0, -1)},"items":[${texts.join(',')}]}`
}

function create(app: Context, { user, body }: AppRequest): PlaylistRow {
  const name = textOf(fieldsOf(body).name).trim()
  if (name === '') throw new AppRefusal(400, 'Invalid playlist name')
  const { store } = app
  return store.inTransaction(() => {
    const row = store.playlists.add(user.id, freeName(app, user, name), app.now())
    store.playlists.replaceItems(row.id, listed(app, user, body))
    return row
  })
}

/** Changes the name, and the episodes and their order, as far as the app sends them. */
function edit(app: Context, { user, body }: AppRequest, row: PlaylistRow): PlaylistRow {
  const fields = fieldsOf(body)
  const { store } = app
  return store.inTransaction(() => {
    const wish = textOf(fields.name).trim()
    const name = wish === '' || wish === row.name ? row.name : freeName(app, user, wish, row)
    if (name !== row.name) store.playlists.rename(row.id, name)
    if (Array.isArray(fields.items)) store.playlists.replaceItems(row.id, listed(app, user, body))
    return { ...row, name }
  })
}

/** Adds a number to a name that another playlist of this user has: apps know no refusal for that. */
function freeName({ store }: Context, user: UserRow, wish: string, except?: PlaylistRow): string {
  const base = wish.toWellFormed().slice(0, LONGEST_NAME)
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`
    const name = base.slice(0, LONGEST_NAME - suffix.length) + suffix
    const other = store.playlists.findByName(user.id, name)
    if (!other || other.id === except?.id) return name
  }
}

/** The row of an episode. Throws `not-found`, also for one that the user may not see. */
const episodeId = ({ store }: Context, user: UserRow, uuid: string): number => store.episodes.require(user, uuid).id

/** The rows of the episodes that a body names, one or a list of them; without those that the user may not see. */
function listed({ store }: Context, user: UserRow, body: unknown): number[] {
  const { items } = fieldsOf(body)
  const given = Array.isArray(items) ? items.slice(0, MOST_PLAYLIST_ITEMS) : [body]
  return given.flatMap(item => store.episodes.findVisible(user, textOf(fieldsOf(item).episodeId))?.id ?? [])
}
