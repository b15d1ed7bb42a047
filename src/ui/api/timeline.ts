import type { Marked } from '../../shared/api/episode'
import type { Affected } from '../../shared/api/podcast'
import type { Timeline, TimelineSpan } from '../../shared/api/timeline'
import type { Client } from './client'

type TimelineQuery = TimelineSpan & {
  limit?: number
  /** Puts the episodes without a date behind all others. */
  undatedLast?: boolean
  /** The time zone whose days are summed up. */
  tz?: string
}

export const timelineApi = (client: Client) => ({
  page: (query: TimelineQuery, cursor: string | null, signal?: AbortSignal) =>
    client.page<Timeline>('/podcasts/timeline', { ...query, cursor }, signal),
  mark: (span: TimelineSpan, finished: boolean) =>
    client.post<Marked>('/podcasts/timeline/listened', { ...span, finished }),
  undoMark: (undo: string) => client.post<Affected>('/podcasts/timeline/listened/undo', { undo }),
  /** Appends the episodes to the queue, except for the played ones. */
  queue: (span: TimelineSpan) => client.post<Affected>('/podcasts/timeline/queue', span),
})
