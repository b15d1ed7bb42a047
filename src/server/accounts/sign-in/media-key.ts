import type { Clock } from '../../platform/clock'
import type { Store } from '../../store'
import type { MediaKeys } from '../media-keys'
import { notSignedIn } from '../not-signed-in'
import type { Throttle } from '../throttle'
import type { Credentials, SignedIn } from './credentials'
import type { Sessions } from './session'

type Needs = {
  store: Store
  mediaKeys: MediaKeys
  sessions: Pick<Sessions, 'isActive'>
  throttle: Throttle
  now: Clock
}

/**
 * Signs in by the key in the address of an episode's media, to read that alone; null without one. Throws
 * `not-signed-in` for a key that is wrong, over, of an earlier password, of an API key that was replaced or of a
 * session that has ended, `too-many-attempts` for many wrong ones.
 */
export const mediaKeySignIn =
  ({ store, mediaKeys, sessions, throttle, now }: Needs) =>
  async ({ mediaKey, isReading, address }: Credentials): Promise<SignedIn | null> => {
    if (mediaKey === null) return null
    const { key, eid } = mediaKey
    // Elsewhere no key counts, so nobody learns anything by guessing.
    if (eid === null || !isReading) throw notSignedIn()
    const found = mediaKeys.read(key, eid)
    if (!found) await throttle.recordFailure({ way: 'key', name: '' }, address())
    if (!found || found.expiresAt <= now()) throw notSignedIn()
    const sessionId = mediaKeys.sessionOf(found)
    if (sessionId !== null && !sessions.isActive(sessionId)) throw notSignedIn()
    const user = store.users.find(found.userId)
    if (user?.epoch !== found.epoch) throw notSignedIn()
    if (sessionId === null && !mediaKeys.isOfCurrentKey(found, user)) throw notSignedIn()
    return { user, by: 'media-key' }
  }
