import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import { tool } from '../tool'
import { count, describeEpisode, writeList } from '../write'
import { chosenEpisodes, Episodes } from './chosen-episodes'
import { presentEpisodes } from './present-episodes'

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
