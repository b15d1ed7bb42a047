import type { YourCounts, YourEpisode } from '../../shared/api/your-episodes'
import type { YourList } from '../../shared/your-lists'
import type { Client } from './client'

export const yourEpisodesApi = (client: Client) => ({
  counts: () => client.get<YourCounts>('/episodes/yours'),
  page: (list: YourList, cursor: string | null, limit = 50) =>
    client.page<YourEpisode[]>(`/episodes/yours/${list}`, { cursor, limit }),
})
