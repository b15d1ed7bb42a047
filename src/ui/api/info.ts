import type { BuildInfo, Stats, SysInfo, UpdateNotice } from '../../shared/api/info'
import type { Client } from './client'

export const infoApi = (client: Client) => ({
  system: () => client.get<SysInfo>('/sys/info'),
  update: () => client.get<UpdateNotice>('/sys/update'),
  build: () => client.get<BuildInfo>('/info'),
  stats: (query: { from?: string; to?: string; topLimit?: number; tz?: string }) =>
    client.get<Stats>('/stats/overview', query),
})
