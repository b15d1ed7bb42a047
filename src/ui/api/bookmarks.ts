import type { Bookmark, BookmarkEdit, NewBookmark } from '../../shared/api/bookmark'
import type { Client } from './client'

export const bookmarksApi = (client: Client) => ({
  ofEpisode: (episodeId: string) => client.get<Bookmark[]>(`/bookmarks?episode=${episodeId}`),
  list: () => client.get<Bookmark[]>('/bookmarks'),
  add: (bookmark: NewBookmark) => client.post<Bookmark>('/bookmarks', bookmark),
  edit: (id: string, edit: BookmarkEdit) => client.put<Bookmark>(`/bookmarks/${id}`, edit),
  remove: (id: string) => client.remove(`/bookmarks/${id}`),
})
