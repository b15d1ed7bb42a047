import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import { textOf } from '../../../../feeds/parse/notes-text'
import { DAY } from '../../../../platform/clock'
import type { EpisodeForUser } from '../../../../store/episodes'
import type { UserRow } from '../../../../store/users'
import { readEnd, readInstant, writeInstant } from '../../../core/instants'
import { cutList, cutPage, readCursor } from '../../../core/query'
import {
  clock,
  count,
  Cursor,
  cut,
  Day,
  describeEpisode,
  episodeFacts,
  Flag,
  Id,
  Limit,
  linkTo,
  presentEpisodes,
  tool,
  writeList,
} from '../tool'
import { notFound } from '../../../../platform/problem'
import type { Segment } from '../../../../store/documents'

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

/** Characters of a passage as data; as text it is shorter. */
const MAX_PASSAGE = 24_000

/** A passage of a transcript, as long as one answer may be. */
export const readTranscript = ({ store, texts }: Context) =>
  tool(
    {
      name: 'read_transcript',
      title: 'Read a transcript',
      description:
        'Reads what is said in an episode around a moment, with times and speakers as far as they are known. The ' +
        'answer says where it ends, so that reading can continue there.',
      properties: {
        episode_id: Id('The id of an episode that has a transcript'),
        at: Type.Optional(Type.Number({ minimum: 0, maximum: 1e6, default: 0, description: 'The moment, in seconds' })),
        before: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 1800, default: 15, description: 'Seconds to read before the moment' }),
        ),
        after: Type.Optional(
          Type.Integer({ minimum: 10, maximum: 3600, default: 180, description: 'Seconds to read from the moment on' }),
        ),
      },
    },
    async ({ user, base }, { episode_id, at, before, after }) => {
      const row = store.episodes.requireFor(user, episode_id)
      const document = await texts.transcriptOf(row)
      if (!document) throw notFound('transcript')
      const all = store.documents.segmentsOf(document.id)
      const { passage, isCut, next } = cutPassage(all, (at! - before!) * 1000, (at! + after!) * 1000)
      const start = startOf(passage[0])
      const data = {
        episode_id: row.uuid,
        title: row.title,
        language: document.language,
        segments: passage.map(presentSegment),
        continues_at: next,
        has_more: isCut,
        link: linkTo(base, row, start ?? undefined),
      }
      const more = !isCut
        ? 'The transcript ends here.'
        : next === null
          ? 'It continues, but has no times there: the rest cannot be read here.'
          : `It continues at ${next} seconds.`
      return { text: [`${row.title}, ${data.link}`, writePassage(passage), more].join('\n\n'), data }
    },
  )

const seconds = (ms: number | null) => (ms === null ? null : ms / 1000)
const presentSegment = ({ startMs, speaker, text }: Segment) => ({ start: seconds(startMs), speaker, text })
const startOf = (segment: Segment | undefined) => seconds(segment?.startMs ?? null)

/** The segments of a span, within the bounds of an answer; `next`: the second at which the next one begins. */
function cutPassage(all: readonly Segment[], fromMs: number, toMs: number) {
  // A transcript without times is read from its beginning.
  const first = all.findIndex(({ startMs, endMs }) => startMs === null || (endMs ?? startMs) >= fromMs)
  const passage: Segment[] = []
  let characters = 0
  for (const segment of first === -1 ? [] : all.slice(first)) {
    characters += JSON.stringify(presentSegment(segment)).length
    const isBeyond = segment.startMs !== null && segment.startMs >= toMs
    if (isBeyond || (characters > MAX_PASSAGE && passage.length > 0))
      return { passage, isCut: true, next: startOf(segment) }
    passage.push(segment)
  }
  return { passage, isCut: false, next: null }
}

/** A line for each segment, with its time, and its speaker where that changes. */
function writePassage(passage: readonly Segment[]): string {
  if (passage.length === 0) return 'Nothing is said there.'
  let last: string | null = null
  return passage
    .map(({ startMs, speaker, text }) => {
      const who = speaker !== null && speaker !== last ? `${speaker}: ` : ''
      last = speaker
      return `${startMs === null ? '' : `[${clock(startMs / 1000)}] `}${who}${text}`
    })
    .join('\n')
}
