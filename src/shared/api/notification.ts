import { type Static, Type } from '@sinclair/typebox'
import { newsForAdmins, newsTypes } from '../choices'
import { Instant, Nullable, oneOf } from './parts'

export const NotificationType = oneOf([
  'Download',
  'NewEpisodes',
  'DownloadFailed',
  'SignIn',
  'RenewalReused',
  'Attack',
  'LiveStarted',
  'Renamed',
])
export type NotificationType = Static<typeof NotificationType>

/**
 * A notification; `message` names the episode, or the podcast if it is about new or several episodes, or the device and
 * the network of a sign-in, or the app whose sign-in was copied, or the account whose password somebody guesses at,
 * or the live stream that has begun, or the new name of the account.
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

/** A kind of destination: its name, its icon, and the fields that its form asks for. */
export const DestinationKind = Type.Object({
  kind: Type.String({ examples: ['ntfy'] }),
  /** Name of the program or service, the same in every language; null = a word of the interface. */
  label: Nullable(Type.String({ examples: ['ntfy'] })),
  /** Outlines on 24 × 24 units, as path data of SVG. */
  icon: Type.Array(Type.String()),
  /** A browser has none: it is added with its `subscription`. */
  fields: Type.Array(Type.Object({ name: oneOf(['address', 'token']), isRequired: Type.Boolean() })),
})
export type DestinationKind = Static<typeof DestinationKind>

/** The events that a destination may be notified of. */
export const NewsType = oneOf([...newsTypes, ...newsForAdmins])
export type NewsType = Static<typeof NewsType>

/** The reason why a message could not be delivered. */
export const DeliveryFailure = oneOf([
  'unreachable',
  'timeout',
  'not-allowed',
  'refused',
  'redirected',
  'ended',
  'unexpected',
])
export type DeliveryFailure = Static<typeof DeliveryFailure>

const time = '^([01]\\d|2[0-3]):[0-5]\\d$'

/** A time of the day in which messages wait, `HH:MM` in the time zone of the destination; may pass midnight. */
const QuietHours = Type.Object({
  from: Type.String({ pattern: time, examples: ['22:00'] }),
  to: Type.String({ pattern: time, examples: ['07:00'] }),
})
type QuietHours = Static<typeof QuietHours>

const exampleKey = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8'

/** The subscription that the push service of a browser gave to its page. */
export const PushSubscriptionKeys = Type.Object({
  endpoint: Type.String({ minLength: 1, maxLength: 2000, examples: ['https://push.example/1'] }),
  p256dh: Type.String({ pattern: '^[\\w-]{87}=?$', examples: [exampleKey] }),
  auth: Type.String({ pattern: '^[\\w-]{22}={0,2}$', examples: ['BTBZMqHH6r4Tts7J_aSIgg'] }),
})
export type PushSubscriptionKeys = Static<typeof PushSubscriptionKeys>

/** One of `GET /destinations/kinds`. */
const kind = Type.String({ maxLength: 50, examples: ['ntfy'] })
const name = Type.String({ pattern: '\\S', maxLength: 100 })
const address = Type.String({ minLength: 1, maxLength: 2000, examples: ['https://ntfy.example/news'] })
/** It is sent in a header. */
const token = Type.String({ pattern: '^[\\x20-\\x7e]*$', maxLength: 1000 })
const language = Type.String({ maxLength: 20 })
const timeZone = Type.String({ minLength: 1, maxLength: 60, examples: ['Europe/Berlin'] })
const events = Type.Array(NewsType, { maxItems: 20 })

/** A destination without its secrets. */
export const Destination = Type.Object({
  id: Type.String(),
  kind,
  name: Type.String(),
  /** The host that it is on. The rest of the address may be a secret. */
  host: Type.String(),
  hasToken: Type.Boolean(),
  events: Type.Array(NewsType),
  isOn: Type.Boolean(),
  quietHours: Nullable(QuietHours),
  timeZone: Type.String(),
  lastSuccessAt: Nullable(Instant),
  lastFailureAt: Nullable(Instant),
  lastFailure: Nullable(DeliveryFailure),
  /** The status that it answered with at the last failure. */
  lastStatus: Nullable(Type.Integer()),
  /** The host has said that the address is gone: nothing is sent until it changes, or accepts a test message. */
  hasEnded: Type.Boolean(),
  /** Messages that wait to be sent. */
  waiting: Type.Integer(),
  /** When the next of them is sent; null = none waits. */
  nextAt: Nullable(Instant),
})
export type Destination = Static<typeof Destination>

/** Each kind has the fields that it lists; only `push` has a `subscription`. */
export const DestinationRequest = Type.Object({
  kind,
  name,
  address: Type.Optional(address),
  token: Type.Optional(token),
  subscription: Type.Optional(PushSubscriptionKeys),
  events,
  quietHours: Type.Optional(Nullable(QuietHours)),
  timeZone,
  /** The language of the page, and of the messages. */
  language,
})
export type DestinationRequest = Static<typeof DestinationRequest>

/** Fields that are left out stay as they are; an empty `token` removes it. */
export const DestinationEdit = Type.Object({
  name: Type.Optional(name),
  address: Type.Optional(address),
  token: Type.Optional(token),
  subscription: Type.Optional(PushSubscriptionKeys),
  events: Type.Optional(events),
  isOn: Type.Optional(Type.Boolean()),
  quietHours: Type.Optional(Nullable(QuietHours)),
  timeZone: Type.Optional(timeZone),
  language: Type.Optional(language),
})
export type DestinationEdit = Static<typeof DestinationEdit>

/** A destination that was just made. `secret` signs the requests of a webhook and is shown only now. */
export const NewDestination = Type.Composite([Destination, Type.Object({ secret: Nullable(Type.String()) })])
export type NewDestination = Static<typeof NewDestination>

/** The server's key for subscriptions to push messages (VAPID), base64url. */
export const PushKey = Type.Object({ key: Type.String() })
export type PushKey = Static<typeof PushKey>

/** The result of a test message; null = it was delivered. */
export const DestinationTest = Type.Object({
  failure: Nullable(DeliveryFailure),
  status: Nullable(Type.Integer()),
})
export type DestinationTest = Static<typeof DestinationTest>
