import { MAX_PLAYLIST_ITEMS } from '../../../../shared/api/playlist'
import { MAX_PLAYLIST_DESCRIPTION } from '../../../../shared/limits'
import type { Context } from '../../../context'
import type { PlaylistRow } from '../../../store/playlists'
import type { UserRow } from '../../../store/users'
import { respondInParts } from '../../core/answers'
import { createItems, type Items } from './items'
import { requireLibrary } from './libraries'
import { type AppCall, AppRefusal, type AppRequest, done, fieldsOf, notFound, readCount, textOf } from './protocol'

const MAX_NAME = 200
/** The playlists of one page, each of which may have thousands of episodes. */
const MAX_PAGE = 100

/** Playlists of a user, with whole episodes and their podcasts. */
export function playlistCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const { store, playlists } = app
  const require = ({ user, parts }: AppRequest) => store.playlists.require(user.id, parts.playlist!)
  const write = ({ request, user }: AppRequest, row: PlaylistRow) =>
    respondInParts(request, playlistParts(app, items, user, row))

  async function add(request: AppRequest) {
    const ids = listed(app, request)
    if (ids.length === 0) throw notFound()
    return write(request, playlists.append(request.user, request.parts.playlist!, ids))
  }
  async function takeOut(request: AppRequest) {
    const { user, parts } = request
    const ids = parts.episode === undefined ? listed(app, request) : [store.episodes.require(user, parts.episode).id]
    const row = playlists.takeOut(user, parts.playlist!, ids)
    const answer = await write(request, row)
    // An app that removes the last episode expects the list to be deleted.
    if (ids.length > 0 && store.playlists.episodeIds(row.id).length === 0) playlists.remove(user, row.uuid)
    return answer
  }

  return [
    [
      'GET /api/playlists',
      ({ request, user }) =>
        respondInParts(request, playlistsParts(app, items, user, ownOf(app, user), ['{"playlists":', '}'])),
    ],
    ['GET /api/libraries/:library/playlists', request => page(app, items, request)],
    ['POST /api/playlists', request => write(request, create(app, request))],
    ['GET /api/playlists/:playlist', request => write(request, require(request))],
    ['PATCH /api/playlists/:playlist', request => write(request, edit(app, request, require(request)))],
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

/** A page; an app that requests all, or too many, gets the largest page. */
function page(app: Context, items: Items, asked: AppRequest) {
  requireLibrary(items, asked)
  const { request, user, query } = asked
  const limit = Math.min(readCount(query, 'limit', 0), MAX_PAGE)
  const number = readCount(query, 'page', 0)
  const all = ownOf(app, user)
  const from = number * (limit || MAX_PAGE)
  const shown = all.slice(from, from + (limit || MAX_PAGE))
  const beside = JSON.stringify({ total: all.length, limit, page: number })
  return respondInParts(request, playlistsParts(app, items, user, shown, ['{"results":', `,${beside.slice(1)}`]))
}

function create(app: Context, request: AppRequest): PlaylistRow {
  const { user, body } = request
  const name = textOf(fieldsOf(body).name).trim()
  if (name === '') throw new AppRefusal(400, 'Invalid playlist name')
  const made = app.playlists.create(user, { name: freeName(app, user, name), items: visible(app, request) })
  return describe(app, request, made)
}

/** Sets the description if the app names one; an empty one counts as none. */
function describe({ playlists }: Context, { user, body }: AppRequest, row: PlaylistRow): PlaylistRow {
  const { description: given } = fieldsOf(body)
  if (given !== null && typeof given !== 'string') return row
  const description = given?.trim().slice(0, MAX_PLAYLIST_DESCRIPTION).toWellFormed() || null
  return description === row.description ? row : playlists.describe(user, row.uuid, description)
}

/** Changes the name, and the episodes and their order, as far as the app sends them. */
function edit(app: Context, request: AppRequest, row: PlaylistRow): PlaylistRow {
  const { user, body } = request
  const fields = fieldsOf(body)
  describe(app, request, row)
  const wish = textOf(fields.name).trim()
  const name = wish === '' || wish === row.name ? row.name : freeName(app, user, wish, row)
  if (Array.isArray(fields.items)) return app.playlists.replace(user, row.uuid, { name, items: visible(app, request) })
  return name === row.name ? app.store.playlists.require(user.id, row.uuid) : app.playlists.rename(user, row.uuid, name)
}

/** Adds a number if another playlist of this user has the name: apps cannot handle a refusal. */
function freeName({ store }: Context, user: UserRow, wish: string, except?: PlaylistRow): string {
  const base = wish.slice(0, MAX_NAME).toWellFormed().trim()
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`
    const name =
      base
        .slice(0, MAX_NAME - suffix.length)
        .toWellFormed()
        .trim() + suffix
    const other = store.playlists.findByName(user.id, name)
    if (!other || other.id === except?.id) return name
  }
}

/** The episodes that a body names, one or a list of them; without those that the user may not see. */
function visible({ store }: Context, { user, body }: AppRequest) {
  const { items } = fieldsOf(body)
  const given = Array.isArray(items) ? items.slice(0, MAX_PLAYLIST_ITEMS) : [body]
  return given.flatMap(item => {
    const found = store.episodes.findVisible(user, textOf(fieldsOf(item).episodeId))
    return found ? [{ episode: found.uuid, id: found.id }] : []
  })
}

const listed = (app: Context, request: AppRequest) => visible(app, request).map(({ id }) => id)

/** Items that are written at once: a few milliseconds of work. */
const PART = 250
/** Items of one list of playlists, all together: about 20 MB. An app reads the whole playlist when it is opened. */
const MAX_LISTED = 10_000

/**
 * A playlist as parts of JSON, between which other requests have their turn. Its podcasts are sent without their
 * episodes.
 */
async function* playlistParts(app: Pick<Context, 'playlists'>, items: Items, user: UserRow, row: PlaylistRow) {
  yield* firstItems(app, items, user, row, Number.POSITIVE_INFINITY)
}

/** Writes a playlist with a limited number of items; returns how many there are. */
async function* firstItems(
  { playlists }: Pick<Context, 'playlists'>,
  items: Items,
  user: UserRow,
  row: PlaylistRow,
  most: number,
) {
  const head = {
    id: row.uuid,
    name: row.name,
    libraryId: items.ids.libraryId,
    userId: user.uuid,
    description: row.description,
    lastUpdate: row.created_at,
    createdAt: row.created_at,
  }
  yield `${JSON.stringify(head).slice(0, -1)},"items":[`
  const ids = most > 0 ? playlists.idsOf(user, row).slice(0, most) : []
  let separator = ''
  for (let from = 0; from < ids.length; from += PART) {
    await new Promise(setImmediate)
    const entries = items.withEpisodes(user, ids.slice(from, from + PART)).map(({ item }) => {
      const { recentEpisode: episode, ...libraryItem } = item
      return { libraryItemId: libraryItem.id, episodeId: episode.id, episode, libraryItem }
    })
    if (entries.length === 0) continue
    yield separator + JSON.stringify(entries).slice(1, -1)
    separator = ','
  }
  yield ']}'
  return ids.length
}

/** Several of them, between the given texts, with the first items of all. */
async function* playlistsParts(
  app: Pick<Context, 'playlists'>,
  items: Items,
  user: UserRow,
  rows: readonly PlaylistRow[],
  [before, behind]: readonly [before: string, behind: string],
) {
  let left = MAX_LISTED
  yield `${before}[`
  for (const [place, row] of rows.entries()) {
    if (place > 0) yield ','
    left -= yield* firstItems(app, items, user, row, left)
  }
  yield `]${behind}`
}

/** A playlist as one text. */
export const playlistJson = async (...about: Parameters<typeof playlistParts>): Promise<string> =>
  (await Array.fromAsync(playlistParts(...about))).join('')
