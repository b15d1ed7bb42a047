import type {
  FeedCheck,
  Affected,
  AvailableFeed,
  MissingFiles,
  Podcast,
  PodcastWithExtras,
  Queued,
  QueuedAll,
} from '../../shared/api/podcast'
import type { PodcastPreview } from '../../shared/api/podcast-preview'
import type { PodcastSettings, PodcastSettingsEdit, Preferences, PreferencesEdit } from '../../shared/api/settings'
import type { EpisodeWrapper, Listened, Marked, PodcastOverview } from '../../shared/api/episode'
import type { Client } from './client'

type EpisodeQuery = {
  unlistened?: boolean
  downloaded?: boolean
  liked?: boolean
  text?: string
  order?: 'newest' | 'oldest'
  limit?: number
}
export type Adding = {
  /** The name to send instead of Castellan's, for a host that refuses it. */
  userAgent?: string | undefined
  /** Adds a feed in which nothing can be played as well. */
  evenUnplayable?: boolean
  /** Number of newest episodes to download; null means all, absent what the settings say. */
  firstDownloads?: number | null | undefined
}
export type PodcastsApi = ReturnType<typeof podcastsApi>

export const podcastsApi = (client: Client) => ({
  list: () => client.get<Podcast[]>('/podcasts'),
  checks: () => client.get<FeedCheck[]>('/podcasts/checks'),
  find: (id: string) => client.get<PodcastWithExtras>(`/podcasts/${id}`),
  add: (rssFeedUrl: string, { evenUnplayable, firstDownloads, userAgent }: Adding = {}) =>
    client.post<Podcast>('/podcasts/feed', {
      rssFeedUrl,
      even_unplayable: evenUnplayable,
      first_downloads: firstDownloads,
      userAgent,
    }),
  preview: (rssFeedUrl: string, signal?: AbortSignal, userAgent?: string) =>
    client.post<PodcastPreview>('/podcasts/preview', { rssFeedUrl, userAgent }, { ...(signal && { signal }) }),
  remove: (id: string, withFiles: boolean) => client.remove(`/podcasts/${id}`, { delete_files: withFiles }),
  refresh: (id: string) => client.post<Queued>(`/podcasts/${id}/refresh`),
  refreshAll: () => client.post<Queued>('/podcasts/all'),
  favour: (id: string, favored: boolean) => client.put<void>('/podcasts/favored', { id, favored }),
  rename: (id: string, name: string) => client.put<Podcast>(`/podcasts/${id}/name`, { name }),
  setActive: (id: string, active: boolean) => client.put<Podcast>(`/podcasts/${id}/active`, { active }),
  settings: (id: string) => client.get<PodcastSettings>(`/podcasts/${id}/settings`),
  editSettings: (id: string, edit: PodcastSettingsEdit) =>
    client.put<PodcastSettings>(`/podcasts/${id}/settings`, edit),
  preferences: (id: string) => client.get<Preferences>(`/podcasts/${id}/preferences`),
  editPreferences: (id: string, edit: PreferencesEdit) => client.put<Preferences>(`/podcasts/${id}/preferences`, edit),
  changeFeed: (id: string, rssFeedUrl: string) => client.put<Podcast>(`/podcasts/${id}/feed`, { rssFeedUrl }),
  overview: (id: string) => client.get<PodcastOverview>(`/podcasts/${id}/overview`),
  episodes: (id: string, query: EpisodeQuery, cursor: string | null, signal?: AbortSignal) => {
    const { unlistened, downloaded, liked, text, order, limit } = query
    const parameters = { only_unlistened: unlistened, downloaded, liked, q: text, order, limit, cursor }
    return client.page<EpisodeWrapper[]>(`/podcasts/${id}/episodes`, parameters, signal)
  },
  markListened: (id: string, listened: Listened) => client.post<Marked>(`/podcasts/${id}/episodes/listened`, listened),
  undoListened: (id: string, undo: string) => client.post<Affected>(`/podcasts/${id}/episodes/listened/undo`, { undo }),
  /** Lists feeds that the user's devices subscribe to and that are not in the library. */
  available: () => client.get<AvailableFeed[]>('/podcasts/available/gpodder'),
  missing: (id: string) => client.get<MissingFiles>(`/podcasts/${id}/episodes/download-all`),
  downloadAll: (id: string) => client.post<QueuedAll>(`/podcasts/${id}/episodes/download-all`),
  undoDownloadAll: (id: string, undo: string) =>
    client.post<Affected>(`/podcasts/${id}/episodes/download-all/undo`, { undo }),
})
