import type { SmartRules } from '../../shared/api/smart-playlist'
import type { Clock } from '../platform/clock'
import type { Store } from '../store'
import type { EpisodeForUser } from '../store/episodes'
import type { EpisodesSize, PlaylistRow } from '../store/playlists'
import type { Viewer } from '../store/visibility'
import { queryOfRules, rulesOf } from './smart-rules'

// Why: docs/internals/decisions/0047

type Needs = { store: Pick<Store, 'playlists' | 'podcasts' | 'smartLists' | 'tags'>; now: Clock }

/**
 * The ids of a playlist's episodes in playing order, chosen or by rules, without those that the viewer may not see. The
 * playlist is the viewer's own.
 */
export function idsOfPlaylist(needs: Needs, viewer: Viewer, playlist: PlaylistRow): number[] {
  const rules = rulesOf(playlist)
  return rules ? idsByRules(needs, viewer, rules) : needs.store.playlists.idsFor(viewer, playlist.id)
}

/** The same episodes with everything that is known of them. */
export const episodesOfPlaylist = (needs: Needs, viewer: Viewer, playlist: PlaylistRow): EpisodeForUser[] =>
  playlist.rules === null
    ? needs.store.playlists.itemsFor(viewer, playlist.id)
    : needs.store.smartLists.rowsFor(viewer, idsOfPlaylist(needs, viewer, playlist))

/** Their number, and their seconds. */
export const sizeOfPlaylist = (needs: Needs, viewer: Viewer, playlist: PlaylistRow): EpisodesSize =>
  playlist.rules === null
    ? needs.store.playlists.sizeFor(viewer, playlist.id)
    : needs.store.smartLists.sizeOf(idsOfPlaylist(needs, viewer, playlist))

/** The ids of the episodes that a playlist by these rules would hold, in playing order. */
export const idsByRules = (needs: Needs, viewer: Viewer, rules: SmartRules): number[] =>
  needs.store.smartLists.idsFor(viewer, queryOfRules(needs, viewer, rules))
