import { t } from 'elysia'
import { Marked, MarkedUndo } from '../../../shared/api/episode'
import { TimelineSpan } from '../../../shared/api/matching'
import { Affected } from '../../../shared/api/podcast'
import { Timeline, TimelineMark, TimelineOutline } from '../../../shared/api/timeline'
import type { Context } from '../../context'
import { timelineGroups, timelineOutline } from '../../library/timeline-groups'
import type { TimelineFilter } from '../../store/timeline'
import type { UserRow } from '../../store/users'
import { readInstant } from '../core/instants'
import type { Links } from '../core/links'
import { cutPage, Flag, Limit, Offset, readCursor, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentEpisode, presentJoinedHistory } from './episodes.present'
import { presentPodcast } from './podcasts.present'

const filterFields = {
  favoredOnly: Flag,
  favoredEpisodes: Flag,
  notListened: Flag,
  downloaded: Flag,
  shorterThan: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000 })),
  tag: t.Optional(t.String({ maxLength: 100 })),
  from: t.Optional(t.String()),
  to: t.Optional(t.String()),
}
/** `offset`: a place in the list, which replaces the cursor. */
const TimelineQuery = t.Object({
  ...filterFields,
  undatedLast: Flag,
  tz: t.Optional(t.String({ maxLength: 100 })),
  lastTimestamp: t.Optional(t.String()),
  cursor: t.Optional(t.String({ maxLength: 200 })),
  offset: Offset,
  limit: Limit(100, 20),
})
type TimelineQuery = (typeof TimelineQuery)['static']
const OutlineQuery = t.Object({ ...filterFields, tz: t.String({ maxLength: 100 }) })

/** The episodes of all podcasts, newest first, and actions on many of them at once. */
export function timeline(routes: SignedInRoutes, { store, now, marking, queue }: Context) {
  routes
    .get(
      '/api/v1/podcasts/timeline',
      ({ user, links, query, set }) => {
        const { next, ...timeline } = readTimeline({ store, now: now() }, user, links, query)
        if (next) set.headers['x-next-cursor'] = next
        return timeline
      },
      { query: TimelineQuery, response: Timeline },
    )
    .get(
      '/api/v1/podcasts/timeline/outline',
      ({ user, query }) => timelineOutline({ store, now: now() }, user, filterOf(store, user, query), query.tz),
      { query: OutlineQuery, response: TimelineOutline },
    )
    .post(
      '/api/v1/podcasts/timeline/listened',
      ({ user, body }) => marking.markTimeline(user, spanOf(store, user, body), body.finished),
      { body: TimelineMark, response: Marked },
    )
    .post(
      '/api/v1/podcasts/timeline/listened/undo',
      async ({ user, body }) => ({ affected: await marking.undo(user, body.undo) }),
      { body: MarkedUndo, response: Affected },
    )
    .post(
      '/api/v1/podcasts/timeline/queue',
      ({ user, body }) => ({ affected: queue.addTimeline(user, spanOf(store, user, body)) }),
      { body: TimelineSpan, response: Affected },
    )
}

type Store = Context['store']

function readTimeline(
  { store, now }: { store: Store; now: number },
  user: UserRow,
  links: Links,
  query: TimelineQuery,
): Timeline & { next: string | null } {
  const { tz, limit, offset } = query
  const filter = filterOf(store, user, query)
  const after = readCursor(query.cursor)
  const undatedLast = readFlag('undatedLast', query.undatedLast)
  const before = after ? undefined : readInstant('lastTimestamp', query.lastTimestamp)
  const { rows, next } =
    offset === undefined
      ? cutPage(limit, !after && !undatedLast, limit =>
          store.timeline.pageFor(user, { ...filter, after, before, undatedLast }, limit),
        )
      : {
          rows: store.episodes.rowsOf(user, store.timeline.idsFor(user, { ...filter, undatedLast }, limit, offset)),
          next: null,
        }
  const podcasts = store.podcasts.mapFor(user, [...new Set(rows.map(row => row.podcast_uuid))])
  return {
    data: rows.map(row => {
      const podcast = presentPodcast(podcasts.get(row.podcast_uuid)!, links)
      return {
        podcast_episode: presentEpisode(row, links),
        podcast,
        history: presentJoinedHistory(row),
        favorite: podcast.favorites ? { favored: true } : null,
      }
    }),
    totalElements: store.timeline.countFor(user, filter),
    groups: tz ? timelineGroups({ store, now }, user, filter, { rows, timeZone: tz }) : [],
    next,
  }
}

const filterOf = (store: Store, user: UserRow, query: Omit<(typeof OutlineQuery)['static'], 'tz'>): TimelineFilter =>
  spanOf(store, user, {
    favoredOnly: readFlag('favoredOnly', query.favoredOnly),
    favoredEpisodes: readFlag('favoredEpisodes', query.favoredEpisodes),
    notListened: readFlag('notListened', query.notListened),
    downloaded: readFlag('downloaded', query.downloaded),
    ...(query.shorterThan !== undefined && { shorterThan: query.shorterThan }),
    ...(query.tag && { tag: query.tag }),
    ...(query.from && { from: query.from }),
    ...(query.to && { to: query.to }),
  })

/** The filter that a part of the timeline names. */
export const spanOf = (store: Store, user: UserRow, span: TimelineSpan): TimelineFilter => ({
  favouritesOnly: span.favoredOnly ?? false,
  likedOnly: span.favoredEpisodes ?? false,
  unplayedOnly: span.notListened ?? false,
  downloadedOnly: span.downloaded ?? false,
  shownOnly: true,
  shorterThan: span.shorterThan,
  tagId: span.tag === undefined ? undefined : store.tags.require(user.id, span.tag).id,
  from: readInstant('from', span.from),
  to: readInstant('to', span.to),
})
