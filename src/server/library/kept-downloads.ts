import type { SmartRules } from '../../shared/api/playlist'
import { mayKeep } from '../../shared/may-keep'
import type { Downloads } from '../downloads/queue'
import type { Clock } from '../platform/clock'
import type { Listeners } from '../platform/events'
import type { Store } from '../store'
import { isFolderAddress } from '../store/feeds'
import type { KeepingNext } from '../store/kept-next'
import type { KeptPlaylist } from '../store/playlists'
import { type Playlists, queryOfRules, rulesOf } from './playlists'

type Needs = { store: Store; downloads: Pick<Downloads, 'pump'>; playlists: Pick<Playlists, 'idsOf'>; now: Clock }

/**
 * Keeps the first episodes of smart playlists downloaded, if their rules ask for that, and the next ones of podcasts.
 */
export function createKeptDownloads(needs: Needs) {
  const next = createKeptNext(needs)
  const { store, downloads, playlists, now } = needs
  const firstOf = (playlist: KeptPlaylist) =>
    playlists.idsOf(viewerOf(playlist), playlist).slice(0, playlist.keep_downloaded)

  /** Rules that were stored before such rules were refused ask for no downloads. */
  function mayQueue(playlist: KeptPlaylist): boolean {
    const rules = rulesOf(playlist)
    return rules !== null && mayKeep(rules)
  }

  /** Words of titles are looked up in the search index: until it is complete, other episodes seem to be the first. */
  const isUnsure = (playlist: KeptPlaylist) =>
    store.search.isBehind() && rulesOf(playlist)?.rules.some(({ field }) => field === 'title') === true

  /**
   * The episodes to download, and those that hold a place. If the length decides, a file may turn out longer than its
   * feed said: what was chosen keeps its place until it is played, removed, or excluded by another rule, so that a
   * download never makes room for the next one.
   */
  function wantedOf(playlist: KeptPlaylist): { ids: number[]; places: number[] } {
    const first = firstOf(playlist)
    const isMissing = new Set(
      store.episodes
        .neverQueued(first)
        .filter(({ enclosure_url }) => !isFolderAddress(enclosure_url))
        .map(({ id }) => id),
    )
    if (!isByLength(playlist)) return { ids: [...isMissing], places: [] }
    const lasting = lastingOf(needs, playlist)
    const isHere = new Set(store.keptEpisodes.hereAmong(playlist.user_id, first))
    const room = Math.max(0, playlist.keep_downloaded - lasting.length)
    const added = first.filter(id => !lasting.includes(id) && (isHere.has(id) || isMissing.has(id))).slice(0, room)
    return { ids: added.filter(id => isMissing.has(id)), places: [...lasting, ...added] }
  }

  return {
    /** Ids of the episodes that must stay downloaded; null while they are unknown, since titles are being indexed. */
    ids(): number[] | null {
      const kept = store.playlists.listKept()
      if (kept.some(isUnsure)) return null
      return [
        ...new Set([
          ...kept.flatMap(playlist => (isByLength(playlist) ? store.keptEpisodes.of(playlist.id) : firstOf(playlist))),
          ...next.ids(),
        ]),
      ]
    },

    /**
     * Queues those that were never queued. What a person or a rule removed, what failed and what was cancelled is left
     * alone. After a kill, the next run continues.
     */
    async queueMissing() {
      let queued = 0
      for (const playlist of store.playlists.listKept().filter(mayQueue)) {
        if (isUnsure(playlist)) continue
        const { ids, places } = wantedOf(playlist)
        const isChanged = new Set(store.keptEpisodes.of(playlist.id)).symmetricDifference(new Set(places)).size > 0
        if (ids.length > 0 || isChanged)
          store.inTransaction(() => {
            for (const id of ids) store.downloads.enqueue(id, { automatic: true, userId: null, now: now() })
            store.keptEpisodes.replace(playlist.id, places)
          })
        queued += ids.length
        // Other requests have their turn between the playlists.
        await Bun.sleep(0)
      }
      if (queued > 0) downloads.pump()
      await next.queueMissing()
    },
    listeners: next.listeners,
  }
}

const viewerOf = ({ user_id: id, explicit_consent }: KeptPlaylist) => ({ id, explicit_consent })

const rulesByLength = ({ rules, order }: SmartRules) =>
  order === 'shortest' || order === 'longest' || rules.some(({ field }) => field === 'duration')

function isByLength(playlist: KeptPlaylist): boolean {
  const rules = rulesOf(playlist)
  return rules !== null && rulesByLength(rules)
}

/** The episodes of a playlist that keep their place: all rules but those about the length still match. */
function lastingOf(needs: Pick<Needs, 'store' | 'now'>, playlist: KeptPlaylist): number[] {
  const { store } = needs
  const lasting = store.keptEpisodes.lastingOf(playlist.id, playlist.user_id).slice(0, playlist.keep_downloaded)
  const rules = rulesOf(playlist)
  if (rules === null || lasting.length === 0) return []
  // With "any rule", nobody knows whether it was the one about the length that matched.
  const others = rules.match === 'any' ? [] : rules.rules.filter(({ field }) => field !== 'duration')
  const viewer = viewerOf(playlist)
  return store.smartLists.amongFor(
    viewer,
    queryOfRules(needs, viewer, { ...rules, match: 'all', rules: others }),
    lasting,
  )
}

/** The most episodes of a podcast that are kept for all of its listeners together. */
const MAX_OF_PODCAST = 200
/** A sync may report thousands of finished episodes at once: the job looks after the rest. */
const MAX_FINISHED = 100

/**
 * Keeps the next unplayed episodes of a podcast downloaded for each of its listeners, if its settings ask for that.
 * Nothing is remembered: what is next follows from what people have played.
 */
function createKeptNext({ store, downloads, now }: Omit<Needs, 'playlists'>) {
  function nextOf(podcast: KeepingNext): number[] {
    const lists = store.keptNext.listeners(podcast.id).map(viewer => store.keptNext.idsFor(viewer, podcast))
    // Everybody's first episode, then everybody's second one.
    const ids = Array.from({ length: podcast.keep_next }, (_, place) => lists.flatMap(list => list[place] ?? []))
    return [...new Set(ids.flat())].slice(0, MAX_OF_PODCAST)
  }

  /** Queues those that were never queued: not those that a person or a rule removed, or that failed. */
  function queueOf(podcast: KeepingNext): number {
    const missing = store.episodes
      .neverQueued(nextOf(podcast))
      .filter(({ enclosure_url }) => !isFolderAddress(enclosure_url))
    if (missing.length > 0)
      store.inTransaction(() => {
        for (const { id } of missing) store.downloads.enqueue(id, { automatic: true, userId: null, now: now() })
      })
    return missing.length
  }

  function queueNow(podcastIds: Iterable<number>) {
    let queued = 0
    for (const podcastId of podcastIds) {
      const podcast = store.keptNext.findPodcast(podcastId)
      if (podcast) queued += queueOf(podcast)
    }
    if (queued > 0) downloads.pump()
  }

  return {
    ids: (): number[] => store.keptNext.podcasts().flatMap(nextOf),
    async queueMissing() {
      let queued = 0
      for (const podcast of store.keptNext.podcasts()) {
        queued += queueOf(podcast)
        // Other requests have their turn between the podcasts.
        await Bun.sleep(0)
      }
      if (queued > 0) downloads.pump()
    },
    listeners: {
      feedApplied: ({ podcastId, addedIds }) => {
        if (addedIds.length > 0) queueNow([podcastId])
      },
      episodesMarked: ({ podcastId }) => queueNow([podcastId]),
      episodesFinished({ episodeIds }) {
        const podcastIds = episodeIds.slice(0, MAX_FINISHED).map(id => store.episodes.find(id)?.podcast_id ?? 0)
        queueNow(new Set(podcastIds))
      },
    } satisfies Listeners,
  }
}
