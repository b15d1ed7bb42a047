import { Type, type Static } from '@sinclair/typebox'
import { Episode } from './episode'
import { History } from './history'
import { Nullable } from './parts'
import { Podcast } from './podcast'

export const TimelineItem = Type.Object({
  podcast_episode: Episode,
  podcast: Podcast,
  history: Nullable(History),
  favorite: Nullable(Type.Object({ favored: Type.Boolean() })),
})
export type TimelineItem = Static<typeof TimelineItem>

export const Timeline = Type.Object({ data: Type.Array(TimelineItem), totalElements: Type.Integer() })
export type Timeline = Static<typeof Timeline>

/** An episode that the user began to play, for "continue listening". */
export const LastWatched = Type.Object({ podcastEpisode: Episode, podcast: Podcast, episode: History })
export type LastWatched = Static<typeof LastWatched>
