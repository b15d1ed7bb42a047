import type { BegunWork } from '../begun-work'
import type { Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import type { Listeners } from '../platform/events'
import type { Log } from '../platform/log'
import type { Secret } from '../platform/secret'
import { createTexts } from '../platform/texts'
import type { Store } from '../store'
import { createDeliveries, STUCK_MS } from './deliver'
import { createManagement } from './manage'
import { cutTitle, type News, type SignInFacts } from './news'
import { recordNews } from './record'
import { send } from './send'
import { deriveVapidKeys, type VapidKeys } from './vapid'

// Why: docs/internals/decisions/0052

type Needs = { store: Store; secret: Secret; outbound: Outbound; now: Clock; log: Log; begun: BegunWork }

/** Destinations of people's news, and the messages on their way there. */
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
    /** The same for a sign-in from a new place. Titles come from a browser. */
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
