import type { EpisodeTranscription, Transcription, TranscriptionList } from '../../shared/api/transcription'
import type { Client } from './client'

/** Transcripts that a speech server makes; `id` of an episode is its `id`. */
export const transcriptionsApi = (client: Client) => ({
  list: () => client.get<TranscriptionList>('/transcriptions'),
  retry: (id: string) => client.post<Transcription>(`/transcriptions/${id}/retry`),
  cancel: (id: string) => client.remove(`/transcriptions/${id}`),
  of: (episodeId: string) => client.get<EpisodeTranscription>(`/podcasts/episodes/${episodeId}/transcription`),
  request: (episodeId: string) => client.post<Transcription>(`/podcasts/episodes/${episodeId}/transcription`),
  removeTranscript: (episodeId: string, id: string) =>
    client.remove(`/podcasts/episodes/${episodeId}/transcripts/${id}`),
})
