import { SECOND } from '../platform/clock'
import type { DomainEvent, Events } from '../platform/events'

/** Upper bounds of the histogram, in seconds. */
const bounds = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10]
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export type RequestCounts = ReturnType<typeof createRequestCounts>

/**
 * Counts requests since the start of the process by method, part of the server and class of their status, and how long
 * they took to the first byte. The parts are those of the route table, so strangers cannot add any.
 */
export function createRequestCounts() {
  const requests = new Map<string, number>()
  const buckets = new Float64Array(bounds.length + 1)
  let seconds = 0

  return {
    requests: requests as ReadonlyMap<string, number>,
    count(method: string, part: string, status: number, tookMs: number) {
      const known = methods.has(method) ? method : 'other'
      const labels = `{method="${known}",route="${part}",status="${Math.floor(status / 100)}xx"}`
      requests.set(labels, (requests.get(labels) ?? 0) + 1)
      const took = tookMs / SECOND
      const place = bounds.findIndex(bound => took <= bound)
      buckets[place === -1 ? bounds.length : place]! += 1
      seconds += took
    },
    /** The cumulative histogram: each upper bound with the requests that took no longer. */
    histogram() {
      let total = 0
      const cumulative = [...bounds.map(String), '+Inf'].map((bound, at) => {
        total += buckets[at]!
        return [bound, total] as const
      })
      return { buckets: cumulative, sum: seconds, count: total }
    },
  }
}

/** The part of the server that a path of the route table, or of a request, belongs to: `/api/v1/podcasts`, `/media`. */
export function partOf(path: string): string {
  const isApi = path.startsWith('/api/v1/')
  const end = path.indexOf('/', isApi ? '/api/v1/'.length : 1)
  return end === -1 ? path : path.slice(0, end)
}

/** Counts events by type since the start of the process. */
export function countEvents(events: Pick<Events, 'listenToAll'>): ReadonlyMap<DomainEvent['type'], number> {
  const counts = new Map<DomainEvent['type'], number>()
  events.listenToAll(({ type }) => counts.set(type, (counts.get(type) ?? 0) + 1))
  return counts
}
