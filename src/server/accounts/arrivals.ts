import { type Clock, DAY } from '../platform/clock'
import { surroundingsOf } from '../outbound/address'
import type { DomainEvent } from '../platform/events'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'

/** A device, by its name, and a network: where somebody signs in. Both may be empty, for unknown. */
export type Visitor = { device: string; address: string }

const REMEMBERED_MS = 365 * DAY
/** A phone meets many networks. */
const MAX_REMEMBERED = 100

type Needs = {
  store: Store
  secret: Secret
  now: Clock
  /** Notes, within the transaction, that a person is notified of a sign-in. */
  recordSignIn: (userId: number, arrival: Visitor & { at: number }) => void
}
export type Arrivals = ReturnType<typeof createArrivals>

/**
 * Notes where people sign in, and notifies them of a device or a network that was not seen before. The first sign-in of
 * an account is nothing unusual. Places are stored as keyed hashes, for a year after they were last seen.
 */
export function createArrivals({ store, secret, now, recordSignIn }: Needs) {
  let derived: Uint8Array | null = null
  const hashOf = (place: string) =>
    new Bun.CryptoHasher('sha256', (derived ??= secret.derive('known places'))).update(place).digest('base64url')

  return {
    /** Whether the account of a name was signed in to from the network of an address. */
    isKnownPlace(name: string, address: string): boolean {
      const network = surroundingsOf(address)
      // Also checked for names without an account, so that the time it takes does not reveal which names exist.
      const userId = store.users.findByName(name)?.id ?? 0
      return network !== '' && store.knownPlaces.has(userId, hashOf(`network ${network}`))
    },
    /** Notes a sign-in, within its transaction; returns what to publish after the commit. */
    note(userId: number, { device, address }: Visitor): DomainEvent[] {
      const { knownPlaces, notifications } = store
      const isFirst = !knownPlaces.hasAny(userId)
      const places = [...(device === '' ? [] : [`device ${device}`]), ...(address === '' ? [] : [`network ${address}`])]
      // Both are noted, even if only one is new.
      const isKnown = places.map(place => knownPlaces.note(userId, hashOf(place), now())).every(known => known)
      if (!isKnown) knownPlaces.forget(userId, now() - REMEMBERED_MS, MAX_REMEMBERED)
      if (isKnown || isFirst) return []
      const notificationId = notifications.addPersonal('SignIn', userId, nameOf({ device, address }), now())
      recordSignIn(userId, { at: now(), device, address })
      return [
        { type: 'signedInElsewhere', userId, at: now(), device, address },
        { type: 'notification', userId, notificationId },
      ]
    },
  }
}

const nameOf = ({ device, address }: Visitor) => [device, address].filter(part => part !== '').join(' · ')
