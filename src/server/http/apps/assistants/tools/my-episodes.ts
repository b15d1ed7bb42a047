import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import { writeInstant } from '../../../core/instants'
import { cutList, readCursor } from '../../../core/paging'
import { Cursor, Limit, tool } from '../tool'
import { clock, count, cut, describeEpisode, linkTo, writeList } from '../write'
import { presentEpisodes } from './present-episodes'

const lists = ['queue', 'in-progress', 'history', 'liked', 'bookmarked', 'downloaded'] as const

/** The lists of a person: what plays next, what was begun and played, liked, bookmarked and downloaded. */
export const myEpisodes = ({ store }: Context) =>
  tool(
    {
      name: 'my_episodes',
      title: "Show the person's own lists",
      description:
        'Shows a list of the person: queue (what plays next, in that order), in-progress (begun and not finished), ' +
        'history (what was played, the latest first), liked, bookmarked (moments with notes), or downloaded.',
      properties: {
        list: Type.Union(
          lists.map(list => Type.Literal(list)),
          { description: 'Which list' },
        ),
        limit: Limit(50, 20),
        cursor: Cursor,
      },
    },
    ({ user, base }, { list, limit, cursor }) => {
      if (list === 'queue') {
        const rows = store.queue.itemsFor(user)
        const episodes = presentEpisodes(store, user, rows.slice(0, limit), base)
        const text = writeList(
          `Queue, ${count(rows.length, 'episode')}`,
          episodes.map(describeEpisode),
          null,
          'It is empty.',
        )
        return { text, data: { list, total: rows.length, episodes, next_cursor: null } }
      }
      const placeOf = (row: { listed_at: number; listed_id: number }) => ({
        published_at: row.listed_at,
        id: row.listed_id,
      })
      const { rows, next } = cutList(limit!, placeOf, most =>
        store.yourEpisodes.pageFor(user, list, readCursor(cursor), most),
      )
      const facts = presentEpisodes(store, user, rows, base)
      const episodes = rows.map((row, index) => ({
        ...facts[index]!,
        listed_at: writeInstant(row.listed_at),
        ...(row.bookmark_time !== null && {
          bookmark: {
            time: row.bookmark_time,
            note: cut(row.bookmark_note ?? '', 500),
            link: linkTo(base, row, row.bookmark_time),
          },
        }),
      }))
      const entries = episodes.map(one => {
        const mark = one.bookmark
        const line = `${describeEpisode(one)}, ${one.listed_at.slice(0, 16).replace('T', ' ')} UTC`
        return mark ? `${line}\n  bookmark at ${clock(mark.time)}: ${mark.note || '–'}, ${mark.link}` : line
      })
      return { text: writeList(list, entries, next, 'It is empty.'), data: { list, episodes, next_cursor: next } }
    },
  )
