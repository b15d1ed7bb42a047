import type { Listened } from '../../shared/api/episode'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { invalidField, notFound } from '../platform/problem'
import type { Store } from '../store'
import type { Marked } from '../store/playback-marks'
import type { TimelineFilter } from '../store/timeline-conditions'
import type { Viewer } from '../store/visibility'

type Needs = { store: Store; publish: Publish; now: Clock }
type Outcome = { affected: number; undo: string }

/** The most episodes of several podcasts that are marked at once. */
const MOST_MARKED = 10_000

/** Marks many episodes as played or unplayed at once, and undoes it. */
export const createMarking = (needs: Needs) => ({
  /** Marks all episodes of a podcast, or those up to and including `until`. Throws `episode-not-found`. */
  mark(viewer: Viewer, podcastId: number, { finished, until }: Listened): Outcome {
    const { store } = needs
    const last = until === undefined ? null : store.episodes.require(viewer, until)
    if (last && last.podcast_id !== podcastId) throw notFound('episode')
    const now = latest(needs, store.playback.latestOf(viewer.id, podcastId))
    return change(needs, viewer, finished, undo =>
      store.playback.markPodcast(viewer, podcastId, last?.published_at ?? null, { finished, mark: undo, now }),
    )
  },

  /** Marks the episodes of the timeline that match a filter. Throws `invalid-field` for more than 10,000. */
  markTimeline(viewer: Viewer, filter: TimelineFilter, finished: boolean): Outcome {
    const { store } = needs
    if (store.timeline.idsFor(viewer, filter, MOST_MARKED + 1).length > MOST_MARKED)
      throw invalidField('from', `a time after which there are at most ${MOST_MARKED} episodes`)
    const now = latest(needs, store.playback.latestOfAll(viewer.id))
    return change(needs, viewer, finished, undo =>
      store.playback.markTimeline(viewer, filter, { finished, mark: undo, now }),
    )
  },

  /** Marks these episodes, which the viewer may see. */
  markEpisodes(viewer: Viewer, episodeIds: readonly number[], finished: boolean): Outcome {
    const { store } = needs
    const now = latest(needs, store.playback.latestOfAll(viewer.id))
    return change(needs, viewer, finished, undo =>
      store.playback.markEpisodes(viewer.id, episodeIds, { finished, mark: undo, now }),
    )
  },

  /** Undoes a marking for the episodes that were not played since; returns their number. */
  undo(viewer: Viewer, undo: string): number {
    const { store, now } = needs
    const marked = store.inTransaction(() => store.playback.unmark(viewer.id, undo, now()))
    publishMarked(needs, viewer, marked)
    return marked.length
  },
})

function change(needs: Needs, viewer: Viewer, finished: boolean, mark: (undo: string) => Marked[]): Outcome {
  const undo = crypto.randomUUID()
  const marked = needs.store.inTransaction(() => mark(undo))
  const episodeIds = publishMarked(needs, viewer, marked)
  if (finished) needs.publish({ type: 'episodesFinished', userId: viewer.id, episodeIds, source: 'library' })
  return { affected: marked.length, undo }
}

/** Now, but never before the latest known position: after a clock went back, an older report would win. */
const latest = ({ now }: Needs, known: number) => Math.max(now(), known)

/** Publishes one event for each podcast; returns the ids of the episodes. */
function publishMarked({ publish }: Needs, { id: userId }: Viewer, marked: readonly Marked[]): number[] {
  for (const [podcastId, ofPodcast] of Map.groupBy(marked, row => row.podcast_id)) {
    const episodeIds = ofPodcast.map(row => row.episode_id)
    publish({ type: 'episodesMarked', userId, podcastId, episodeIds, source: 'library' })
  }
  return marked.map(row => row.episode_id)
}
