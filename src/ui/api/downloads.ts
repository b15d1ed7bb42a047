import type { Download, DownloadList, QueuePaused } from '../../shared/api/download'
import type { Client } from './client'

export type DownloadsApi = ReturnType<typeof downloadsApi>

export const downloadsApi = (client: Client) => ({
  page: (cursor: string | null, limit = 100) => client.page<DownloadList>('/downloads', { cursor, limit }),
  pause: (id: string) => client.post<Download>(`/downloads/${id}/pause`),
  resume: (id: string) => client.post<Download>(`/downloads/${id}/resume`),
  cancel: (id: string) => client.remove(`/downloads/${id}`),
  pauseAll: () => client.post<QueuePaused>('/downloads/pause'),
  resumeAll: () => client.post<QueuePaused>('/downloads/resume'),
})
