import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import { tool } from '../tool'
import { chosenEpisodes, Episodes } from './chosen-episodes'

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
          : favourites.likeAll(user.id, chosen, as === 'liked')
      return { text: `Done. ${changed} of ${chosen.length} were not marked so before.`, data: { changed } }
    },
  )
