import { t } from 'elysia'
import { Bookmark, NewBookmark } from '../../../shared/api/bookmark'
import type { Context } from '../../context'
import { invalidField, notFound, Problem } from '../../platform/problem'
import type { BookmarkRow } from '../../store/bookmarks'
import type { UserRow } from '../../store/users'
import { writeInstant } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

const MOST = 5000

/** Moments that somebody wants to come back to. */
export function bookmarks(routes: SignedInRoutes, { store, now }: Context) {
  const requireEpisode = (user: UserRow, uuid: string) => {
    const episode = store.episodes.findVisible(user, uuid)
    if (!episode) throw notFound('episode')
    return episode
  }

  routes
    .get(
      '/api/v1/bookmarks',
      ({ user, query }) =>
        (query.episode === undefined
          ? store.bookmarks.listFor(user, MOST)
          : store.bookmarks.ofEpisode(user, requireEpisode(user, query.episode).id)
        ).map(present),
      { query: t.Object({ episode: t.Optional(t.String({ maxLength: 100 })) }), response: t.Array(Bookmark) },
    )
    .post(
      '/api/v1/bookmarks',
      ({ user, body }) => {
        const episode = requireEpisode(user, body.episode)
        if (store.bookmarks.countFor(user.id) >= MOST) throw invalidField('episode', `at most ${MOST} bookmarks`)
        const moment = { time: Math.floor(body.time), note: body.note?.trim() || null }
        return present(store.bookmarks.add(user.id, episode.id, moment, now()))
      },
      { body: NewBookmark, response: Bookmark },
    )
    .delete(
      '/api/v1/bookmarks/:id',
      ({ user, params, set }) => {
        if (!store.bookmarks.remove(user.id, params.id)) throw new Problem('not-found', 'There is no such bookmark')
        set.status = 204
      },
      { body: t.Any() },
    )
}

const present = ({ uuid, episode_uuid, time, note, created_at }: BookmarkRow): Bookmark => ({
  id: uuid,
  episode: episode_uuid,
  time,
  note,
  createdAt: writeInstant(created_at),
})
