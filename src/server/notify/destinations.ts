import type { BegunWork } from '../begun-work'
import type { Outbound } from '../outbound/request'
import { type Clock, MINUTE, SECOND } from '../platform/clock'
import type { Listeners } from '../platform/events'
import type { Log } from '../platform/log'
import type { Secret } from '../platform/secret'
import { createTexts } from '../platform/texts'
import type { Store } from '../store'
import { createDeliveries, STUCK_MS } from './deliver'
import { createManagement } from './manage'
import { combine, cutTitle, isUrgent, type News, type SignInFacts, type Told } from './news'
import { send } from './send'
import { deriveVapidKeys, type VapidKeys } from './secrets'
import type { NewsType } from '../../shared/api/notification'
import type { DestinationRow } from '../store/destinations'
import { quietUntil } from './quiet'

// Why: docs/internals/decisions/0052

type Needs = { store: Store; secret: Secret; outbound: Outbound; now: Clock; log: Log; begun: BegunWork }

/** Destinations of people's news, and the messages that wait for them. */
export function createDestinations(needs: Needs) {
  const { store, secret, now } = needs
  let keys: VapidKeys | null = null
  const vapid = () => (keys ??= deriveVapidKeys(secret))
  const sending = { ...needs, texts: createTexts(), vapid }
  const stopping = new AbortController()
  const { pump, settled, stop } = createDeliveries(sending)
  const { purge, ...management } = createManagement({
    ...needs,
    sendOnce: (destination, message) => send(sending, destination, message, stopping.signal),
  })

  return {
    ...management,
    pushKey: () => vapid().publicKey,
    /** Notes news for the destinations of a user; see `recordNews`. */
    record: (userId: number, news: News) => recordNews(needs, userId, news),
    /** The same for a sign-in from a new place, whose texts are from a browser. */
    recordSignIn(userId: number, { at, device, address }: SignInFacts) {
      const facts = { at, device: cutTitle(device), address: cutTitle(address) }
      recordNews(needs, userId, { types: ['signedInElsewhere'], facts })
    },
    listeners: { signedInElsewhere: pump } satisfies Listeners,
    pump,
    settled,
    /** Deletes removed destinations, and messages that are stuck. */
    removeOld() {
      purge()
      store.deliveries.removeBefore(now() - STUCK_MS)
    },
    async stop() {
      stopping.abort(new Error('The server is stopping'))
      await stop()
    },
  }
}
export type Destinations = ReturnType<typeof createDestinations>

type RecordNeeds = { store: Store; now: Clock }

/** News that arrives within this time of other news of its type is reported with it. */
const GATHER_MS = 10 * SECOND
/** The shortest time between two messages to one destination, unless they are urgent or tried again. */
const BETWEEN_MS = MINUTE
/** The most messages of one type that wait for one destination; the oldest are dropped. */
const MAX_WAITING = 100

/**
 * Notes news for every destination of a user that wants it. Call it in the transaction that notes that the user was
 * notified: after a kill, either both happened or neither. News is added to the message of its type that has not been
 * tried yet.
 */
function recordNews({ store, now }: RecordNeeds, userId: number, { types, facts }: News) {
  // News must not be added to a message that is too old to be sent.
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
    store.deliveries.removeBeyond(destination_id, type, MAX_WAITING)
  }
}

function dueAt(destination: DestinationRow, type: NewsType, now: number): number {
  if (isUrgent(type)) return now
  const sinceLast = Math.min((destination.last_success_at ?? 0) + BETWEEN_MS, now + BETWEEN_MS)
  return quietUntil(destination, now) ?? Math.max(now + GATHER_MS, sinceLast)
}
