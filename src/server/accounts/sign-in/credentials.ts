import { Problem } from '../../platform/problem'
import type { Store } from '../../store'
import type { UserRow } from '../../store/users'

/**
 * The part of the server that a request is for; each accepts only some of the credentials. `download`: a call of the
 * API that a browser saves to its disk, for which a page cannot set a header.
 */
export type Surface = 'api' | 'download' | 'media' | 'feed' | 'socket' | 'sync'

/** Everything in a request that may identify its sender. */
export type Credentials = {
  surface: Surface
  /** Whether the method is GET or HEAD, which change nothing. */
  isReading: boolean
  authorization: string | null
  /** The user name in the proxy's header; null without one, or where the peer is not a trusted proxy. */
  proxied: string | null
  /** The API key or feed key in the URL. */
  key: string | null
  /** The key in the URL of an episode's media, and that episode's id there; `eid` is null at any other path. */
  mediaKey: { key: string; eid: string | null } | null
  /** The value of the session cookie; null without one, and for a socket that a page of another site opens. */
  session: string | null
  /** Whether the browser says that one of our pages sends the request, not one of another site. */
  isOurPage: boolean
  /** The IP address that the request comes from. */
  address: () => string
  /** The network of that address, as shown to people. */
  place: () => string
}

/** The credential that was accepted. */
export type WayIn = 'password' | 'token' | 'proxy' | 'api-key' | 'feed-key' | 'media-key' | 'session'
/** `providerSession`: the sign-in at an OpenID provider, as `SessionRow` has it. */
export type SignedIn = { user: UserRow; by: WayIn; sessionId?: number; providerSession?: string | null }

/** One way to sign in. Returns null when the request does not try it; throws `Problem` when it tries and fails. */
export type SignIn = (credentials: Credentials) => SignedIn | null | Promise<SignedIn | null>

export const notSignedIn = () => new Problem('not-signed-in', 'Sign in first')

/**
 * Throws `not-signed-in` if the user, read a while ago, is gone or has changed something that ends earlier sign-ins, or
 * if the provider has ended the sign-in meant here.
 */
export function requireCurrent(
  { users, sessions }: Store,
  { id, epoch }: UserRow,
  providerSession: string | null = null,
) {
  const hasEnded = providerSession !== null && sessions.signInEndedAt(providerSession) !== null
  if (hasEnded || users.find(id)?.epoch !== epoch) throw notSignedIn()
}
