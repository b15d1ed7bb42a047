import { LAST_VISIT_KEY } from './shell'

const VISIT_KEY = 'visit'
const HOUR = 3_600_000

/** Notes that the page is opened. Pages that are opened within an hour belong to one visit. */
export function noteVisit(storage: Pick<Storage, 'getItem' | 'setItem'>, now = Date.now()) {
  const latest = Number(storage.getItem(VISIT_KEY))
  if (latest > 0 && now - latest > HOUR) storage.setItem(LAST_VISIT_KEY, String(latest))
  storage.setItem(VISIT_KEY, String(now))
}
