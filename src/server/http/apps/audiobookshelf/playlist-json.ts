import type { Context } from '../../../context'
import type { PlaylistRow } from '../../../store/playlists'
import type { UserRow } from '../../../store/users'
import type { Items } from './items'

/** Items that are written at once: a few milliseconds of work. */
const PART = 250

/** Writes a playlist in parts: other requests are answered in between. Its podcasts come with every episode. */
export async function playlistJson(
  { store }: Pick<Context, 'store'>,
  items: Items,
  user: UserRow,
  row: PlaylistRow,
): Promise<string> {
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
