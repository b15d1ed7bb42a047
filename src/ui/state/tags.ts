import { signal } from '@preact/signals-core'
import type { NewTag, Tag, TagEdit } from '../../shared/api/tag'
import type { TagsApi } from '../api/tags'

/** The user's tags, by name. `onChanged`: podcasts carry them too. */
export function createTags(api: TagsApi, onChanged: () => void) {
  const all = signal<readonly Tag[] | null>(null)
  const error = signal<unknown>(null)
  const sorted = (tags: readonly Tag[]) => tags.toSorted((one, other) => one.name.localeCompare(other.name))
  const put = (tag: Tag) => {
    all.value = sorted([...(all.value ?? []).filter(({ id }) => id !== tag.id), tag])
  }

  return {
    all,
    error,
    async load() {
      error.value = null
      try {
        all.value = await api.list()
      } catch (failure) {
        error.value = failure
      }
    },
    async create(tag: NewTag) {
      const created = await api.create(tag)
      put(created)
      return created
    },
    async edit(id: string, edit: TagEdit) {
      put(await api.edit(id, edit))
      onChanged()
    },
    async remove(id: string) {
      await api.remove(id)
      all.value = all.value?.filter(tag => tag.id !== id) ?? null
      onChanged()
    },
    async assign(id: string, podcastId: string, isAssigned: boolean) {
      await (isAssigned ? api.assign(id, podcastId) : api.unassign(id, podcastId))
      onChanged()
    },
  }
}
export type Tags = ReturnType<typeof createTags>
