import type { DomainEvent, Events } from '../platform/events'

/** Counts events by type since the start of the process. */
export function countEvents(events: Pick<Events, 'listenToAll'>): ReadonlyMap<DomainEvent['type'], number> {
  const counts = new Map<DomainEvent['type'], number>()
  events.listenToAll(({ type }) => counts.set(type, (counts.get(type) ?? 0) + 1))
  return counts
}
