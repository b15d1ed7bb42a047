import type { NewTag, Tag, TagEdit } from '../../shared/api/tag'
import type { Api } from '../api'
import { createResource } from '../resource'
import type { Library } from './library'

type Needs = {
  api: Api['tags']
  /** Podcasts carry their tags. */
  library: Pick<Library, 'load' | 'tag'>
}

/** The user's tags, by name. */
export function createTags({ api, library }: Needs) {
  const { data: all, error, load, set } = createResource<readonly Tag[]>(api.list)
  const put = (tag: Tag) => {
    const shown = all.peek()
    // The list on its way may know more than this one tag.
    if (!shown) return void load()
    const others = shown.filter(({ id }) => id !== tag.id)
    set([...others, tag].toSorted((one, other) => one.name.localeCompare(other.name)))
  }

  return {
    all,
    error,
    load,
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
      set(all.peek()?.filter(tag => tag.id !== id) ?? null)
      void library.load()
    },
    /** Assigns a tag, or takes it off. Shown at once, and undone when the server refuses. */
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
