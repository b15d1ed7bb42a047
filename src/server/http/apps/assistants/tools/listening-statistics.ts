import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import { overview } from '../../../../statistics/statistics'
import { readEnd, readInstant } from '../../../core/instants'
import { count, Day, hours, tool, writeList } from '../tool'

const TOP = 10
const MAX_DAYS = 62

/** Reports listening time by podcast in a span of time. */
export const listeningStatistics = ({ store }: Context) =>
  tool(
    {
      name: 'listening_statistics',
      title: 'Sum up what was played',
      description:
        'Sums up how long the person played, and which podcasts most, within a span of time or from the beginning. ' +
        'Single episodes are in my_episodes, list history.',
      properties: {
        since: Day('The beginning of the span'),
        until: Day('Its end'),
        time_zone: Type.Optional(
          Type.String({ maxLength: 60, default: 'UTC', description: 'For days, such as Europe/Copenhagen' }),
        ),
      },
    },
    ({ user }, { since, until, time_zone }) => {
      const from = readInstant('since', since) ?? null
      const to = readEnd('until', until) ?? null
      const all = overview(store, user, from, to, time_zone!)
      const podcasts = all.podcasts.slice(0, TOP).map(({ id, seconds, episodes }) => {
        const { uuid, title } = store.podcasts.find(id)!
        return { id: uuid, title, seconds, episodes }
      })
      const text = [
        `${hours(all.seconds)} in ${count(all.episodes, 'episode')} of ${count(all.podcasts.length, 'podcast')}.`,
        writeList(
          'Most played',
          podcasts.map(
            ({ id, title, seconds, episodes }) =>
              `- ${title}: ${hours(seconds)}, ${count(episodes, 'episode')}, id ${id}`,
          ),
          null,
          'Nothing was played.',
        ),
      ].join('\n')
      const { seconds, episodes, days } = all
      return { text, data: { seconds, episodes, podcasts, last_days: days.slice(-MAX_DAYS) } }
    },
  )
