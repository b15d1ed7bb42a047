import type { Config } from '../../shared/api/config'
import type { Job, JobStarted } from '../../shared/api/job'
import type {
  CleanedUp,
  Cleanup,
  NamingEdit,
  NamingPreview,
  Renames,
  Settings,
  SettingsEdit,
} from '../../shared/api/settings'
import type { Client } from './client'

export type SystemApi = ReturnType<typeof systemApi>

export const systemApi = (client: Client) => ({
  config: () => client.get<Config>('/sys/config'),
  settings: () => client.get<Settings>('/settings'),
  cleanup: () => client.get<Cleanup>('/settings/cleanup'),
  runCleanup: () => client.put<CleanedUp>('/settings/runcleanup'),
  previewNaming: (naming: NamingEdit, signal?: AbortSignal) =>
    client.post<NamingPreview>('/settings/naming/preview', naming, { ...(signal && { signal }) }),
  editNaming: (naming: NamingEdit) => client.put<Settings>('/settings/name', naming),
  /** Lists the renames that the saved formats would lead to, without renaming anything. */
  renames: () => client.post<Renames>('/settings/rescan-episodes', { applyFilenames: true, dryRun: true }),
  rescan: (wish: { applyFilenames?: boolean; applyMetadata?: boolean }) =>
    client.post<JobStarted>('/settings/rescan-episodes', wish),
  job: (id: string) => client.get<Job>(`/jobs/${id}`),
  episodeFormatting: (content: string) => client.post<string>('/episodes/formatting', { content }),
  podcastFormatting: (content: string) => client.post<string>('/podcasts/formatting', { content }),
  editSettings: (edit: SettingsEdit) => client.put<Settings>('/settings', edit),
})
