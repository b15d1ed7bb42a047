import type { NewsType } from '../../shared/api/destination'
import { MINUTE, SECOND, type Clock } from '../platform/clock'
import type { Store } from '../store'
import type { DestinationRow } from '../store/destinations'
import { combine, isUrgent, type News, type Told } from './news'
import { STUCK_MS } from './deliver'
import { quietUntil } from './quiet'

type Needs = { store: Store; now: Clock }

/** News that arrives within this time of other news of its type is reported with it. */
const GATHER_MS = 10 * SECOND
/** The shortest time between two messages to one destination, unless they are urgent or tried again. */
const BETWEEN_MS = MINUTE
/** Messages of one type that wait for one destination; the oldest give way. */
const MOST_WAITING = 100

/**
 * Notes news for every destination of a user that wants it. Call it in the transaction that notes that the user was
 * reported: after a kill, either both happened or none. News joins the message of its type that nobody has tried to
 * deliver.
 */
export function recordNews({ store, now }: Needs, userId: number, { types, facts }: News) {
  // News must not join a message that is too old to be sent.
  store.deliveries.removeBefore(now() - STUCK_MS)
  for (const destination of store.destinations.listOpen(userId)) {
    const wanted = JSON.parse(destination.events) as NewsType[]
    const type = types.find(type => wanted.includes(type))
    if (type === undefined) continue
    const due_at = dueAt(destination, type, now())
    const waiting = isUrgent(type) ? null : store.deliveries.findUntried(destination.id, type)
    if (waiting) {
      const told = combine<Told['facts']>(type, JSON.parse(waiting.facts) as Told['facts'], facts)
      store.deliveries.rewrite(waiting.id, JSON.stringify(told), due_at)
      continue
    }
    const destination_id = destination.id
    store.deliveries.add({ destination_id, type, facts: JSON.stringify(facts), created_at: now(), due_at })
    store.deliveries.removeBeyond(destination_id, type, MOST_WAITING)
  }
}

function dueAt(destination: DestinationRow, type: NewsType, now: number): number {
  if (isUrgent(type)) return now
  const sinceLast = Math.min((destination.last_success_at ?? 0) + BETWEEN_MS, now + BETWEEN_MS)
  return quietUntil(destination, now) ?? Math.max(now + GATHER_MS, sinceLast)
}
