import type { Clip, NewClip } from '../../shared/api/clip'
import type { Client } from './client'

/** Passages of episodes: cut out as files, and shown to strangers. */
export const clipsApi = (client: Client) => ({
  /** The sound of a passage, in seconds; `id`: that of the episode. */
  cut: (id: string, start: number, end: number) =>
    client.file(`/podcasts/episodes/${id}/clip`, { start: start.toFixed(2), end: end.toFixed(2) }),
  list: () => client.get<Clip[]>('/clips'),
  share: (clip: NewClip) => client.post<Clip>('/clips', clip),
  end: (id: string) => client.remove(`/clips/${id}`),
})
