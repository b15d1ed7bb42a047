import { Type, type Static } from '@sinclair/typebox'
import { Instant, Nullable, oneOf } from './parts'

export const NotificationType = oneOf([
  'Download',
  'NewEpisodes',
  'DownloadFailed',
  'SignIn',
  'RenewalReused',
  'Attack',
  'LiveStarted',
])
export type NotificationType = Static<typeof NotificationType>

/**
 * A notification; `message` names the episode, or the podcast if it is about new or several episodes, or the device and
 * the network of a sign-in, or the app whose sign-in was copied, or the account whose password somebody guesses at,
 * or the live stream that has begun.
 */
export const Notification = Type.Object({
  id: Type.String(),
  typeOfMessage: NotificationType,
  message: Type.String(),
  createdAt: Instant,
  status: Type.Union([Type.Literal('unread'), Type.Literal('dismissed')]),
  podcastId: Nullable(Type.String()),
  /** `id` of the episode; null if it is about new or several episodes. */
  episodeId: Nullable(Type.String()),
  episodeCount: Type.Integer(),
})
export type Notification = Static<typeof Notification>

export const Dismissal = Type.Object({ id: Type.String() })
