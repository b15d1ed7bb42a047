import type { TimelineSpan } from '../../shared/api/timeline'
import { callsOf } from './calls'
import type { Client } from './client'

/** Calls about the timeline by places, with the episodes without a date last; loaded where they are used. */
export function timelineListApi(client: Client) {
  const { get } = callsOf(client)
  return {
    page: (filter: TimelineSpan, offset: number, limit: number, signal?: AbortSignal) =>
      get('/podcasts/timeline')({ ...filter, undatedLast: true, offset, limit }, signal),
    /** Returns the length of the timeline, and its days and months in this time zone. */
    outline: (filter: TimelineSpan, tz: string, signal?: AbortSignal) =>
      get('/podcasts/timeline/outline')({ ...filter, tz }, signal),
  }
}
