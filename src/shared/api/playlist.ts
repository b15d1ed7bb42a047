import { Type, type Static } from '@sinclair/typebox'
import { EpisodeWrapper } from './episode'
import { Nullable } from './parts'
import { SmartRules } from './smart-playlist'

/** A playlist with its episodes in playing order. `rules`: the rules that fill it; null = its episodes are chosen. */
export const Playlist = Type.Object({
  id: Type.String(),
  name: Type.String(),
  items: Type.Array(EpisodeWrapper),
  rules: Nullable(SmartRules),
})
export type Playlist = Static<typeof Playlist>

/** A playlist without its episodes: their number and total seconds. */
export const PlaylistSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  rules: Nullable(SmartRules),
  episodes: Type.Integer(),
  seconds: Type.Integer(),
  /** Whether it holds the episode that was asked about. */
  holds: Type.Boolean(),
})
export type PlaylistSummary = Static<typeof PlaylistSummary>

export const MAX_PLAYLIST_ITEMS = 5000

/** A new or changed playlist; each `episode` is the `id` of an episode. One with `rules` has no items. */
export const PlaylistEdit = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  items: Type.Array(Type.Object({ episode: Type.String() }), { maxItems: MAX_PLAYLIST_ITEMS }),
  rules: Type.Optional(Nullable(SmartRules)),
})
export type PlaylistEdit = Static<typeof PlaylistEdit>
