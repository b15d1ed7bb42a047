import { Type } from '@sinclair/typebox'
import type { SearchField } from '../../../../../shared/api/search'
import type { Context } from '../../../../context'
import { findAlternatives } from '../../../../search/alternatives'
import { find } from '../../../../search/find'
import type { Hit } from '../../../../search/words'
import { readEnd, readInstant, writeInstantOrNull } from '../../../core/instants'
import { readSearchCursor, writeSearchCursor } from '../../../core/query'
import {
  type Caller,
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
  plain,
  tool,
  writeList,
} from '../tool'
import type { ListedPodcast } from '../../../../store/podcasts'

const fields: readonly SearchField[] = ['titles', 'notes', 'chapters', 'transcripts']

/** Searches the library, as the interface does. */
export const search = ({ store }: Context) =>
  tool(
    {
      name: 'search',
      title: 'Search the library',
      description:
        'Finds episodes by words in their titles, show notes, chapters and transcripts, newest first, and podcasts by ' +
        'title. If no episode has all of the words, those with the most and rarest of them are answered, the best ' +
        'first. A hit in a chapter or transcript names the moment and links to it. A few distinctive words find the most.',
      properties: {
        query: Type.String({ minLength: 1, maxLength: 200, description: 'Words to find' }),
        in: Type.Optional(
          Type.Array(Type.Union(fields.map(field => Type.Literal(field))), {
            minItems: 1,
            maxItems: 4,
            description: 'Where to look; everywhere if absent',
          }),
        ),
        podcast_id: Type.Optional(Id('Only episodes of this podcast')),
        unplayed_only: Flag('Only episodes that were not played to the end'),
        downloaded_only: Flag('Only episodes with a file on the server'),
        since: Day('Only episodes published then or later'),
        until: Day('Only episodes published then or earlier'),
        limit: Limit(25, 10),
        cursor: Cursor,
      },
    },
    ({ user, base }, args) => {
      const filter = {
        podcastId: args.podcast_id === undefined ? undefined : store.podcasts.require(user, args.podcast_id).id,
        downloaded: args.downloaded_only ?? false,
        unplayed: args.unplayed_only ?? false,
        from: readInstant('since', args.since),
        to: readEnd('until', args.until),
      }
      const wanted = new Set<SearchField>([...(args.in ?? fields), ...(args.in ? [] : (['podcasts'] as const))])
      const found = find(store, user, args.query, wanted, filter, args.limit!, readSearchCursor(args.cursor))
      const next = writeSearchCursor(found.next)
      const podcasts = found.podcasts.map(({ uuid, title }) => ({ id: uuid, title }))
      const isFirst = args.cursor === undefined
      const alternatives =
        isFirst && found.episodes.length === 0
          ? findAlternatives(store, user, args.query, wanted, filter, args.limit!)
          : []
      const hits = alternatives.length > 0 ? alternatives : found.episodes
      const episodes = hits.map(hit => presentHit(hit, base))
      const text = [
        ...(podcasts.length > 0 ? ['Podcasts:', ...podcasts.map(({ id, title }) => `- ${title} (id ${id})`)] : []),
        writeList(
          alternatives.length > 0 ? 'No episode contains all of these words. Those with some of them' : 'Episodes',
          episodes.map(describeHit),
          next,
          'No episode contains these words.',
        ),
      ].join('\n')
      return { text, data: { podcasts, episodes, has_all_words: alternatives.length === 0, next_cursor: next } }
    },
  )

function presentHit({ row, matchedIn, snippet, startMs }: Hit, base: Caller['base']) {
  const at = startMs === undefined ? null : startMs / 1000
  return {
    ...episodeFacts(row, row.podcast_title, base),
    matched_in: matchedIn,
    passage: plain(snippet),
    moment: at,
    moment_link: at === null ? null : linkTo(base, row, at),
  }
}

function describeHit(hit: ReturnType<typeof presentHit>): string {
  const where = hit.moment === null ? hit.matched_in : `${hit.matched_in}, at ${clock(hit.moment)}: ${hit.moment_link}`
  return `${describeEpisode(hit)}\n  in ${where}\n  "${hit.passage}"`
}

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
      const podcasts = rows.map(row => presentPodcast(row, base))
      const text = writeList(
        `${podcasts.length} of ${count(ids.length, 'podcast')}, from number ${offset! + 1} on`,
        podcasts.map(describePodcast),
        null,
        ids.length === 0
          ? 'There is no such podcast.'
          : `There ${ids.length === 1 ? 'is' : 'are'} only ${count(ids.length, 'podcast')}.`,
      )
      return { text, data: { total: ids.length, podcasts } }
    },
  )

const presentPodcast = (row: ListedPodcast, base: string) => ({
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

function describePodcast({
  title,
  episodes,
  unplayed,
  latest_episode,
  favourite,
  tags,
  id,
}: ReturnType<typeof presentPodcast>) {
  const facts = [
    count(episodes, 'episode'),
    `${unplayed} not played`,
    latest_episode && `latest ${latest_episode.slice(0, 10)}`,
    favourite && 'favourite',
    tags.length > 0 && `tags: ${tags.join(', ')}`,
  ]
  return `- ${title} (${facts.filter(Boolean).join('; ')}), id ${id}`
}
