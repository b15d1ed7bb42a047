import type { Downloads } from '../downloads/queue'
import type { Clock } from '../platform/clock'
import type { Listeners } from '../platform/events'
import type { Store } from '../store'
import { isFolderAddress } from '../store/feeds'
import type { KeepingNext } from '../store/kept-next'

/** The most episodes of a podcast that are kept for all of its listeners together. */
const MAX_OF_PODCAST = 200
/** A sync may report thousands of finished episodes at once: the job looks after the rest. */
const MAX_FINISHED = 100

type Needs = { store: Store; downloads: Pick<Downloads, 'pump'>; now: Clock }

/**
 * Keeps the next unplayed episodes of a podcast downloaded for each of its listeners, if its settings ask for that.
 * Nothing is remembered: what is next follows from what people have played.
 */
export function createKeptNext({ store, downloads, now }: Needs) {
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
