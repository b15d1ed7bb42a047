import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import { textOf } from '../../../../feeds/parse/notes-text'
import { DAY } from '../../../../platform/clock'
import type { EpisodeForUser } from '../../../../store/episodes'
import type { UserRow } from '../../../../store/users'
import { readEnd, readInstant, writeInstant } from '../../../core/instants'
import { cutList, cutPage, readCursor } from '../../../core/paging'
import { Cursor, Day, Flag, Id, Limit, tool } from '../tool'
import { clock, count, cut, describeEpisode, episodeFacts, linkTo, presentEpisodes, writeList } from '../write'

const DAYS = 7

/** Episodes by date: what is new in the library, or the episodes of one podcast. */
export const listEpisodes = ({ store, now }: Context) =>
  tool(
    {
      name: 'list_episodes',
      title: 'List new episodes',
      description:
        `Lists episodes by date, newest first: those of the last ${DAYS} days in the whole library, or since another ` +
        'day, or all of one podcast.',
      properties: {
        podcast_id: Type.Optional(Id('Only episodes of this podcast, from all times')),
        since: Day('Only episodes published then or later'),
        until: Day('Only episodes published then or earlier'),
        unplayed_only: Flag('Only episodes that were not played to the end'),
        favourites_only: Flag('Only episodes of favourite podcasts; not together with podcast_id'),
        downloaded_only: Flag('Only episodes with a file on the server'),
        tag: Type.Optional(
          Type.String({
            maxLength: 100,
            description: 'Only of podcasts with the tag of this name; not with podcast_id',
          }),
        ),
        shorter_than_minutes: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 10_000, description: 'Only shorter episodes; not with podcast_id' }),
        ),
        limit: Limit(50, 20),
        cursor: Cursor,
      },
    },
    ({ user, base }, args) => {
      const since = readInstant('since', args.since) ?? (args.podcast_id === undefined ? now() - DAYS * DAY : undefined)
      const until = readEnd('until', args.until)
      const after = readCursor(args.cursor)
      const read = (limit: number): EpisodeForUser[] =>
        args.podcast_id === undefined ? ofLibrary(user, limit) : ofPodcast(user, args.podcast_id, limit)
      const { rows, next } = cutPage(args.limit!, false, read)
      const episodes = presentEpisodes(store, user, rows, base)
      const heading = since === undefined ? 'Episodes' : `Episodes since ${writeInstant(since)}`
      const text = writeList(heading, episodes.map(describeEpisode), next, `${heading}: none.`)
      return { text, data: { episodes, next_cursor: next } }

      function ofLibrary(user: UserRow, limit: number) {
        const filter = {
          favouritesOnly: args.favourites_only ?? false,
          likedOnly: false,
          unplayedOnly: false,
          unfinishedOnly: args.unplayed_only ?? false,
          downloadedOnly: args.downloaded_only ?? false,
          tagId: args.tag === undefined ? undefined : store.tags.requireByName(user.id, args.tag).id,
          shorterThan: args.shorter_than_minutes === undefined ? undefined : args.shorter_than_minutes * 60,
          from: since,
          to: until === undefined ? undefined : until + 1,
        }
        return store.timeline.pageFor(user, { ...filter, after, before: undefined, undatedLast: false }, limit)
      }

      function ofPodcast(user: UserRow, uuid: string, limit: number) {
        const { id } = store.podcasts.require(user, uuid)
        const filter = {
          after,
          before: after || until === undefined ? undefined : until + 1,
          unfinishedOnly: args.unplayed_only ?? false,
          downloaded: args.downloaded_only ?? false,
        }
        const found = store.episodes.pageFor(user, id, filter, limit)
        return since === undefined ? found : found.filter(row => row.published_at >= since)
      }
    },
  )

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
        store.yourEpisodes.pageFor(user, list, { after: readCursor(cursor) }, most),
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

const MAX_NOTES = 6000
const MAX_CHAPTERS = 100

/** One episode with its notes and chapters. */
export const getEpisode = ({ store, texts }: Context) =>
  tool(
    {
      name: 'get_episode',
      title: 'Show an episode',
      description:
        'Shows one episode: its show notes as text, its chapters with a link to each, and how far the person has ' +
        'played it. Its transcript comes from read_transcript.',
      properties: { episode_id: Id('The id of an episode') },
    },
    async ({ user, base }, args) => {
      const row = store.episodes.requireFor(user, args.episode_id)
      const facts = episodeFacts(row, store.podcasts.find(row.podcast_id)!.title, base)
      const notes = cut(textOf(row.notes), MAX_NOTES)
      const chapters = (await texts.chaptersOf(row)).slice(0, MAX_CHAPTERS).map(({ title, start_ms }) => ({
        title: cut(title, 200),
        start: start_ms / 1000,
        link: linkTo(base, row, start_ms / 1000),
      }))
      const text = [
        describeEpisode(facts),
        facts.has_transcript ? 'It has a transcript.' : 'It has no transcript.',
        ...(chapters.length > 0 ? ['Chapters:'] : []),
        ...chapters.map(({ title, start, link }) => `- ${clock(start)} ${title}, ${link}`),
        ...(notes ? ['Show notes:', notes] : []),
      ].join('\n')
      return { text, data: { ...facts, notes, chapters, publisher_link: row.link } }
    },
  )
