import type { JWTPayload } from 'jose'
import type { Publish } from '../../platform/events'
import { SECOND } from '../../platform/clock'
import type { Store } from '../../store'
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
  const { iss, sub, sid, iat, events, nonce } = payload
  if (!Object.hasOwn(Object(events) as object, EVENT) || nonce !== undefined) throw notSignedIn()
  const session = typeof sid === 'string' ? sid : null
  if (session === null && sub === undefined) throw notSignedIn()
  const user = sub === undefined ? null : store.users.findBySubject(iss!, sub)
  const ended = store.inTransaction(() => {
    store.sessions.endSignIn(keyOf(iss!, session === null ? 'sub' : 'sid', session ?? sub!), iat! * SECOND)
    if (!user) return null
    // Browsers that are still signed in begin another one: the cookie is for media and live events only.
    const sessions = store.sessions.removeOfWay(user.id, 'single-sign-on')
    return { sessions, ...(session === null && { apps: store.appSessions.removeOf(user.id) }) }
  })
  if (user && ended) reportEnded(publish, user.id, ended)
}

/** Whether the provider has ended the sign-in that a token belongs to. */
export function hasEnded({ sessions }: Store, { iss, sub, sid, iat }: JWTPayload): boolean {
  if (typeof sid === 'string' && sessions.signInEndedAt(keyOf(iss!, 'sid', sid)) !== null) return true
  const endedAt = sessions.signInEndedAt(keyOf(iss!, 'sub', sub!))
  return endedAt !== null && (iat ?? 0) * SECOND <= endedAt
}

const keyOf = (issuer: string, kind: 'sid' | 'sub', value: string) => `${kind} ${issuer} ${value}`
