import type { PlaylistEdit } from '../../shared/api/playlist'
import type { Clock } from '../platform/clock'
import type { DomainEvents, Publish } from '../platform/events'
import { invalidField, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { PlaylistRow } from '../store/playlists'
import type { Viewer } from '../store/visibility'
import { requireListed } from './listed-episodes'

type Needs = { store: Store; publish: Publish; now: Clock }
type Change = DomainEvents['playlistChanged']['change']

/** Makes and changes playlists. Each user has playlists of their own, with distinct names. */
export function createPlaylists({ store, publish, now }: Needs) {
  /** Publishes what was done to a playlist, once it is committed. */
  function announce(row: PlaylistRow, change: Change): PlaylistRow {
    const { user_id: userId, uuid, name, created_at: createdAt } = row
    publish({ type: 'playlistChanged', userId, uuid, name, createdAt, change })
    return row
  }

  return {
    announce,
    /** Creates a playlist. Throws `invalid-field` and `playlist-name-taken`. */
    create(viewer: Viewer, edit: PlaylistEdit): PlaylistRow {
      const made = store.inTransaction(() => {
        const name = requireName(store, viewer.id, edit.name)
        const episodes = requireListed(store, viewer, edit.items)
        const playlist = store.playlists.add(viewer.id, name, now())
        store.playlists.replaceItems(playlist.id, episodes)
        return playlist
      })
      return announce(made, 'added')
    },
    /** Replaces name and episodes. Throws `playlist-not-found`, `invalid-field` and `playlist-name-taken`. */
    replace(viewer: Viewer, uuid: string, edit: PlaylistEdit): PlaylistRow {
      const replaced = store.inTransaction(() => {
        const playlist = store.playlists.require(viewer.id, uuid)
        const name = requireName(store, viewer.id, edit.name, playlist)
        const episodes = requireListed(store, viewer, edit.items)
        store.playlists.rename(playlist.id, name)
        store.playlists.replaceItems(playlist.id, episodes)
        return { ...playlist, name }
      })
      return announce(replaced, 'changed')
    },
    /** Throws `playlist-not-found`. */
    remove(viewer: Viewer, uuid: string) {
      const playlist = store.playlists.require(viewer.id, uuid)
      store.playlists.remove(playlist.id)
      announce(playlist, 'removed')
    },
    /** Takes an episode out. Throws `playlist-not-found` and `episode-not-found`. */
    removeEpisode(viewer: Viewer, uuid: string, episode: string) {
      const playlist = store.playlists.require(viewer.id, uuid)
      store.playlists.removeItem(playlist.id, store.episodes.require(viewer, episode).id)
      announce(playlist, 'changed')
    },
  }
}
export type Playlists = ReturnType<typeof createPlaylists>

function requireName(store: Store, userId: number, text: string, except?: PlaylistRow): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', '1 to 200 characters')
  const other = store.playlists.findByName(userId, name)
  if (other && other.id !== except?.id)
    throw new Problem('playlist-name-taken', `Playlist ${name} already exists`, { name })
  return name
}
