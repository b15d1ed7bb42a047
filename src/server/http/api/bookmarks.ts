import { t } from 'elysia'
import { Bookmark, BookmarkEdit, NewBookmark } from '../../../shared/api/bookmark'
import type { Context } from '../../context'
import { Problem } from '../../platform/problem'
import type { BookmarkRow } from '../../store/bookmarks'
import { writeInstant } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

export function bookmarks(routes: SignedInRoutes, { store, bookmarks }: Context) {
  routes
    .get('/api/v1/bookmarks', ({ user, query }) => bookmarks.list(user, query.episode).map(present), {
      query: t.Object({ episode: t.Optional(t.String({ maxLength: 100 })) }),
      response: t.Array(Bookmark),
    })
    .post('/api/v1/bookmarks', ({ user, body }) => present(bookmarks.add(user, body)), {
      body: NewBookmark,
      response: Bookmark,
    })
    .put('/api/v1/bookmarks/:id', ({ user, params, body }) => present(bookmarks.edit(user, params.id, body)), {
      body: BookmarkEdit,
      response: Bookmark,
    })
    .delete('/api/v1/bookmarks/:id', ({ user, params, set }) => {
      if (!store.bookmarks.remove(user.id, params.id)) throw new Problem('not-found', 'Bookmark not found')
      set.status = 204
    })
}

const present = ({ uuid, episode_uuid, time, note, created_at }: BookmarkRow): Bookmark => ({
  id: uuid,
  episode: episode_uuid,
  time,
  note,
  createdAt: writeInstant(created_at),
})
