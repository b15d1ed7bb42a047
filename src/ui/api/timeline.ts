import type { Timeline } from '../../shared/api/timeline'
import type { Client } from './client'

type TimelineQuery = { favoredOnly?: boolean; notListened?: boolean; favoredEpisodes?: boolean; limit?: number }
export const timelineApi = (client: Client) => ({
  page: (query: TimelineQuery, cursor: string | null, signal?: AbortSignal) =>
    client.page<Timeline>('/podcasts/timeline', { ...query, cursor }, signal),
})
