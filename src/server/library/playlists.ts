import { MAX_PLAYLIST_ITEMS, type PlaylistEdit } from '../../shared/api/playlist'
import type { SmartRules } from '../../shared/api/smart-playlist'
import type { Clock } from '../platform/clock'
import type { DomainEvents, Publish } from '../platform/events'
import { invalidField, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { EpisodeForUser } from '../store/episodes'
import type { PlaylistRow } from '../store/playlists'
import type { UserRow } from '../store/users'
import type { Viewer } from '../store/visibility'
import { requireListed } from './listed-episodes'
import { episodesOfPlaylist, idsByRules, idsOfPlaylist, sizeOfPlaylist } from './playlist-episodes'
import { requireRules } from './smart-rules'

type Needs = { store: Store; publish: Publish; now: Clock }
type Editor = Viewer & Pick<UserRow, 'role'>

/** All of a user's playlists are read at once. */
export const MAX_WITH_RULES = 30

/**
 * Makes, reads and changes playlists. Each user has personal playlists, with distinct names. Those with rules fill
 * themselves: their episodes cannot be changed.
 */
export function createPlaylists(needs: Needs) {
  const { store, publish, now } = needs

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
    idsOf: (viewer: Viewer, playlist: PlaylistRow) => idsOfPlaylist(needs, viewer, playlist),
    episodesOf: (viewer: Viewer, playlist: PlaylistRow) => episodesOfPlaylist(needs, viewer, playlist),
    sizeOf: (viewer: Viewer, playlist: PlaylistRow) => sizeOfPlaylist(needs, viewer, playlist),
    /** The episodes that a playlist by these rules would hold. Throws `invalid-field`. */
    preview: (user: Editor, rules: SmartRules): EpisodeForUser[] =>
      store.smartLists.rowsFor(user, idsByRules(needs, user, requireRules({ ...rules, keepDownloaded: 0 }, user))),

    /** Creates a playlist. Throws `invalid-field`, `playlist-name-taken` and `not-uploader`. */
    create(user: Editor, edit: PlaylistEdit): PlaylistRow {
      const made = store.inTransaction(() => {
        const name = requireName(store, user.id, edit.name)
        const episodes = requireListed(store, user, edit.items)
        const rules = edit.rules ? requireNew(store, user, edit, edit.rules) : null
        const playlist = store.playlists.add(user.id, name, now(), rules && JSON.stringify(rules))
        store.playlists.replaceItems(playlist.id, episodes)
        return playlist
      })
      return announce(made, 'added')
    },
    /**
     * Replaces name and episodes, or name and rules. Throws `playlist-not-found`, `invalid-field`,
     * `playlist-name-taken`, `playlist-fills-itself` and `not-uploader`.
     */
    replace: (user: Editor, uuid: string, edit: PlaylistEdit): PlaylistRow =>
      changing(user, uuid, playlist => {
        if (!edit.rules) requireChosen(playlist)
        else if (playlist.rules === null) throw invalidField('rules', 'none for a playlist of chosen episodes')
        rename(user, playlist, edit.name)
        if (edit.rules) changeRules(store, playlist, JSON.stringify(requireAlone(user, edit, edit.rules)))
        else store.playlists.replaceItems(playlist.id, requireListed(store, user, edit.items))
      }),
    /** Throws `playlist-not-found`, `invalid-field` and `playlist-name-taken`. */
    rename: (viewer: Viewer, uuid: string, name: string): PlaylistRow =>
      changing(viewer, uuid, playlist => rename(viewer, playlist, name)),
    /**
     * Appends episodes by their rows; one that is in the playlist keeps its place. Throws `playlist-not-found` and
     * `playlist-fills-itself`.
     */
    append: (viewer: Viewer, uuid: string, episodeIds: readonly number[]): PlaylistRow =>
      changing(viewer, uuid, playlist =>
        store.playlists.appendAll(requireChosen(playlist).id, episodeIds, MAX_PLAYLIST_ITEMS),
      ),
    /** Takes episodes out by their rows. Throws `playlist-not-found` and `playlist-fills-itself`. */
    takeOut: (viewer: Viewer, uuid: string, episodeIds: readonly number[]): PlaylistRow =>
      changing(viewer, uuid, playlist => {
        for (const episodeId of episodeIds) store.playlists.removeItem(requireChosen(playlist).id, episodeId)
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

function requireChosen(playlist: PlaylistRow): PlaylistRow {
  if (playlist.rules === null) return playlist
  const { name } = playlist
  throw new Problem('playlist-fills-itself', `Playlist ${name} fills itself. Change its rules instead.`, { name })
}

/** Other rules choose anew which episodes are kept downloaded. */
function changeRules(store: Store, { id, rules: before }: PlaylistRow, rules: string) {
  if (rules === before) return
  store.playlists.setRules(id, rules)
  store.keptEpisodes.replace(id, [])
}

function requireNew(store: Store, user: Editor, edit: PlaylistEdit, rules: SmartRules): SmartRules {
  if (store.playlists.countWithRules(user.id) >= MAX_WITH_RULES)
    throw invalidField('rules', `at most ${MAX_WITH_RULES} playlists with rules`)
  return requireAlone(user, edit, rules)
}

function requireAlone(user: Editor, { items }: PlaylistEdit, rules: SmartRules): SmartRules {
  if (items.length > 0) throw invalidField('items', 'none for a playlist with rules')
  return requireRules(rules, user)
}
