import { Type, type Static } from '@sinclair/typebox'
import { yourLists } from '../choices'
import { Instant, Nullable, oneOf } from './parts'

const OnlyIf = Type.Optional(Type.Boolean())

/** All episodes of a podcast that match a filter, which is that of its list. */
export const MatchingInPodcast = Type.Object({
  podcast: Type.String({ maxLength: 100 }),
  only_new: OnlyIf,
  only_unlistened: OnlyIf,
  downloaded: OnlyIf,
  liked: OnlyIf,
  q: Type.Optional(Type.String({ maxLength: 200 })),
  /** Null: the episodes without a season. */
  season: Type.Optional(Nullable(Type.Integer())),
  /** The year of publication, in UTC. */
  year: Type.Optional(Type.Integer({ minimum: 0, maximum: 9999 })),
  /** Acts on the oldest episode first, which counts in the queue and in playlists. */
  oldest_first: OnlyIf,
})
export type MatchingInPodcast = Static<typeof MatchingInPodcast>

/** The part of the timeline that a change affects: its filters and a span of publication dates, `to` excluded. */
export const TimelineSpan = Type.Object({
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  favoredOnly: OnlyIf,
  favoredEpisodes: OnlyIf,
  notListened: OnlyIf,
  downloaded: OnlyIf,
  /** Seconds, excluded. */
  shorterThan: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** `id` of a tag. */
  tag: Type.Optional(Type.String({ maxLength: 100 })),
})
export type TimelineSpan = Static<typeof TimelineSpan>

/** All episodes of a list: of a podcast, of the timeline, one of a user's own lists, or those with a person. */
export const MatchingEpisodes = Type.Union([
  MatchingInPodcast,
  Type.Object({ timeline: TimelineSpan }),
  Type.Object({ yours: oneOf(yourLists) }),
  Type.Object({ person: Type.String({ minLength: 1, maxLength: 500 }) }),
])
export type MatchingEpisodes = Static<typeof MatchingEpisodes>
