import { DAY, type Clock } from '../../platform/clock'
import { randomBytes } from '../../platform/crypto'
import type { Publish } from '../../platform/events'
import type { Store } from '../../store'
import type { SessionOwner } from '../../store/sessions'
import type { UserRow } from '../../store/users'
import { keyHash } from '../keys'
import type { Credentials, SignedIn, Surface } from './credentials'

export const SESSION_DAYS = 30
export const SYNC_DAYS = 365
/** Surfaces that a page opens without an Authorization header. */
const surfaces = new Set<Surface>(['media', 'download', 'socket'])

/**
 * Manages sessions. A browser session's cookie signs in requests that cannot carry an Authorization header (audio,
 * images, downloads, sockets): it may read media, save everything of its user and open the socket, nothing else. A sync session's token lets a podcast app sync
 * without its password. Only digests of the tokens are stored.
 */
export function createSessions(store: Store, publish: Publish, now: Clock) {
  const ownerOf = (token: string): SessionOwner | null => store.sessions.findOwner(keyHash(token), 'browser', now())

  /** Ends the session of a token, if there is one, and reports that to its sockets. */
  function end(token: string) {
    const id = store.sessions.remove(keyHash(token))
    if (id !== null) publish({ type: 'sessionEnded', sessionId: id })
  }

  return {
    ownerOf,
    end,
    isActive: (id: number) => store.sessions.isValid(id, now()),
    /**
     * Issues a token. Renews the session of `oldToken` if it is this user's; otherwise starts a new one. Another user's
     * session stays: tabs of one browser share a cookie, and would otherwise keep ending each other's sessions.
     */
    start(user: UserRow, oldToken: string | null): string {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = now() + SESSION_DAYS * DAY
      const old = oldToken === null ? null : ownerOf(oldToken)
      if (old?.id === user.id) store.sessions.rotate(old.session_id, keyHash(token), expiresAt)
      else store.sessions.add(keyHash(token), user, 'browser', now(), expiresAt)
      return token
    },
    /** Issues a token for a podcast app, which sends its password once and this token from then on. */
    startSync(user: UserRow): string {
      const token = randomBytes(32).toString('base64url')
      store.sessions.add(keyHash(token), user, 'sync', now(), now() + SYNC_DAYS * DAY)
      return token
    },
    syncOwnerOf: (token: string): SessionOwner | null => store.sessions.findOwner(keyHash(token), 'sync', now()),
    removeExpired: () => store.sessions.removeExpired(now()),

    /** Signs in by cookie; null for an expired or unknown one, as if none was sent. */
    signIn({ session, surface, isReading }: Credentials): SignedIn | null {
      if (session === null || !isReading || !surfaces.has(surface)) return null
      const owner = ownerOf(session)
      return owner && { user: owner, by: 'session', sessionId: owner.session_id }
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>
