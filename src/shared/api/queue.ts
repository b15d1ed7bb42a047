import { Type, type Static } from '@sinclair/typebox'
import { continuations } from '../choices'
import { Episode, EpisodeWrapper, QueueTurn } from './episode'
import { History } from './history'
import { Instant, Nullable, oneOf } from './parts'

export const QueueItem = Type.Object({
  id: Type.String(),
  addedAt: Instant,
  /** Whether it was added automatically; such entries make room for newer episodes of their podcast. */
  automatic: Type.Boolean(),
  podcastEpisode: Episode,
  podcastHistoryItem: Nullable(History),
})
export type QueueItem = Static<typeof QueueItem>

export const ContinueWith = oneOf(continuations)
export type ContinueWith = Static<typeof ContinueWith>

const Name = Nullable(Type.String())

/** A saved queue, while another one is in use. */
export const KeptQueue = Type.Object({ id: Type.String(), name: Name, savedAt: Instant })
export type KeptQueue = Static<typeof KeptQueue>

/** A saved queue with the number of its episodes, which takes some time to count. */
export const CountedQueue = Type.Object({ ...KeptQueue.properties, episodes: Type.Integer() })
export type CountedQueue = Static<typeof CountedQueue>

/**
 * The queue of a user that is in use; the first item plays next. The name is null for the main queue, which was never
 * given one.
 */
export const Queue = Type.Object({
  version: Type.Integer(),
  updatedAt: Instant,
  name: Name,
  items: Type.Array(QueueItem),
  continueWith: ContinueWith,
  /** The user's other queues, the latest used first. */
  others: Type.Array(KeptQueue),
})
export type Queue = Static<typeof Queue>

export const MAX_QUEUED = 1000
/** The one in use included. */
export const MAX_QUEUES = 20

export const Continuing = Type.Object({ continueWith: ContinueWith })
export type Continuing = Static<typeof Continuing>

/** The episode of the same podcast to continue with; null = there is none. */
export const Following = Type.Object({ episode: Nullable(EpisodeWrapper) })
export type Following = Static<typeof Following>

export const QueueName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) })
export type QueueName = Static<typeof QueueName>

/**
 * The state of a page that changes to another queue: the version of the queue in use, which is refused if it has
 * changed since, and the `id` of the episode in the player, with which that queue continues later.
 */
export const QueueChange = Type.Object({
  version: Type.Optional(Type.Integer()),
  playing: Type.Optional(Type.String({ maxLength: 100 })),
})
export type QueueChange = Static<typeof QueueChange>
export const NewQueue = Type.Object({ ...QueueName.properties, ...QueueChange.properties })
export type NewQueue = Static<typeof NewQueue>

/**
 * A new order. If `version` is given and the queue has changed since that version, the order is refused. `automatic`
 * marks a returning episode as added automatically.
 */
export const QueueOrder = Type.Object({
  items: Type.Array(Type.Object({ episode: Type.String(), automatic: Type.Optional(Type.Boolean()) }), {
    maxItems: MAX_QUEUED,
  }),
  version: Type.Optional(Type.Integer()),
})
export type QueueOrder = Static<typeof QueueOrder>

export const QueueAddition = Type.Object({
  episode: Type.String(),
  at: Type.Optional(Type.Union([QueueTurn, Type.Integer({ minimum: 0 })])),
})
export type QueueAddition = Static<typeof QueueAddition>
