import { Type } from '@sinclair/typebox'
import type { Context } from '../../../../context'
import { DAY } from '../../../../platform/clock'
import type { EpisodeForUser } from '../../../../store/episodes'
import type { UserRow } from '../../../../store/users'
import { readEnd, readInstant, writeInstant } from '../../../core/instants'
import { cutPage, readCursor } from '../../../core/paging'
import { Cursor, Day, Flag, Id, Limit, tool } from '../tool'
import { describeEpisode, writeList } from '../write'
import { presentEpisodes } from './present-episodes'

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
