import { randomBytes } from 'node:crypto'
import { DAY, type Clock } from '../../clock'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import { keyHash } from '../keys'
import type { Credentials, SignedIn } from './credentials'

export const SESSION_DAYS = 30

/**
 * Sessions of browsers: an `<audio>`, an `<img>` and a socket send no header, but a cookie. It is good for reading
 * media and covers and for the socket, and for nothing else.
 */
export function createSessions(store: Store, now: Clock) {
  return {
    /** The token of a new session; only its digest is kept. */
    start(user: UserRow): string {
      const token = randomBytes(32).toString('base64url')
      store.sessions.add(keyHash(token), user, now(), now() + SESSION_DAYS * DAY)
      return token
    },
    end(token: string) {
      store.sessions.remove(keyHash(token))
    },
    userOf: (token: string): UserRow | null => store.sessions.findUser(keyHash(token), now()),
    removeExpired: () => store.sessions.removeExpired(now()),

    /** A stale cookie counts as none. */
    signIn({ session, surface, isReading }: Credentials): SignedIn | null {
      if (session === null || !isReading || (surface !== 'media' && surface !== 'socket')) return null
      const user = store.sessions.findUser(keyHash(session), now())
      return user && { user, by: 'session' }
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>
