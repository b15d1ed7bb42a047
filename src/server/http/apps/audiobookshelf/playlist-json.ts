import type { Context } from '../../../context'
import type { PlaylistRow } from '../../../store/playlists'
import type { UserRow } from '../../../store/users'
import type { Items } from './items'

/** Items that are written at once: a few milliseconds of work. */
const PART = 250
/** Items of one list of playlists, all together: about 20 MB. An app reads a playlist whole when it is opened. */
const MAX_LISTED = 10_000

/** A playlist as parts of JSON, between which others have their turn. Its podcasts come without their episodes. */
export async function* playlistParts(app: Pick<Context, 'playlists'>, items: Items, user: UserRow, row: PlaylistRow) {
  yield* firstItems(app, items, user, row, Number.POSITIVE_INFINITY)
}

/** The same with so many items at most; returns how many they are. */
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
    description: null,
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

/** Several of them, between the texts that come before and behind, with the first items of all. */
export async function* playlistsParts(
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
