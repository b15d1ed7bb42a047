import { signal } from '@preact/signals-core'
import type { NewTag, Tag, TagEdit } from '../../shared/api/tag'
import type { TagsApi } from '../api/tags'
import type { Library } from './library'

type Needs = {
  api: TagsApi
  /** Podcasts carry their tags. */
  library: Pick<Library, 'load' | 'tag'>
}

/** The user's tags, by name. */
export function createTags({ api, library }: Needs) {
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
      void library.load()
    },
    async remove(id: string) {
      await api.remove(id)
      all.value = all.value?.filter(tag => tag.id !== id) ?? null
      void library.load()
    },
    /** Shown at once, taken back when the server refuses. */
    async assign(tag: Tag, podcastId: string, isAssigned: boolean) {
      library.tag(podcastId, tag, isAssigned)
      await (isAssigned ? api.assign(tag.id, podcastId) : api.unassign(tag.id, podcastId)).catch(failure => {
        library.tag(podcastId, tag, !isAssigned)
        throw failure
      })
    },
  }
}
export type Tags = ReturnType<typeof createTags>
