import type { NewTag, TagEdit } from '../../shared/api/tag'
import type { Clock } from '../platform/clock'
import { invalidField, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { TagRow } from '../store/tags'

type Needs = { store: Store; now: Clock }

/** Makes and changes tags. Each user has personal tags, with distinct names. */
export const createTags = ({ store, now }: Needs) => ({
  /** Creates a tag. Throws `invalid-field` and `tag-name-taken`. */
  create: (userId: number, tag: NewTag): TagRow =>
    store.tags.add(userId, { ...tag, name: requireName(store, userId, tag.name) }, now()),

  /** Changes the fields that the edit names. Throws `tag-not-found`, `invalid-field` and `tag-name-taken`. */
  edit(userId: number, uuid: string, edit: TagEdit): TagRow {
    const tag = store.tags.require(userId, uuid)
    const name = edit.name === undefined ? tag.name : requireName(store, userId, edit.name, tag)
    return store.tags.edit(tag, { ...edit, name })
  },
})
export type Tags = ReturnType<typeof createTags>

function requireName(store: Store, userId: number, text: string, except?: TagRow): string {
  const name = text.trim()
  if (name === '') throw invalidField('name', '1 to 100 characters')
  const other = store.tags.findByName(userId, name)
  if (other && other.id !== except?.id) throw new Problem('tag-name-taken', `Tag ${name} already exists`, { name })
  return name
}
