import { t } from 'elysia'
import { NewTag, Tag, TagAssignment, TagEdit } from '../../../shared/api/tag'
import type { Context } from '../../context'
import { invalidField, notFound, Problem } from '../../platform/problem'
import type { TagRow } from '../../store/tags'
import type { UserRow } from '../../store/users'
import { presentTag } from './tags.present'
import type { SignedInRoutes } from '../core/signed-in'

export function tags(routes: SignedInRoutes, { store, now }: Context) {
  const require = (user: UserRow, uuid: string): TagRow => {
    const tag = store.tags.findFor(user.id, uuid)
    if (!tag) throw notFound('tag')
    return tag
  }
  const requirePodcast = (user: UserRow, uuid: string) => {
    const podcast = store.podcasts.findVisible(user, uuid)
    if (!podcast) throw notFound('podcast')
    return podcast
  }
  const requireName = (user: UserRow, text: string, except?: TagRow): string => {
    const name = text.trim()
    if (name === '') throw invalidField('name', '1 to 100 characters')
    const other = store.tags.findByName(user.id, name)
    if (other && other.id !== except?.id)
      throw new Problem('tag-name-taken', `There is a tag ${name} already`, { name })
    return name
  }

  routes
    .get('/api/v1/tags', ({ user }) => store.tags.listFor(user.id).map(tag => presentTag(tag, user.uuid)), {
      response: t.Array(Tag),
    })
    .post(
      '/api/v1/tags',
      ({ user, body }) =>
        presentTag(store.tags.add(user.id, { ...body, name: requireName(user, body.name) }, now()), user.uuid),
      { body: NewTag, response: Tag },
    )
    .put(
      '/api/v1/tags/:id',
      ({ user, params, body }) => {
        const tag = require(user, params.id)
        const name = body.name === undefined ? tag.name : requireName(user, body.name, tag)
        return presentTag(store.tags.edit(tag, { ...body, name }), user.uuid)
      },
      { body: TagEdit, response: Tag },
    )
    .delete(
      '/api/v1/tags/:id',
      ({ user, params, set }) => {
        store.tags.remove(require(user, params.id).id)
        set.status = 204
      },
      { body: t.Any() },
    )
    .post(
      '/api/v1/tags/:id/:podcast',
      ({ user, params }) => {
        store.tags.assign(require(user, params.id).id, requirePodcast(user, params.podcast).id)
        return { tag_id: params.id, podcast_id: params.podcast }
      },
      { response: TagAssignment },
    )
    .delete(
      '/api/v1/tags/:id/:podcast',
      ({ user, params, set }) => {
        store.tags.unassign(require(user, params.id).id, requirePodcast(user, params.podcast).id)
        set.status = 204
      },
      { body: t.Any() },
    )
}
