import { MOST_PLAYLIST_ITEMS } from '../../../../shared/api/playlist'
import type { Context } from '../../../context'
import type { PlaylistRow } from '../../../store/playlists'
import type { UserRow } from '../../../store/users'
import { createItems, type Items } from './items'
import { requireLibrary } from './libraries'
import { playlistJson } from './playlist-json'
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
/** Playlists of a user, with whole episodes and their podcasts. */
export function playlistCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const { store, playlists } = app
  const require = ({ user, parts }: AppRequest) => store.playlists.require(user.id, parts.playlist!)
  const write = async (user: UserRow, row: PlaylistRow) => new WrittenJson(await playlistJson(app, items, user, row))

  async function add(request: AppRequest) {
    const ids = listed(app, request)
    if (ids.length === 0) throw notFound()
    return write(request.user, playlists.append(request.user, request.parts.playlist!, ids))
  }
  async function takeOut(request: AppRequest) {
    const { user, parts } = request
    const ids = parts.episode === undefined ? listed(app, request) : [store.episodes.require(user, parts.episode).id]
    const row = playlists.takeOut(user, parts.playlist!, ids)
    const answer = await write(user, row)
    // An app that takes out the last episode expects the list to be gone.
    if (ids.length > 0 && store.playlists.episodeIds(row.id).length === 0) playlists.remove(user, row.uuid)
    return answer
  }

  return [
    [
      'GET /api/playlists',
      async ({ user }) => new WrittenJson(`{"playlists":${await listJson(app, items, user, ownOf(app, user))}}`),
    ],
    ['GET /api/libraries/:library/playlists', request => page(app, items, request)],
    ['POST /api/playlists', request => write(request.user, create(app, request))],
    ['GET /api/playlists/:playlist', request => write(request.user, require(request))],
    ['PATCH /api/playlists/:playlist', request => write(request.user, edit(app, request, require(request)))],
    [
      'DELETE /api/playlists/:playlist',
      ({ user, parts }) => {
        playlists.remove(user, parts.playlist!)
        return done()
      },
    ],
    ['POST /api/playlists/:playlist/item', add],
    ['POST /api/playlists/:playlist/batch/add', add],
    ['POST /api/playlists/:playlist/batch/remove', takeOut],
    ['DELETE /api/playlists/:playlist/item/:item/:episode', takeOut],
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

function create(app: Context, request: AppRequest): PlaylistRow {
  const { user, body } = request
  const name = textOf(fieldsOf(body).name).trim()
  if (name === '') throw new AppRefusal(400, 'Invalid playlist name')
  return app.playlists.create(user, { name: freeName(app, user, name), items: visible(app, request) })
}

/** Changes the name, and the episodes and their order, as far as the app sends them. */
function edit(app: Context, request: AppRequest, row: PlaylistRow): PlaylistRow {
  const { user, body } = request
  const fields = fieldsOf(body)
  const wish = textOf(fields.name).trim()
  const name = wish === '' || wish === row.name ? row.name : freeName(app, user, wish, row)
  if (Array.isArray(fields.items)) return app.playlists.replace(user, row.uuid, { name, items: visible(app, request) })
  return name === row.name ? row : app.playlists.rename(user, row.uuid, name)
}

/** Adds a number to a name that another playlist of this user has: apps know no refusal for that. */
function freeName({ store }: Context, user: UserRow, wish: string, except?: PlaylistRow): string {
  const base = wish.slice(0, LONGEST_NAME).toWellFormed().trim()
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`
    const name =
      base
        .slice(0, LONGEST_NAME - suffix.length)
        .toWellFormed()
        .trim() + suffix
    const other = store.playlists.findByName(user.id, name)
    if (!other || other.id === except?.id) return name
  }
}

/** The episodes that a body names, one or a list of them; without those that the user may not see. */
function visible({ store }: Context, { user, body }: AppRequest) {
  const { items } = fieldsOf(body)
  const given = Array.isArray(items) ? items.slice(0, MOST_PLAYLIST_ITEMS) : [body]
  return given.flatMap(item => {
    const found = store.episodes.findVisible(user, textOf(fieldsOf(item).episodeId))
    return found ? [{ episode: found.uuid, id: found.id }] : []
  })
}

const listed = (app: Context, request: AppRequest) => visible(app, request).map(({ id }) => id)
