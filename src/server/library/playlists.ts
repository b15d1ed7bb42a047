import type { PlaylistEdit } from '../../shared/api/playlist'
import type { Clock } from '../platform/clock'
import { invalidField, notFound, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { PlaylistRow } from '../store/playlists'
import type { Viewer } from '../store/visibility'

/** Playlists, each its user's own. */
export function createPlaylists({ store, now }: { store: Store; now: Clock }) {
  function require(userId: number, uuid: string): PlaylistRow {
    const playlist = store.playlists.findFor(userId, uuid)
    if (!playlist) throw notFound('playlist')
    return playlist
  }

  function requireName(userId: number, text: string, except?: PlaylistRow): string {
    const name = text.trim()
    if (name === '') throw invalidField('name', '1 to 200 characters')
    const other = store.playlists.findByName(userId, name)
    if (other && other.id !== except?.id)
      throw new Problem('playlist-name-taken', `There is a playlist ${name} already`, { name })
    return name
  }

  const requireEpisodes = (viewer: Viewer, { items }: PlaylistEdit) =>
    items.map(({ episode }, place) => {
      const found = store.episodes.findVisible(viewer, episode)
      if (!found) throw invalidField(`items[${place}].episode`, 'the id of an episode')
      return found.id
    })

  return {
    require,
    create(viewer: Viewer, edit: PlaylistEdit): PlaylistRow {
      return store.inTransaction(() => {
        const name = requireName(viewer.id, edit.name)
        const episodes = requireEpisodes(viewer, edit)
        const playlist = store.playlists.add(viewer.id, name, now())
        store.playlists.replaceItems(playlist.id, episodes)
        return playlist
      })
    },
    replace(viewer: Viewer, uuid: string, edit: PlaylistEdit): PlaylistRow {
      return store.inTransaction(() => {
        const playlist = require(viewer.id, uuid)
        const name = requireName(viewer.id, edit.name, playlist)
        const episodes = requireEpisodes(viewer, edit)
        store.playlists.rename(playlist.id, name)
        store.playlists.replaceItems(playlist.id, episodes)
        return { ...playlist, name }
      })
    },
  }
}
export type Playlists = ReturnType<typeof createPlaylists>
