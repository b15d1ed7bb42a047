import { t } from 'elysia'
import { Bookmark, BookmarkEdit, NewBookmark, NewSkipMark, SkipMark } from '../../../shared/api/marks'
import type { Context } from '../../context'
import { writeBookmarks } from '../../library/write-bookmarks'
import type { BookmarkRow } from '../../store/bookmarks'
import type { SkipMarkRow } from '../../store/playback-marks'
import { writeInstant } from '../core/instants'
import { inert } from '../core/headers'
import type { SignedInRoutes } from '../core/signed-in'

const OfEpisode = t.Object({ episode: t.Optional(t.String({ maxLength: 100 })) })

export function bookmarks(routes: SignedInRoutes, { bookmarks }: Context) {
  routes
    .get('/api/v1/bookmarks', ({ user, query }) => bookmarks.list(user, query.episode).map(presentBookmark), {
      query: OfEpisode,
      response: t.Array(Bookmark),
    })
    .get(
      '/api/v1/bookmarks/markdown',
      ({ user, links, query }) =>
        new Response(writeBookmarks(bookmarks.list(user, query.episode), links.base), {
          headers: {
            ...inert,
            'Content-Type': 'text/markdown; charset=utf-8',
            'Content-Disposition': 'attachment; filename="bookmarks.md"',
          },
        }),
      { query: OfEpisode },
    )
    .post('/api/v1/bookmarks', ({ user, body }) => presentBookmark(bookmarks.add(user, body)), {
      body: NewBookmark,
      response: Bookmark,
    })
    .put('/api/v1/bookmarks/:id', ({ user, params, body }) => presentBookmark(bookmarks.edit(user, params.id, body)), {
      body: BookmarkEdit,
      response: Bookmark,
    })
    .delete('/api/v1/bookmarks/:id', ({ user, params, set }) => {
      bookmarks.remove(user, params.id)
      set.status = 204
    })
}

const presentBookmark = ({ uuid, episode_uuid, time, note, created_at }: BookmarkRow): Bookmark => ({
  id: uuid,
  episode: episode_uuid,
  time,
  note,
  createdAt: writeInstant(created_at),
})

export function skipMarks(routes: SignedInRoutes, { skipMarks }: Context) {
  routes
    .get('/api/v1/skip-marks', ({ user, query }) => skipMarks.list(user, query.episode).map(presentSkipMark), {
      query: t.Object({ episode: t.String({ maxLength: 100 }) }),
      response: t.Array(SkipMark),
    })
    .post('/api/v1/skip-marks', ({ user, body }) => presentSkipMark(skipMarks.add(user, body)), {
      body: NewSkipMark,
      response: SkipMark,
    })
    .delete('/api/v1/skip-marks/:id', ({ user, params, set }) => {
      skipMarks.remove(user, params.id)
      set.status = 204
    })
}

const presentSkipMark = ({ uuid, episode_uuid, start_ms, end_ms, skip }: SkipMarkRow): SkipMark => ({
  id: uuid,
  episode: episode_uuid,
  start: start_ms / 1000,
  end: end_ms / 1000,
  skip: skip === 1,
})
