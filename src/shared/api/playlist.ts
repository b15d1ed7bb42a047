import { type Static, Type } from '@sinclair/typebox'
import { playedStates, smartOrders, suggestionKinds } from '../choices'
import {
  MAX_KEPT_DOWNLOADED,
  MAX_NAMED,
  MAX_PLAYLIST_DESCRIPTION,
  MAX_RULES,
  MAX_SMART_PLAYLIST,
  MAX_WORDS,
} from '../limits'
import { EpisodeType, EpisodeWrapper } from './episode'
import { Nullable, oneOf } from './parts'

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: MAX_NAMED })
const Named = oneOf(['is', 'is-not'])

/**
 * One rule of a smart playlist. Podcasts and tags are named by their ids; a rule of which all are gone matches nothing.
 * Episodes of unknown length match no rule about duration, those without a date none about age.
 */
export const SmartRule = Type.Union([
  Type.Object({ field: Type.Literal('podcast'), op: Named, podcasts: Ids }),
  Type.Object({ field: Type.Literal('tag'), op: Named, tags: Ids }),
  Type.Object({ field: Type.Literal('favourite'), is: Type.Boolean() }),
  Type.Object({ field: Type.Literal('played'), is: oneOf(playedStates) }),
  Type.Object({ field: Type.Literal('downloaded'), is: Type.Boolean() }),
  Type.Object({ field: Type.Literal('liked'), is: Type.Boolean() }),
  Type.Object({
    field: Type.Literal('duration'),
    op: oneOf(['at-least', 'at-most']),
    seconds: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  }),
  Type.Object({
    field: Type.Literal('age'),
    op: oneOf(['within', 'older']),
    days: Type.Integer({ minimum: 1, maximum: 36_500 }),
  }),
  /** All of the words as a whole, or not all of them; case and accents do not count. */
  Type.Object({
    field: Type.Literal('title'),
    op: oneOf(['contains', 'lacks']),
    words: Type.String({ minLength: 1, maxLength: MAX_WORDS }),
  }),
  Type.Object({ field: Type.Literal('season'), is: Type.Integer({ minimum: 0, maximum: 100_000 }) }),
  Type.Object({ field: Type.Literal('type'), is: EpisodeType }),
])
export type SmartRule = Static<typeof SmartRule>

export const SmartOrder = oneOf(smartOrders)
export type SmartOrder = Static<typeof SmartOrder>

/** The rules by which a playlist fills itself with at most `limit` episodes; the first `keepDownloaded` stay downloaded. */
export const SmartRules = Type.Object({
  match: oneOf(['all', 'any']),
  rules: Type.Array(SmartRule, { maxItems: MAX_RULES }),
  order: SmartOrder,
  limit: Type.Integer({ minimum: 1, maximum: MAX_SMART_PLAYLIST }),
  keepDownloaded: Type.Integer({ minimum: 0, maximum: MAX_KEPT_DOWNLOADED }),
})
export type SmartRules = Static<typeof SmartRules>

/** The episodes that a playlist by these rules would hold: how many, their seconds, and the first of them. */
export const SmartPreview = Type.Object({
  count: Type.Integer(),
  seconds: Type.Integer(),
  items: Type.Array(EpisodeWrapper),
})
export type SmartPreview = Static<typeof SmartPreview>

/** A playlist with its episodes in playing order. `rules`: the rules that fill it; null = its episodes are chosen. */
export const Playlist = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  items: Type.Array(EpisodeWrapper),
  rules: Nullable(SmartRules),
})
export type Playlist = Static<typeof Playlist>

/** A playlist without its episodes: their number, total seconds and first podcasts. */
export const PlaylistSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  rules: Nullable(SmartRules),
  episodes: Type.Integer(),
  seconds: Type.Integer(),
  /** The podcasts whose covers picture it, by their ids: the first four different ones of its episodes. */
  podcasts: Type.Array(Type.String()),
  /** When its user last began to play it, in any browser; null = never. */
  playedAt: Nullable(Type.String()),
  /** Whether it holds the episode that was asked about. */
  holds: Type.Boolean(),
})
export type PlaylistSummary = Static<typeof PlaylistSummary>

/** Episodes that somebody may want to play now, in playing order. Nothing of it is stored. */
export const Suggestion = Type.Object({ kind: oneOf(suggestionKinds), items: Type.Array(EpisodeWrapper) })
export type Suggestion = Static<typeof Suggestion>

/** `isShown`: the user's choice; without suggestions there are none to show. */
export const Suggestions = Type.Object({ isShown: Type.Boolean(), suggestions: Type.Array(Suggestion) })
export type Suggestions = Static<typeof Suggestions>

export const SuggestionsChoice = Type.Object({ isShown: Type.Boolean() })
export type SuggestionsChoice = Static<typeof SuggestionsChoice>

/** `before`: the episode of the playlist that follows in the new order, by its `id`; null = none. */
export const PlaylistPlace = Type.Object({ before: Nullable(Type.String({ maxLength: 100 })) })
export type PlaylistPlace = Static<typeof PlaylistPlace>

export const MAX_PLAYLIST_ITEMS = 5000

/**
 * A new or changed playlist; each `episode` is the `id` of an episode. One with `rules` has no items. A change without
 * `description` keeps it.
 */
export const PlaylistEdit = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Nullable(Type.String({ maxLength: MAX_PLAYLIST_DESCRIPTION }))),
  items: Type.Array(Type.Object({ episode: Type.String() }), { maxItems: MAX_PLAYLIST_ITEMS }),
  rules: Type.Optional(Nullable(SmartRules)),
})
export type PlaylistEdit = Static<typeof PlaylistEdit>
