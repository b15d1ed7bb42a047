import type { JWTPayload } from 'jose'
import type { Publish } from '../../platform/events'
import { SECOND } from '../../platform/clock'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'
import { reportEnded } from '../own-sessions'
import { notSignedIn } from './credentials'
import type { createOidcProvider } from './oidc-provider'

type Needs = { store: Store; publish: Publish; provider: ReturnType<typeof createOidcProvider> }

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Ends a sign-in that the provider says has ended (OpenID Connect Back-Channel Logout 1.0): that of one browser if the
 * token names a session, all of the person otherwise. Throws `not-signed-in` for an invalid token.
 */
export async function endByProvider({ store, publish, provider }: Needs, token: string) {
  const payload = await provider.verifySigned(token, ['iat', 'jti', 'events'])
  const { iss, sub, iat, events, nonce } = payload
  if (!Object.hasOwn(Object(events) as object, EVENT) || nonce !== undefined) throw notSignedIn()
  const session = sessionOf(payload)
  if (session === null && sub === undefined) throw notSignedIn()
  const user = sub === undefined ? null : store.users.findBySubject(iss!, sub)
  const key = session ?? keyOf(iss!, 'sub', sub!)
  const { sessions, ofUser } = store.inTransaction(() => {
    store.sessions.endSignIn(key, iat! * SECOND)
    return { sessions: store.sessions.removeOfProvider(key), ofUser: user && removeOf(store, user, session === null) }
  })
  for (const one of sessions) reportEnded(publish, one.user_id, { sessions: [one] })
  if (user && ofUser) reportEnded(publish, user.id, ofUser)
}

/** Browsers that are still signed in begin another session: the cookie is for media and live events only. */
const removeOf = (store: Store, { id }: UserRow, withApps: boolean) => ({
  sessions: store.sessions.removeOfWay(id, 'single-sign-on'),
  ...(withApps && { apps: store.appSessions.removeOf(id) }),
})

/** Whether the provider has ended the sign-in that a token belongs to. */
export function hasEnded({ sessions }: Store, { iss, sub, sid, iat }: JWTPayload): boolean {
  const session = sessionOf({ iss, sid })
  if (session !== null && sessions.signInEndedAt(session) !== null) return true
  const endedAt = sessions.signInEndedAt(keyOf(iss!, 'sub', sub!))
  return endedAt !== null && (iat ?? 0) * SECOND <= endedAt
}

/** The sign-in of one browser that a token belongs to, as sessions name it; null if the provider names none. */
export const sessionOf = ({ iss, sid }: JWTPayload) => (typeof sid === 'string' ? keyOf(iss!, 'sid', sid) : null)

const keyOf = (issuer: string, kind: 'sid' | 'sub', value: string) => `${kind} ${issuer} ${value}`
