import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import { isKey, keyHash, type FeedKeys } from '../keys'
import type { Throttle } from '../throttle'
import { notSignedIn } from '../not-signed-in'
import type { Credentials, SignedIn } from './credentials'

/** Finds the user of an API key. */
export type KeyHolder = (key: string) => UserRow | null

/** Knows the key of the configuration and those that users made. */
export function createKeyHolder(store: Store, configured: string | null): KeyHolder {
  const configuredHash = configured && keyHash(configured)
  return key => {
    const hash = keyHash(key)
    return hash === configuredHash ? store.users.findBuiltIn() : store.users.findByApiKey(hash)
  }
}

/** Signs in by `Authorization: Bearer <API key>`, on every surface. */
export const apiKeySignIn =
  (keyHolder: KeyHolder, throttle: Throttle) =>
  async ({ authorization, address }: Credentials): Promise<SignedIn | null> => {
    const key = /^bearer +([0-9a-f]{32})$/i.exec(authorization ?? '')?.[1]?.toLowerCase()
    if (!key) return null
    const user = keyHolder(key) ?? (await throttle.guess('key', address(), () => null))
    if (!user) throw notSignedIn()
    return { user, by: 'api-key' }
  }

/** Signs in by a key in the address, to read media, covers and feeds: a feed key or an API key. */
export const addressKeySignIn =
  (keyHolder: KeyHolder, feedKeys: FeedKeys, store: Store, throttle: Throttle) =>
  async ({ key, surface, isReading, address }: Credentials): Promise<SignedIn | null> => {
    if (key === null || !isReading || (surface !== 'media' && surface !== 'feed')) return null
    const found = feedKeys.read(key)
    const user = found && store.users.find(found.id)
    if (user && user.feed_key_version === found.version) return { user, by: 'feed-key' }
    const holder = (isKey(key) && keyHolder(key)) || (await throttle.guess('key', address(), () => null))
    if (!holder) throw notSignedIn()
    return { user: holder, by: 'api-key' }
  }
