import type { BookmarkEdit, NewBookmark } from '../../shared/api/bookmark'
import type { Clock } from '../platform/clock'
import { invalidField, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { BookmarkRow } from '../store/bookmarks'
import type { Viewer } from '../store/visibility'

const MAX_PER_USER = 5000

type Needs = { store: Store; now: Clock }

/** Bookmarks: moments of an episode that a user marked. */
export const createBookmarks = ({ store, now }: Needs) => ({
  /** Lists all bookmarks, latest first, or those of one episode in its order. Throws `episode-not-found`. */
  list: (viewer: Viewer, episode: string | undefined): BookmarkRow[] =>
    episode === undefined
      ? store.bookmarks.listFor(viewer, MAX_PER_USER)
      : store.bookmarks.ofEpisode(viewer, store.episodes.require(viewer, episode).id),

  /** Adds a bookmark. Throws `episode-not-found`, and `invalid-field` for a user with too many bookmarks. */
  add(viewer: Viewer, { episode, time, note }: NewBookmark): BookmarkRow {
    const { id } = store.episodes.require(viewer, episode)
    if (store.bookmarks.countFor(viewer.id) >= MAX_PER_USER)
      throw invalidField('episode', `at most ${MAX_PER_USER} bookmarks`)
    return store.bookmarks.add(viewer.id, id, { time: Math.floor(time), note: note?.trim() || null }, now())
  },

  /** Changes the note. Throws `not-found` for a bookmark that this user does not have. */
  edit(viewer: Viewer, uuid: string, { note }: BookmarkEdit): BookmarkRow {
    const edited = store.bookmarks.setNote(viewer, uuid, note?.trim() || null)
    if (!edited) throw new Problem('not-found', 'Bookmark not found')
    return edited
  },
})
export type Bookmarks = ReturnType<typeof createBookmarks>
