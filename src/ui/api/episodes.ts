import type { Chapter } from '../../shared/api/chapter'
import type { Download } from '../../shared/api/download'
import type { EpisodeWithExtras } from '../../shared/api/episode'
import type { Transcript, TranscriptWithSegments } from '../../shared/api/transcript'
import type { Client } from './client'

/** Calls about episodes. The server has two ids for an episode: `eid` is its `episode_id`, `id` its `id`. */
export const episodesApi = (client: Client) => ({
  find: (eid: string) => client.get<EpisodeWithExtras>(`/episodes/${eid}`),
  like: (id: string, favored: boolean) => client.put<void>(`/podcasts/${id}/episodes/favor`, { favored }),
  chapters: (id: string) => client.get<Chapter[]>(`/podcasts/episodes/${id}/chapters`),
  transcripts: (id: string) => client.get<Transcript[]>(`/podcasts/episodes/${id}/transcripts`),
  transcript: (id: string) => client.get<TranscriptWithSegments>(`/podcasts/episodes/${id}/transcript`),
  download: (eid: string) => client.put<Download>(`/podcasts/${eid}/episodes/download`),
  removeDownload: (eid: string) => client.remove(`/episodes/${eid}/download`),
})
