import { Type, type Static } from '@sinclair/typebox'
import { Episode } from './episode'
import { History } from './history'
import { TimelineSpan } from './matching'
import { Nullable } from './parts'
import { Podcast } from './podcast'

export const TimelineItem = Type.Object({
  podcast_episode: Episode,
  podcast: Podcast,
  history: Nullable(History),
  favorite: Nullable(Type.Object({ favored: Type.Boolean() })),
})
export type TimelineItem = Static<typeof TimelineItem>

/** A whole day (`2026-11-22`) or month (`2025-10`) of the timeline: its episodes, and their length in seconds. */
export const TimelineGroup = Type.Object({ group: Type.String(), count: Type.Integer(), seconds: Type.Integer() })
export type TimelineGroup = Static<typeof TimelineGroup>

/** `groups`: those that the episodes of this page belong to, if the query names a time zone. */
export const Timeline = Type.Object({
  data: Type.Array(TimelineItem),
  totalElements: Type.Integer(),
  groups: Type.Array(TimelineGroup),
})
export type Timeline = Static<typeof Timeline>

/**
 * The length of the timeline, and its days and months in order, whose counts add up to that. The group `undated` holds
 * episodes without a date, `earlier` what is beyond the newest 10,000; its seconds are not counted.
 */
export const TimelineOutline = Type.Object({ total: Type.Integer(), groups: Type.Array(TimelineGroup) })
export type TimelineOutline = Static<typeof TimelineOutline>

export const TimelineMark = Type.Object({ ...TimelineSpan.properties, finished: Type.Boolean() })
export type TimelineMark = Static<typeof TimelineMark>

/** An episode that the user began to play, for "continue listening". */
export const LastWatched = Type.Object({ podcastEpisode: Episode, podcast: Podcast, episode: History })
export type LastWatched = Static<typeof LastWatched>
