import type { Listened } from '../../shared/api/episode'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { invalidField, notFound } from '../platform/problem'
import type { Store } from '../store'
import type { Marked } from '../store/marks'
import type { TimelineFilter } from '../store/timeline'
import type { Viewer } from '../store/visibility'

type Needs = { store: Store; publish: Publish; now: Clock }
type Outcome = { affected: number; undo: string }

/** The most episodes of several podcasts that are marked at once. */
const MAX_MARKED = 10_000

/** Episodes per transaction: others read and write in between. */
const AT_ONCE = 200

/** Marks many episodes as played or unplayed, and undoes it, in pieces. A user's markings run one after the other. */
export function createMarking(needs: Needs) {
  const { store } = needs
  const working = new Map<number, Promise<unknown>>()

  /** Runs `work` after what the same user began earlier. */
  function afterOthers<T>({ id }: Viewer, work: () => Promise<T>): Promise<T> {
    const done = (working.get(id) ?? Promise.resolve()).then(work)
    const settled = done
      .catch(() => undefined)
      .finally(() => {
        if (working.get(id) === settled) working.delete(id)
      })
    working.set(id, settled)
    return done
  }

  /** `find`: ids of the episodes, which the viewer may see. */
  const markAll = (viewer: Viewer, find: () => readonly number[], finished: boolean): Promise<Outcome> =>
    afterOthers(viewer, () => mark(needs, viewer, find(), finished))

  return {
    /** Marks all episodes of a podcast, or those up to and including `until`. Throws `episode-not-found`. */
    async mark(viewer: Viewer, podcastId: number, { finished, until }: Listened): Promise<Outcome> {
      const last = until === undefined ? null : store.episodes.require(viewer, until)
      if (last && last.podcast_id !== podcastId) throw notFound('episode')
      const latest = last?.published_at ?? null
      return markAll(viewer, () => store.playback.idsToMark(viewer, podcastId, latest, finished), finished)
    },

    /** Marks the episodes of the timeline that match a filter. Throws `invalid-field` for more than 10,000. */
    markTimeline(viewer: Viewer, filter: TimelineFilter, finished: boolean): Promise<Outcome> {
      const find = () => {
        const ids = store.timeline.idsFor(viewer, filter, MAX_MARKED + 1)
        if (ids.length <= MAX_MARKED) return ids
        throw invalidField('from', `a time after which there are at most ${MAX_MARKED} episodes`)
      }
      return markAll(viewer, find, finished)
    },

    /** Marks these episodes, which the viewer may see. */
    markEpisodes: (viewer: Viewer, episodeIds: readonly number[], finished: boolean): Promise<Outcome> =>
      markAll(viewer, () => episodeIds, finished),

    /** Undoes a marking for the episodes that were not played since; returns their number. */
    undo: (viewer: Viewer, undo: string): Promise<number> => afterOthers(viewer, () => unmark(needs, viewer, undo)),
  }
}

async function mark(needs: Needs, viewer: Viewer, episodeIds: readonly number[], finished: boolean): Promise<Outcome> {
  const { store, publish } = needs
  const undo = crypto.randomUUID()
  await store.inPieces(most => store.playback.forgetMarksOf(viewer.id, most))
  const changed: number[] = []
  for (let at = 0; at < episodeIds.length; at += AT_ONCE) {
    const marked = await store.inTurn(() => {
      const now = latest(needs, store.playback.latestOfAll(viewer.id))
      return store.playback.markEpisodes(viewer.id, episodeIds.slice(at, at + AT_ONCE), { finished, mark: undo, now })
    })
    changed.push(...publishMarked(needs, viewer, marked))
  }
  if (finished) publish({ type: 'episodesFinished', userId: viewer.id, episodeIds: changed, source: 'library' })
  return { affected: changed.length, undo }
}

async function unmark(needs: Needs, viewer: Viewer, undo: string): Promise<number> {
  const { store, now } = needs
  const next = () => store.inTurn(() => store.playback.unmark(viewer.id, undo, now(), AT_ONCE))
  let affected = 0
  for (let piece = await next(); piece.count > 0; piece = await next())
    affected += publishMarked(needs, viewer, piece.restored).length
  return affected
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
