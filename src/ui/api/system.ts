import type { Config } from '../../shared/api/config'
import type { CleanedUp, Cleanup, Settings, SettingsEdit } from '../../shared/api/settings'
import type { Client } from './client'

export type SystemApi = ReturnType<typeof systemApi>

export const systemApi = (client: Client) => ({
  config: () => client.get<Config>('/sys/config'),
  settings: () => client.get<Settings>('/settings'),
  cleanup: () => client.get<Cleanup>('/settings/cleanup'),
  runCleanup: () => client.put<CleanedUp>('/settings/runcleanup'),
  editSettings: (edit: SettingsEdit) => client.put<Settings>('/settings', edit),
})
