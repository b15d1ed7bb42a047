const VISIT_KEY = 'visit'
const BEFORE_KEY = 'visit.before'
const HOUR = 3_600_000

/** Notes that the page is opened. Pages that are opened within an hour belong to one visit. */
export function noteVisit(storage: Pick<Storage, 'getItem' | 'setItem'>, now = Date.now()) {
  const latest = Number(storage.getItem(VISIT_KEY))
  if (latest > 0 && now - latest > HOUR) storage.setItem(BEFORE_KEY, String(latest))
  storage.setItem(VISIT_KEY, String(now))
}

/** Returns the moment of the visit before this one, in milliseconds; null = the first in this browser. */
export const lastVisit = (storage: Pick<Storage, 'getItem'>): number | null =>
  Number(storage.getItem(BEFORE_KEY)) || null
