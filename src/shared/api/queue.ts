import { Type, type Static } from '@sinclair/typebox'
import { Episode } from './episode'
import { History } from './history'
import { Instant, Nullable } from './parts'

export const QueueItem = Type.Object({
  id: Type.String(),
  addedAt: Instant,
  podcastEpisode: Episode,
  podcastHistoryItem: Nullable(History),
})
export type QueueItem = Static<typeof QueueItem>

/** A user's queue; the first item plays next. */
export const Queue = Type.Object({ version: Type.Integer(), updatedAt: Instant, items: Type.Array(QueueItem) })
export type Queue = Static<typeof Queue>

export const MOST_QUEUED = 1000

/** A new order. If `version` is given and the queue has changed since that version, the order is refused. */
export const QueueOrder = Type.Object({
  items: Type.Array(Type.Object({ episode: Type.String() }), { maxItems: MOST_QUEUED }),
  version: Type.Optional(Type.Integer()),
})
export type QueueOrder = Static<typeof QueueOrder>

export const QueueAddition = Type.Object({
  episode: Type.String(),
  at: Type.Optional(Type.Union([Type.Literal('next'), Type.Literal('last'), Type.Integer({ minimum: 0 })])),
})
export type QueueAddition = Static<typeof QueueAddition>
