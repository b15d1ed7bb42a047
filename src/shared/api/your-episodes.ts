import { Type, type Static } from '@sinclair/typebox'
import { yourLists } from '../choices'
import { Bookmark } from './marks'
import { EpisodeWrapper } from './episode'
import { Instant, Nullable, oneOf } from './parts'

export const YourList = oneOf(yourLists)

/** An episode of such a list, and when it was added to it; under `bookmarked`, once for each bookmark. */
export const YourEpisode = Type.Object({ ...EpisodeWrapper.properties, at: Instant, bookmark: Nullable(Bookmark) })
export type YourEpisode = Static<typeof YourEpisode>

/** The length of such a list, and the days of a time zone in its order, such as `2026-11-22`. */
export const YourOutline = Type.Object({
  total: Type.Integer(),
  days: Type.Array(Type.Object({ day: Type.String(), count: Type.Integer() })),
})
export type YourOutline = Static<typeof YourOutline>

/** Numbers of episodes, counted up to 10,000. */
export const YourCounts = Type.Object({
  liked: Type.Integer(),
  bookmarked: Type.Integer(),
  'in-progress': Type.Integer(),
  downloaded: Type.Integer(),
})
export type YourCounts = Static<typeof YourCounts>
