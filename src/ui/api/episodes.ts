import type { Chapter } from '../../shared/api/chapter'
import type { Download } from '../../shared/api/download'
import type { EpisodeWithExtras, EpisodeWrapper, Marked, MediaAddress } from '../../shared/api/episode'
import type { ChapterFile, Transcript, TranscriptWithSegments } from '../../shared/api/transcript'
import type { Affected, QueuedAll } from '../../shared/api/podcast'
import type { Client } from './client'

/** Calls about episodes. The server has two ids for an episode: `eid` is its `episode_id`, `id` its `id`. */
export const episodesApi = (client: Client) => ({
  find: (eid: string) => client.get<EpisodeWithExtras>(`/episodes/${eid}`),
  /** Asks for an address that plays without a session, on a speaker or a television. */
  address: (eid: string) => client.get<MediaAddress>(`/episodes/${eid}/address`),
  like: (id: string, favored: boolean) => client.put<void>(`/podcasts/${id}/episodes/favor`, { favored }),
  chapters: (id: string) => client.get<Chapter[]>(`/podcasts/episodes/${id}/chapters`),
  transcripts: (id: string) => client.get<Transcript[]>(`/podcasts/episodes/${id}/transcripts`),
  chapterFiles: (id: string) => client.get<ChapterFile[]>(`/podcasts/episodes/${id}/chapter-files`),
  /** `query` may ask for a language: `?language=de`. */
  transcript: (id: string, query = '') =>
    client.get<TranscriptWithSegments>(`/podcasts/episodes/${id}/transcript${query}`),
  /** `form`: the id of one of its forms, or `main`; absent = the one that the podcast's settings prefer. */
  download: (eid: string, form?: string) =>
    client.put<Download>(`/podcasts/${eid}/episodes/download`, form === undefined ? undefined : { form }),
  removeDownload: (eid: string) => client.remove(`/episodes/${eid}/download`),
  /** Fetches the recording that the publisher offers now; the file that is here plays until then. */
  fetchNewer: (eid: string) => client.put<Download>(`/episodes/${eid}/newer-recording`),
  /** Makes two episodes of a podcast one; answers the one that remains. */
  join: (eid: string, episode: string) => client.post<EpisodeWrapper>(`/episodes/${eid}/same`, { episode }),
  /** Makes two of an episode that was published again; answers the new one. */
  split: (eid: string) => client.post<EpisodeWrapper>(`/episodes/${eid}/split`),
  /** Actions on at most 500 episodes at once, by their `id`; those that the user may not see are left out. */
  batch: batchApi(client),
})

function batchApi({ post }: Client) {
  const at = (action: string) => `/podcasts/episodes/batch/${action}`
  return {
    mark: (episodes: readonly string[], finished: boolean) => post<Marked>(at('listened'), { episodes, finished }),
    undoMark: (undo: string) => post<Affected>(at('listened/undo'), { undo }),
    like: (episodes: readonly string[], favored: boolean) => post<Affected>(at('favor'), { episodes, favored }),
    download: (episodes: readonly string[]) => post<QueuedAll>(at('download'), { episodes }),
    undoDownload: (undo: string) => post<Affected>(at('download/undo'), { undo }),
    deleteFiles: (episodes: readonly string[]) => post<Affected>(at('delete-files'), { episodes }),
  }
}
