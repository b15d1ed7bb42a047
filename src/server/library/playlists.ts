import { MOST_PLAYLIST_ITEMS, type PlaylistEdit } from '../../shared/api/playlist'
import type { Clock } from '../platform/clock'
import type { DomainEvents, Publish } from '../platform/events'
import { invalidField, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { PlaylistRow } from '../store/playlists'
import type { Viewer } from '../store/visibility'
import { requireListed } from './listed-episodes'

type Needs = { store: Store; publish: Publish; now: Clock }

/** Makes and changes playlists. Each user has playlists of their own, with distinct names. */
export function createPlaylists({ store, publish, now }: Needs) {
  function announce(row: PlaylistRow, change: DomainEvents['playlistChanged']['change']): PlaylistRow {
    const { user_id: userId, uuid, name, created_at: createdAt } = row
    publish({ type: 'playlistChanged', userId, uuid, name, createdAt, change })
    return row
  }
  /** Changes a playlist and reports that. Throws `playlist-not-found`, and what `change` throws. */
  function changing(viewer: Viewer, uuid: string, change: (playlist: PlaylistRow) => void): PlaylistRow {
    const changed = store.inTransaction(() => {
      change(store.playlists.require(viewer.id, uuid))
      return store.playlists.require(viewer.id, uuid)
    })
    return announce(changed, 'changed')
  }
  const rename = (viewer: Viewer, playlist: PlaylistRow, name: string) =>
    store.playlists.rename(playlist.id, requireName(store, viewer.id, name, playlist))

  return {
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
    replace: (viewer: Viewer, uuid: string, edit: PlaylistEdit): PlaylistRow =>
      changing(viewer, uuid, playlist => {
        rename(viewer, playlist, edit.name)
        store.playlists.replaceItems(playlist.id, requireListed(store, viewer, edit.items))
      }),
    /** Throws `playlist-not-found`, `invalid-field` and `playlist-name-taken`. */
    rename: (viewer: Viewer, uuid: string, name: string): PlaylistRow =>
      changing(viewer, uuid, playlist => rename(viewer, playlist, name)),
    /** Appends episodes by their rows; one that is in the playlist keeps its place. Throws `playlist-not-found`. */
    append: (viewer: Viewer, uuid: string, episodeIds: readonly number[]): PlaylistRow =>
      changing(viewer, uuid, ({ id }) => store.playlists.appendAll(id, episodeIds, MOST_PLAYLIST_ITEMS)),
    /** Takes episodes out by their rows. Throws `playlist-not-found`. */
    takeOut: (viewer: Viewer, uuid: string, episodeIds: readonly number[]): PlaylistRow =>
      changing(viewer, uuid, ({ id }) => {
        for (const episodeId of episodeIds) store.playlists.removeItem(id, episodeId)
      }),
    /** Throws `playlist-not-found`. */
    remove(viewer: Viewer, uuid: string) {
      const playlist = store.playlists.require(viewer.id, uuid)
      store.playlists.remove(playlist.id)
      announce(playlist, 'removed')
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
