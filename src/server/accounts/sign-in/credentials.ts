import { Problem } from '../../platform/problem'
import type { UserRow } from '../../store/users'

/** Which part of the server is asked: not every credential is good for all of it. */
export type Surface = 'api' | 'media' | 'feed' | 'socket' | 'sync'

/** What a request brings along to say who asks. */
export type Credentials = {
  surface: Surface
  /** GET or HEAD. */
  isReading: boolean
  authorization: string | null
  /** What the proxy's header says; null where there is none, or where the peer is no trusted proxy. */
  proxied: string | null
  /** The key in the address. */
  key: string | null
  /** The value of our cookie; null for a socket that another site's page opens. */
  session: string | null
  /** Where the request comes from. */
  address: () => string
}

export type WayIn = 'password' | 'token' | 'proxy' | 'api-key' | 'feed-key' | 'session'
export type SignedIn = { user: UserRow; by: WayIn; sessionId?: number }

/** One way in: somebody, null when the request does not try it, or a Problem when it does and fails. */
export type SignIn = (credentials: Credentials) => SignedIn | null | Promise<SignedIn | null>

export const notSignedIn = () => new Problem('not-signed-in', 'Sign in first')
