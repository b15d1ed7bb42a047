import { type Clock, HOUR } from '../../platform/clock'
import type { Publish } from '../../platform/events'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import { type FeedKeys, isKey, keyHash, type MediaKeys } from '../keys'
import { type Credentials, notSignedIn, type SignedIn, type WayIn } from './credentials'
import type { Throttle } from '../throttle'
import type { Sessions } from './session'

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

type MediaKeyNeeds = {
  store: Store
  mediaKeys: MediaKeys
  sessions: Pick<Sessions, 'isActive'>
  throttle: Throttle
  now: Clock
}

/**
 * Signs in by the key in the address of an episode's media, to read that alone; null without one. Throws
 * `not-signed-in` for a key that is invalid or expired, or whose password, API key or session has been replaced or has
 * ended, `too-many-attempts` for many wrong ones.
 */
export const mediaKeySignIn =
  ({ store, mediaKeys, sessions, throttle, now }: MediaKeyNeeds) =>
  async ({ mediaKey, isReading, address }: Credentials): Promise<SignedIn | null> => {
    if (mediaKey === null) return null
    const { key, eid } = mediaKey
    // Keys count nowhere else, so guessing there reveals nothing.
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

const MAX_REMEMBERED = 5000
const keys = new Set<string>(['password', 'api-key', 'feed-key', 'assistant-key'])

type Address = () => string
export type KeyUses = ReturnType<typeof createKeyUses>
export type NoteKey = KeyUses['noteKey']

/** Publishes the use of keys and passwords, seldom more than once for each, since apps send theirs all the time. */
export function createKeyUses({ publish, now }: { publish: Publish; now: Clock }) {
  const seen = new Map<string, number>()

  /** Whether this was not seen within a time. Forgets the oldest. */
  function isNew(use: string, withinMs: number): boolean {
    const before = seen.get(use)
    if (before !== undefined && now() - before < withinMs) return false
    seen.delete(use)
    if (seen.size >= MAX_REMEMBERED) seen.delete(seen.keys().next().value!)
    seen.set(use, now())
    return true
  }

  return {
    /** Notes that a key, or a password sent with a request, was used; published once per address. */
    noteKey(user: UserRow, by: WayIn | 'assistant-key', address: Address) {
      if (!keys.has(by) || !isNew(`${user.id} ${by} ${address()}`, Number.POSITIVE_INFINITY)) return
      publish({ type: 'recorded', kind: 'key-used', actor: user, about: user, via: by })
    },
    /** Notes that a right password was sent without the code that it needs; published once an hour per address. */
    noteCodeWanted(user: UserRow, address: Address) {
      if (!isNew(`${user.id} code ${address()}`, HOUR)) return
      publish({ type: 'recorded', kind: 'code-wanted', actor: user, about: user, via: 'password' })
    },
  }
}
