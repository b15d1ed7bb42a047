import type { Download, DownloadList, QueuePaused } from '../../shared/api/download'
import type { DownloadState } from '../../shared/api/episode'
import type { Client } from './client'

export type DownloadsApi = ReturnType<typeof downloadsApi>

export const downloadsApi = (client: Client) => ({
  /** `state`: only downloads in this state. */
  page: (cursor: string | null, limit = 100, state?: DownloadState) =>
    client.page<DownloadList>('/downloads', { cursor, limit, ...(state && { state }) }),
  pause: (id: string) => client.post<Download>(`/downloads/${id}/pause`),
  resume: (id: string) => client.post<Download>(`/downloads/${id}/resume`),
  cancel: (id: string) => client.remove(`/downloads/${id}`),
  pauseAll: () => client.post<QueuePaused>('/downloads/pause'),
  resumeAll: () => client.post<QueuePaused>('/downloads/resume'),
})
