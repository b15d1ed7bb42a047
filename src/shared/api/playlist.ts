import { Type, type Static } from '@sinclair/typebox'
import { EpisodeWrapper } from './episode'

/** A playlist with its episodes in playing order. */
export const Playlist = Type.Object({ id: Type.String(), name: Type.String(), items: Type.Array(EpisodeWrapper) })
export type Playlist = Static<typeof Playlist>

export const MOST_PLAYLIST_ITEMS = 5000

/** A new or changed playlist; each `episode` is the `id` of an episode. */
export const PlaylistEdit = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  items: Type.Array(Type.Object({ episode: Type.String() }), { maxItems: MOST_PLAYLIST_ITEMS }),
})
export type PlaylistEdit = Static<typeof PlaylistEdit>
