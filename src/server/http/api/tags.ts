import { t } from 'elysia'
import { NewTag, Tag, TagAssignment, TagEdit } from '../../../shared/api/podcast'
import type { Context } from '../../context'
import type { TagRow } from '../../store/tags'
import { writeInstant } from '../core/instants'
import type { SignedInRoutes } from '../core/signed-in'

export function tags(routes: SignedInRoutes, { store, tags }: Context) {
  routes
    .get('/api/v1/tags', ({ user }) => store.tags.listFor(user.id).map(tag => presentTag(tag, user.uuid)), {
      response: t.Array(Tag),
    })
    .post('/api/v1/tags', ({ user, body }) => presentTag(tags.create(user.id, body), user.uuid), {
      body: NewTag,
      response: Tag,
    })
    .put('/api/v1/tags/:id', ({ user, params, body }) => presentTag(tags.edit(user.id, params.id, body), user.uuid), {
      body: TagEdit,
      response: Tag,
    })
    .delete('/api/v1/tags/:id', ({ user, params, set }) => {
      store.tags.remove(store.tags.require(user.id, params.id).id)
      set.status = 204
    })
    .post(
      '/api/v1/tags/:id/:podcast',
      ({ user, params }) => {
        const tag = store.tags.require(user.id, params.id)
        store.tags.assign(tag.id, store.podcasts.require(user, params.podcast).id)
        return { tag_id: params.id, podcast_id: params.podcast }
      },
      { response: TagAssignment },
    )
    .delete('/api/v1/tags/:id/:podcast', ({ user, params, set }) => {
      const tag = store.tags.require(user.id, params.id)
      store.tags.unassign(tag.id, store.podcasts.require(user, params.podcast).id)
      set.status = 204
    })
}

export type TagFacts = Pick<TagRow, 'uuid' | 'name' | 'color' | 'description' | 'created_at'>

export const presentTag = (row: TagFacts, userUuid: string): Tag => ({
  id: row.uuid,
  name: row.name,
  color: row.color,
  user_id: userUuid,
  description: row.description,
  created_at: writeInstant(row.created_at),
})
