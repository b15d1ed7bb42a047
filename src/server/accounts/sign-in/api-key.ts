import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import { isKey, keyHash, type FeedKeys } from '../keys'
import type { Throttle } from '../throttle'
import { notSignedIn } from '../not-signed-in'
import type { Credentials, SignedIn } from './credentials'

/** Finds the user of an API key; null when nobody has it. */
export type FindKeyOwner = (key: string) => UserRow | null

/** Finds owners of the configured key, which is the built-in user's, and of the keys that users made. */
export function createFindKeyOwner(store: Store, configured: string | null): FindKeyOwner {
  const configuredHash = configured && keyHash(configured)
  return key => {
    const hash = keyHash(key)
    return hash === configuredHash ? store.users.findBuiltIn() : store.users.findByApiKey(hash)
  }
}

/** The key of a header `Authorization: Bearer <32 hex digits>`; null for any other. */
export const bearerKey = (authorization: string | null): string | null =>
  /^bearer +([0-9a-f]{32})$/i.exec(authorization ?? '')?.[1]?.toLowerCase() ?? null

/**
 * Signs in by `Authorization: Bearer <API key>`, on every surface; null without one. Throws `not-signed-in` for a wrong
 * key, `too-many-attempts` for many.
 */
export const apiKeySignIn =
  (findKeyOwner: FindKeyOwner, throttle: Throttle) =>
  async ({ authorization, address }: Credentials): Promise<SignedIn | null> => {
    const key = bearerKey(authorization)
    if (!key) return null
    const user = findKeyOwner(key) ?? (await throttle.recordFailure({ way: 'key', name: '' }, address()))
    if (!user) throw notSignedIn()
    return { user, by: 'api-key' }
  }

/**
 * Signs in by a key in the URL, a feed key or an API key, to read media, covers and feeds; null without one. Throws
 * `not-signed-in` for a wrong key, `too-many-attempts` for many.
 */
export const urlKeySignIn =
  (findKeyOwner: FindKeyOwner, feedKeys: FeedKeys, store: Store, throttle: Throttle) =>
  async ({ key, surface, isReading, address }: Credentials): Promise<SignedIn | null> => {
    if (key === null || !isReading || (surface !== 'media' && surface !== 'feed')) return null
    const found = feedKeys.read(key)
    const user = found && store.users.find(found.id)
    if (user && user.feed_key_version === found.version) return { user, by: 'feed-key' }
    const owner =
      (isKey(key) && findKeyOwner(key)) || (await throttle.recordFailure({ way: 'key', name: '' }, address()))
    if (!owner) throw notSignedIn()
    return { user: owner, by: 'api-key' }
  }
