import type { UserRow } from '../../store/users'

/** The part of the server that a request is for: not every credential is good for all of them. */
export type Surface = 'api' | 'media' | 'feed' | 'socket' | 'sync'

/** Everything in a request that may say who sends it. */
export type Credentials = {
  surface: Surface
  /** GET or HEAD. */
  isReading: boolean
  authorization: string | null
  /** The name in the proxy's header; null where there is none, or where the peer is no trusted proxy. */
  proxied: string | null
  /** The key in the address. */
  key: string | null
  /** The value of our cookie; null for a socket that another site's page opens. */
  session: string | null
  /** The IP address that the request comes from. */
  address: () => string
}

export type WayIn = 'password' | 'token' | 'proxy' | 'api-key' | 'feed-key' | 'session'
export type SignedIn = { user: UserRow; by: WayIn; sessionId?: number }

/** One way to sign in: answers null when the request does not try it, throws `Problem` when it tries and fails. */
export type SignIn = (credentials: Credentials) => SignedIn | null | Promise<SignedIn | null>
