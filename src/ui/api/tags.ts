import type { NewTag, Tag, TagEdit } from '../../shared/api/tag'
import type { Client } from './client'

export type TagsApi = ReturnType<typeof tagsApi>

export const tagsApi = (client: Client) => ({
  list: () => client.get<Tag[]>('/tags'),
  create: (tag: NewTag) => client.post<Tag>('/tags', tag),
  edit: (id: string, edit: TagEdit) => client.put<Tag>(`/tags/${id}`, edit),
  remove: (id: string) => client.remove(`/tags/${id}`),
  assign: (id: string, podcastId: string) => client.post<void>(`/tags/${id}/${podcastId}`),
  unassign: (id: string, podcastId: string) => client.remove(`/tags/${id}/${podcastId}`),
})
