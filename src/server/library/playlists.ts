import type { PlaylistEdit } from '../../shared/api/playlist'
import type { Clock } from '../platform/clock'
import { invalidField, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { PlaylistRow } from '../store/playlists'
import type { Viewer } from '../store/visibility'
import { requireListed } from './listed-episodes'

type Needs = { store: Store; now: Clock }

/** Makes and changes playlists. Each user has playlists of their own, with distinct names. */
export const createPlaylists = ({ store, now }: Needs) => ({
  /** Creates a playlist. Throws `invalid-field` and `playlist-name-taken`. */
  create: (viewer: Viewer, edit: PlaylistEdit): PlaylistRow =>
    store.inTransaction(() => {
      const name = requireName(store, viewer.id, edit.name)
      const episodes = requireListed(store, viewer, edit.items)
      const playlist = store.playlists.add(viewer.id, name, now())
      store.playlists.replaceItems(playlist.id, episodes)
      return playlist
    }),

  /** Replaces name and episodes. Throws `playlist-not-found`, `invalid-field` and `playlist-name-taken`. */
  replace: (viewer: Viewer, uuid: string, edit: PlaylistEdit): PlaylistRow =>
    store.inTransaction(() => {
      const playlist = store.playlists.require(viewer.id, uuid)
      const name = requireName(store, viewer.id, edit.name, playlist)
      const episodes = requireListed(store, viewer, edit.items)
      store.playlists.rename(playlist.id, name)
      store.playlists.replaceItems(playlist.id, episodes)
      return { ...playlist, name }
    }),
})
export type Playlists = ReturnType<typeof createPlaylists>

function requireName(store: Store, userId: number, text: string, except?: PlaylistRow): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', '1 to 200 characters')
  const other = store.playlists.findByName(userId, name)
  if (other && other.id !== except?.id)
    throw new Problem('playlist-name-taken', `Playlist ${name} already exists`, { name })
  return name
}
