import type { Playlist, PlaylistEdit, PlaylistSummary } from '../../shared/api/playlist'
import type { SmartPreview, SmartRules } from '../../shared/api/smart-playlist'
import type { Client } from './client'

export type PlaylistsApi = ReturnType<typeof playlistsApi>

export const playlistsApi = (client: Client) => ({
  list: () => client.get<PlaylistSummary[]>('/playlists'),
  /** Those whose episodes are chosen, and whether they hold this episode. */
  listChosen: (episode: string | null) => client.get<PlaylistSummary[]>('/playlists', { chosen: true, episode }),
  find: (id: string) => client.get<Playlist>(`/playlist/${id}`),
  create: (playlist: PlaylistEdit) => client.post<Playlist>('/playlist', playlist),
  preview: (rules: SmartRules) => client.post<SmartPreview>('/playlist/preview', rules),
  replace: (id: string, playlist: PlaylistEdit) => client.put<Playlist>(`/playlist/${id}`, { id, ...playlist }),
  remove: (id: string) => client.remove(`/playlist/${id}`),
  removeItem: (id: string, episode: string) => client.remove(`/playlist/${id}/episode/${episode}`),
})
