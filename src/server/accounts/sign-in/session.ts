import { randomBytes } from 'node:crypto'
import { DAY, type Clock } from '../../platform/clock'
import type { Publish } from '../../platform/events'
import type { Store } from '../../store'
import type { SessionOwner } from '../../store/sessions'
import type { UserRow } from '../../store/users'
import { keyHash } from '../keys'
import type { Credentials, SignedIn } from './credentials'

export const SESSION_DAYS = 30
export const SYNC_DAYS = 365

/**
 * Sessions by cookie, for what sends no other header: an `<audio>`, an `<img>`, a socket. The cookie is good for
 * reading media and covers and for the socket, and for nothing else. Only digests of the tokens are stored.
 */
export function createSessions(store: Store, publish: Publish, now: Clock) {
  const ownerOf = (token: string): SessionOwner | null => store.sessions.findOwner(keyHash(token), 'browser', now())

  function end(token: string) {
    const id = store.sessions.remove(keyHash(token))
    if (id !== null) publish({ type: 'sessionEnded', sessionId: id })
  }

  return {
    ownerOf,
    end,
    isActive: (id: number) => store.sessions.isValid(id, now()),
    /**
     * A new token: for the session of the old token if that is the same user's, else for a new session. Another user's
     * session is left alone: tabs of one browser share a cookie, and would end each other's again and again.
     */
    start(user: UserRow, oldToken: string | null): string {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = now() + SESSION_DAYS * DAY
      const old = oldToken === null ? null : ownerOf(oldToken)
      if (old?.id === user.id) store.sessions.rotate(old.session_id, keyHash(token), expiresAt)
      else store.sessions.add(keyHash(token), user, 'browser', now(), expiresAt)
      return token
    },
    /** A new token for a podcast app, which sends its password once and this token from then on. */
    startSync(user: UserRow): string {
      const token = randomBytes(32).toString('base64url')
      store.sessions.add(keyHash(token), user, 'sync', now(), now() + SYNC_DAYS * DAY)
      return token
    },
    syncOwnerOf: (token: string): SessionOwner | null => store.sessions.findOwner(keyHash(token), 'sync', now()),
    removeExpired: () => store.sessions.removeExpired(now()),

    /** A stale cookie counts as none. */
    signIn({ session, surface, isReading }: Credentials): SignedIn | null {
      if (session === null || !isReading || (surface !== 'media' && surface !== 'socket')) return null
      const owner = ownerOf(session)
      return owner && { user: owner, by: 'session', sessionId: owner.session_id }
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>
