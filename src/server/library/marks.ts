import type { BookmarkEdit, NewBookmark, NewSkipMark } from '../../shared/api/marks'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { invalidField, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { BookmarkRow, SkipMarkRow } from '../store/marks'
import type { Viewer } from '../store/visibility'

const MAX_BOOKMARKS = 5000

type Needs = { store: Store; publish: Publish; now: Clock }

/** Bookmarks: moments of an episode that a user marked. */
export const createBookmarks = ({ store, publish, now }: Needs) => ({
  /** Lists all bookmarks, latest first, or those of one episode in its order. Throws `episode-not-found`. */
  list: (viewer: Viewer, episode: string | undefined): BookmarkRow[] =>
    episode === undefined
      ? store.bookmarks.listFor(viewer, MAX_BOOKMARKS)
      : store.bookmarks.ofEpisode(viewer, store.episodes.require(viewer, episode).id),

  /** Adds a bookmark. Throws `episode-not-found`, and `invalid-field` for a user with too many bookmarks. */
  add(viewer: Viewer, { episode, time, note }: NewBookmark): BookmarkRow {
    const { id } = store.episodes.require(viewer, episode)
    if (store.bookmarks.countFor(viewer.id) >= MAX_BOOKMARKS)
      throw invalidField('episode', `at most ${MAX_BOOKMARKS} bookmarks`)
    const added = store.bookmarks.add(viewer.id, id, { time: Math.floor(time), note: note?.trim() || null }, now())
    publish({ type: 'bookmarksChanged', userId: viewer.id })
    return added
  },

  /** Changes the note. Throws `not-found` for a bookmark that this user does not have. */
  edit(viewer: Viewer, uuid: string, { note }: BookmarkEdit): BookmarkRow {
    const edited = store.bookmarks.setNote(viewer, uuid, note?.trim() || null)
    if (!edited) throw new Problem('not-found', 'Bookmark not found')
    publish({ type: 'bookmarksChanged', userId: viewer.id })
    return edited
  },

  /** Throws `not-found` for a bookmark that this user does not have. */
  remove(viewer: Viewer, uuid: string) {
    if (!store.bookmarks.remove(viewer.id, uuid)) throw new Problem('not-found', 'Bookmark not found')
    publish({ type: 'bookmarksChanged', userId: viewer.id })
  },
})
export const MAX_MARKS_PER_USER = 10_000
export const MAX_MARKS_PER_EPISODE = 200
/** A shorter part cannot be distinguished from a slip of the finger. */
const MIN_MS = 500

/** Parts of episodes that a user marked by hand: to be skipped, or to be played although a chapter says advertising. */
export const createSkipMarks = ({ store, publish, now }: Needs) => ({
  /** Lists the marks of an episode, the first made first. Throws `episode-not-found`. */
  list: (viewer: Viewer, episode: string): SkipMarkRow[] =>
    store.skipMarks.ofEpisode(viewer, store.episodes.require(viewer, episode).id),

  /**
   * Adds a mark, replacing those that it covers. Throws `episode-not-found`, and `invalid-field` for a part without a
   * length and for too many marks.
   */
  add(viewer: Viewer, { episode, start, end, skip }: NewSkipMark): SkipMarkRow {
    const { id } = store.episodes.require(viewer, episode)
    const part = { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) }
    if (part.endMs - part.startMs < MIN_MS) throw invalidField('end', 'later than start')
    const added = store.inTransaction(() => {
      store.skipMarks.removeWithin(viewer.id, id, part)
      if (store.skipMarks.ofEpisode(viewer, id).length >= MAX_MARKS_PER_EPISODE)
        throw invalidField('episode', `at most ${MAX_MARKS_PER_EPISODE} marks in an episode`)
      if (store.skipMarks.countFor(viewer.id) >= MAX_MARKS_PER_USER)
        throw invalidField('episode', `at most ${MAX_MARKS_PER_USER} marks`)
      return store.skipMarks.add(viewer.id, id, { ...part, skip }, now())
    })
    publish({ type: 'skipMarksChanged', userId: viewer.id, uuid: added.episode_uuid })
    return added
  },

  /** Removes a mark. Throws `not-found` for one that this user does not have. */
  remove(viewer: Viewer, uuid: string) {
    const episode = store.skipMarks.remove(viewer.id, uuid)
    if (episode === null) throw new Problem('not-found', 'Mark not found')
    publish({ type: 'skipMarksChanged', userId: viewer.id, uuid: episode })
  },
})
