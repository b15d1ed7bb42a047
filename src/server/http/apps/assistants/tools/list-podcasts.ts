import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import type { ListedPodcast } from '../../../../store/podcasts'
import { writeInstantOrNull } from '../../../core/instants'
import { Flag, Limit, tool } from '../tool'
import { count, cut, writeList } from '../write'

/** The podcasts of the library, with counts. */
export const listPodcasts = ({ store }: Context) =>
  tool(
    {
      name: 'list_podcasts',
      title: 'List podcasts',
      description:
        'Lists the podcasts of the library by title, with how many episodes each has, how many of them the person has ' +
        'not played, whether it is a favourite, and its tags.',
      properties: {
        title: Type.Optional(Type.String({ maxLength: 200, description: 'Only podcasts whose titles contain this' })),
        tag: Type.Optional(Type.String({ maxLength: 100, description: 'Only podcasts with the tag of this name' })),
        favourites_only: Flag('Only the favourites of the person'),
        newest_first: Flag('Orders by the latest episode instead of the title'),
        limit: Limit(100, 50),
        offset: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 100_000, default: 0, description: 'How many podcasts to leave out' }),
        ),
      },
    },
    ({ user, base }, { title, tag, favourites_only, newest_first, limit, offset }) => {
      const ids = store.podcasts.orderFor(user, {
        title,
        favouritesOnly: favourites_only ?? false,
        tagId: tag === undefined ? undefined : store.tags.requireByName(user.id, tag).id,
        ...(newest_first && { by: 'PUBLISHEDDATE' as const, order: 'DESC' as const }),
      })
      const rows = store.podcasts.listed(user, ids.slice(offset!, offset! + limit!))
      const podcasts = rows.map(row => present(row, base))
      const text = writeList(
        `${podcasts.length} of ${count(ids.length, 'podcast')}, from number ${offset! + 1} on`,
        podcasts.map(describe),
        null,
        ids.length === 0
          ? 'There is no such podcast.'
          : `There ${ids.length === 1 ? 'is' : 'are'} only ${count(ids.length, 'podcast')}.`,
      )
      return { text, data: { total: ids.length, podcasts } }
    },
  )

const present = (row: ListedPodcast, base: string) => ({
  id: row.uuid,
  title: cut(row.title, 300),
  author: row.author && cut(row.author, 200),
  episodes: row.visible_count,
  unplayed: row.visible_count - row.finished_count,
  downloaded: row.visible_files,
  latest_episode: writeInstantOrNull(row.visible_last_at),
  favourite: row.favourite === 1,
  tags: (JSON.parse(row.tags) as { name: string }[]).map(({ name }) => name),
  link: `${base}ui/podcasts/${row.uuid}/episodes`,
})

function describe({ title, episodes, unplayed, latest_episode, favourite, tags, id }: ReturnType<typeof present>) {
  const facts = [
    count(episodes, 'episode'),
    `${unplayed} not played`,
    latest_episode && `latest ${latest_episode.slice(0, 10)}`,
    favourite && 'favourite',
    tags.length > 0 && `tags: ${tags.join(', ')}`,
  ]
  return `- ${title} (${facts.filter(Boolean).join('; ')}), id ${id}`
}
