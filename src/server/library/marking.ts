import type { Listened } from '../../shared/api/episode'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { notFound } from '../platform/problem'
import type { Store } from '../store'
import type { Viewer } from '../store/visibility'

type Needs = { store: Store; publish: Publish; now: Clock }

/** Marks the episodes of a podcast as played or unplayed, all at once, and undoes it. */
export const createMarking = (needs: Needs) => ({
  /** Marks all episodes, or those up to and including `until`; returns their number. Throws `episode-not-found`. */
  mark(viewer: Viewer, podcastId: number, { finished, until }: Listened): { affected: number; undo: string } {
    const { store } = needs
    const last = until === undefined ? null : store.episodes.require(viewer, until)
    if (last && last.podcast_id !== podcastId) throw notFound('episode')
    const undo = crypto.randomUUID()
    const now = latest(needs, viewer, podcastId)
    const affected = store.inTransaction(() =>
      store.playback.markAll(viewer, { podcastId, finished, until: last?.published_at ?? null, mark: undo, now }),
    )
    const episodeIds = publishMarked(needs, viewer, podcastId, now)
    if (finished) needs.publish({ type: 'episodesFinished', userId: viewer.id, episodeIds, source: 'library' })
    return { affected, undo }
  },

  /** Undoes a marking for the episodes that were not played since; returns their number. */
  undo(viewer: Viewer, podcastId: number, undo: string): number {
    const { store } = needs
    const now = latest(needs, viewer, podcastId)
    const affected = store.inTransaction(() => store.playback.unmark(viewer.id, undo, now))
    publishMarked(needs, viewer, podcastId, now)
    return affected
  },
})

/** Now, but never before the latest known position: after a clock went back, an older report would win. */
const latest = ({ store, now }: Needs, viewer: Viewer, podcastId: number) =>
  Math.max(now(), store.playback.latestOf(viewer.id, podcastId))

function publishMarked({ store, publish }: Needs, { id: userId }: Viewer, podcastId: number, at: number) {
  const episodeIds = store.playback.changedAt(userId, podcastId, at)
  publish({ type: 'episodesMarked', userId, podcastId, episodeIds, source: 'library' })
  return episodeIds
}
