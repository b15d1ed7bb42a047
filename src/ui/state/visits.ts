/** Hold the moments of this visit and of the one before it, in milliseconds. */
const VISIT_KEY = 'visit'
const LAST_VISIT_KEY = 'visit.before'
const HOUR = 3_600_000

/** Notes that the page is opened. Pages that are opened within an hour belong to one visit. */
export function noteVisit(storage: Pick<Storage, 'getItem' | 'setItem'>, now = Date.now()) {
  const last = lastVisit(storage, now)
  if (last > 0) storage.setItem(LAST_VISIT_KEY, String(last))
  storage.setItem(VISIT_KEY, String(now))
}

/** The moment of the visit before this one, whether this one has been noted or not; 0 = there was none. */
export function lastVisit(storage: Pick<Storage, 'getItem'>, now = Date.now()): number {
  const latest = Number(storage.getItem(VISIT_KEY))
  return latest > 0 && now - latest > HOUR ? latest : Number(storage.getItem(LAST_VISIT_KEY))
}
