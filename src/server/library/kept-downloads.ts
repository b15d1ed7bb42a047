import { mayKeep } from '../../shared/may-keep'
import type { Clock } from '../platform/clock'
import type { Downloads } from '../downloads/queue'
import type { Store } from '../store'
import { isFolderAddress } from '../store/folder-feeds'
import type { KeptPlaylist } from '../store/playlists'
import type { Playlists } from './playlists'
import { rulesOf } from './smart-rules'

type Needs = { store: Store; downloads: Pick<Downloads, 'pump'>; playlists: Pick<Playlists, 'idsOf'>; now: Clock }

/** Keeps the first episodes of smart playlists downloaded, where their rules ask for that. */
export function createKeptDownloads({ store, downloads, playlists, now }: Needs) {
  const firstOf = (playlist: KeptPlaylist) =>
    playlists
      .idsOf({ id: playlist.user_id, explicit_consent: playlist.explicit_consent }, playlist)
      .slice(0, playlist.keep_downloaded)

  /** Rules that were stored before these were refused ask for no downloads. */
  function mayQueue(playlist: KeptPlaylist): boolean {
    const rules = rulesOf(playlist)
    return rules !== null && mayKeep(rules)
  }

  /** Words of titles are looked up in the search index: until it is whole, other episodes seem to be the first. */
  const isUnsure = (playlist: KeptPlaylist) =>
    store.search.isBehind() && rulesOf(playlist)?.rules.some(({ field }) => field === 'title') === true

  return {
    /** Ids of the episodes that are to stay here; null while they cannot be told, since titles are being indexed. */
    ids(): number[] | null {
      const kept = store.playlists.listKept()
      return kept.some(isUnsure) ? null : [...new Set(kept.flatMap(firstOf))]
    },

    /**
     * Queues those that were never queued. What a person or a rule removed, what failed and what was cancelled is left
     * alone. A process that is killed goes on with the next run.
     */
    async queueMissing() {
      let queued = 0
      for (const playlist of store.playlists.listKept().filter(mayQueue)) {
        if (isUnsure(playlist)) continue
        const wanted = store.episodes
          .neverQueued(firstOf(playlist))
          .filter(({ enclosure_url }) => !isFolderAddress(enclosure_url))
        if (wanted.length > 0)
          store.inTransaction(() => {
            for (const { id } of wanted) store.downloads.enqueue(id, { automatic: true, userId: null, now: now() })
          })
        queued += wanted.length
        // Other requests have their turn between the playlists.
        await Bun.sleep(0)
      }
      if (queued > 0) downloads.pump()
    },
  }
}
