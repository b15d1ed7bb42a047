import { Type, type Static } from '@sinclair/typebox'
import { liveStates, preferredForms } from '../choices'
import { Instant, Nullable, oneOf } from './parts'
import { Chat, ContentLink } from './podcast-tags'

/** The form of an episode to prefer if its feed offers several; null = the main one. */
export const PreferredForm = oneOf(preferredForms)
export type PreferredForm = Static<typeof PreferredForm>

/**
 * Another form of an episode's recording. `local_url` plays it; `size` in bytes, `bitrate` in bits a second, `height`
 * in pixels.
 */
export const EpisodeForm = Type.Object({
  id: Type.String(),
  type: Type.String(),
  title: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  codecs: Type.Optional(Type.String()),
  rel: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer()),
  bitrate: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  /** Whether the publisher marks it as the main one. */
  isDefault: Type.Boolean(),
  /** How its bytes can be checked; `sri` is checked after a download. */
  integrity: Type.Optional(Type.Union([Type.Literal('sri'), Type.Literal('pgp-signature')])),
  local_url: Type.String(),
  /** Whether the file on the server has this form. */
  isFile: Type.Boolean(),
})
export type EpisodeForm = Static<typeof EpisodeForm>

export const Trailer = Type.Object({
  url: Type.String(),
  title: Type.String(),
  season: Type.Optional(Type.Integer()),
  pubdate: Type.Optional(Instant),
  type: Type.Optional(Type.String()),
  /** Bytes, as the feed states them. */
  length: Type.Optional(Type.Integer()),
  /** The `episode_id` by which it is played; null = it can't be. */
  episode: Nullable(Type.String()),
})
export type Trailer = Static<typeof Trailer>

/** A stream of a live item that plays through this server. */
export const LiveStream = Type.Object({
  type: Type.String(),
  title: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  bitrate: Type.Optional(Type.Integer()),
  height: Type.Optional(Type.Integer()),
  local_url: Type.String(),
})
export type LiveStream = Static<typeof LiveStream>

/** `url`: the page to follow it on, else the stream at its host. */
export const LiveItem = Type.Object({
  id: Type.String(),
  guid: Type.String(),
  status: oneOf(liveStates),
  title: Type.String(),
  start: Instant,
  end: Type.Optional(Instant),
  url: Type.Optional(Type.String()),
  contentLinks: Type.Optional(Type.Array(ContentLink)),
  /** Where listeners write to one another. */
  chat: Type.Optional(Type.Array(Chat)),
  /** The main one first. */
  streams: Type.Array(LiveStream),
})
export type LiveItem = Static<typeof LiveItem>
