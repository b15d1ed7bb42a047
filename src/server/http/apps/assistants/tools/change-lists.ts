import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import { Problem } from '../../../../platform/problem'
import type { Store } from '../../../../store'
import type { Viewer } from '../../../../store/visibility'
import { count, describeEpisode, Id, presentEpisodes, tool, writeList } from '../tool'

const MAX_SHOWN = 20

/** Adds episodes to the queue, or removes them. */
export const changeQueue = ({ store, queue }: Context) =>
  tool(
    {
      name: 'change_queue',
      title: 'Change the queue',
      description:
        'Changes what plays next: adds episodes at the head of the queue (next) or at its end (last), in the order ' +
        'given, or removes them. Adding one that is queued moves it. Answers the queue as it is then.',
      changes: true,
      properties: {
        action: Type.Union([Type.Literal('add-next'), Type.Literal('add-last'), Type.Literal('remove')], {
          description: 'What to do',
        }),
        episode_ids: Episodes,
      },
    },
    ({ user, base }, { action, episode_ids }) => {
      const chosen = chosenEpisodes(store, user, episode_ids)
      if (action === 'remove') queue.removeAll(user.id, chosen)
      else queue.addAll(user.id, chosen, action === 'add-next' ? 'next' : 'last')
      const rows = store.queue.itemsFor(user)
      const episodes = presentEpisodes(store, user, rows.slice(0, MAX_SHOWN), base)
      const heading = `Done. The queue has ${count(rows.length, 'episode')} now`
      const text = writeList(heading, episodes.map(describeEpisode), null, 'Done. The queue is empty now.')
      return { text, data: { total: rows.length, episodes } }
    },
  )

const marks = ['played', 'unplayed', 'liked', 'not-liked'] as const

/** Marks episodes as played or liked, or takes that back. */
export const markEpisodes = ({ store, marking, favourites }: Context) =>
  tool(
    {
      name: 'mark_episodes',
      title: 'Mark episodes',
      description:
        'Marks episodes as played, which takes them out of the queue, as unplayed, which forgets the position in them, ' +
        'as liked, or as not liked any more. Do it only when the person asked for it.',
      changes: true,
      properties: {
        as: Type.Union(
          marks.map(mark => Type.Literal(mark)),
          { description: 'How to mark them' },
        ),
        episode_ids: Episodes,
      },
    },
    async ({ user }, { as, episode_ids }) => {
      const chosen = chosenEpisodes(store, user, episode_ids)
      const changed =
        as === 'played' || as === 'unplayed'
          ? (await marking.markEpisodes(user, chosen, as === 'played')).affected
          : favourites.likeAll(user.id, chosen, as === 'liked').length
      return { text: `Done. ${changed} of ${chosen.length} were not marked so before.`, data: { changed } }
    },
  )

const Episodes = Type.Array(Id('The id of an episode'), {
  minItems: 1,
  maxItems: 50,
  description: 'Ids of episodes',
})

/** The rows of episodes; nothing is done by halves. Throws `episode-not-found` if the viewer may not see one. */
function chosenEpisodes(store: Store, viewer: Viewer, ids: readonly string[]): number[] {
  const found = store.episodes.idsAmong(viewer, ids)
  if (found.length === new Set(ids).size) return found
  const unknown = ids.find(id => store.episodes.findVisible(viewer, id) === null) ?? ids[0]!
  throw new Problem('episode-not-found', `There is no episode with the id ${unknown}; nothing was changed`)
}
