import { signal } from '@preact/signals-core'
import { ErrorResponse, UserManager, WebStorageStateStore, type User } from 'oidc-client-ts'
import type { OidcConfig } from '../../shared/api/config'
import { isCallback } from './oidc-callback'

/** What of signing in went wrong; the text is `oidc-<failure>`. */
export type OidcFailure = 'sign-in-failed' | 'sign-out-failed' | 'renew-failed' | 'unknown'
export type OidcError = {
  failure: OidcFailure
  detail: string
  /** The provider has said no: asking again is of no use. */
  isRefusal: boolean
}

const RENEW_UNDER_SECONDS = 70

export type Oidc = Awaited<ReturnType<typeof createOidc>>

function createManager({ authority, clientId, redirectUri, scope }: OidcConfig) {
  const manager = new UserManager({
    authority,
    client_id: clientId,
    redirect_uri: redirectUri,
    post_logout_redirect_uri: redirectUri,
    scope,
    response_type: 'code',
    automaticSilentRenew: false,
    monitorSession: false,
    userStore: new WebStorageStateStore({ store: localStorage }),
  })
  return { manager, isRefusal: (reason: unknown) => reason instanceof ErrorResponse }
}

/** Single sign-on by OpenID Connect: code flow with PKCE, renewed silently before it expires. */
export async function createOidc(config: OidcConfig) {
  const { manager, isRefusal } = createManager(config)
  const user = signal<User | null>(null)
  const isBusy = signal(false)
  const error = signal<OidcError | null>(null)

  /** Seconds until the token that we send is worth nothing. */
  const remaining = () => (user.value ? expiryOf(user.value) - Date.now() / 1000 : 0)

  async function attempt(failure: OidcFailure, work: () => Promise<unknown>) {
    isBusy.value = true
    error.value = null
    try {
      await work()
    } catch (reason) {
      error.value =
        reason instanceof Error
          ? { failure, detail: reason.message, isRefusal: isRefusal(reason) }
          : { failure: 'unknown', detail: failure, isRefusal: false }
    } finally {
      isBusy.value = false
    }
  }

  manager.events.addUserLoaded(loaded => {
    user.value = isFresh(loaded) ? loaded : null
  })
  manager.events.addUserUnloaded(() => {
    user.value = null
  })

  let renewing: Promise<void> | null = null

  /** One at a time, over all tabs: a refresh token is good for one use, and the others take what it brought. */
  function renew(): Promise<void> {
    renewing ??= attempt('renew-failed', () => alone(takeOrRenew)).finally(() => (renewing = null))
    return renewing
  }

  async function takeOrRenew() {
    const stored = await manager.getUser()
    const isNewer = stored !== null && isFresh(stored) && stored.access_token !== user.value?.access_token
    if (isNewer) user.value = stored
    else await manager.signinSilent()
  }

  return {
    isBusy,
    error,
    /** What to send along now; which of the tokens that is changes with time. */
    token: () => (user.value ? tokenOf(user.value) : null),

    /** Takes up what the provider sent back, or what this browser still has. */
    async start() {
      if (isCallback(location)) {
        await attempt('sign-in-failed', async () => {
          await manager.signinCallback()
        })
        history.replaceState(null, '', location.pathname)
      }
      const known = await manager.getUser()
      if (known && !isFresh(known) && known.refresh_token) await renew()
      else await this.takeStored()
      setInterval(() => {
        if (user.value && remaining() < RENEW_UNDER_SECONDS) void renew()
      }, config.refreshInterval)
    },
    renew,
    /** What another tab has stored, or taken away. */
    async takeStored() {
      await renewing
      const before = user.value
      const stored = await manager.getUser()
      // A token that came meanwhile is newer than what was read.
      if (user.value === before) user.value = stored && isFresh(stored) ? stored : null
    },
    signIn: () => attempt('sign-in-failed', () => manager.signinRedirect()),
    signOut: (idToken: string) => attempt('sign-out-failed', () => manager.signoutRedirect({ id_token_hint: idToken })),
    idToken: () => user.value?.id_token ?? null,
    /** A provider that takes no token back still lets people leave. */
    revoke: () => manager.revokeTokens().catch(() => undefined),
    /** Forgets who signed in, without asking the provider. */
    forget: () => manager.removeUser(),
  }
}

/** In the frame of a silent renewal: hands the answer to the page around it. */
export async function answerSilentRenewal(address: string) {
  await new UserManager({ authority: '', client_id: '', redirect_uri: '' }).signinSilentCallback(address)
}

/** Locks need https, or this very machine; without them tabs rarely renew in the same second. */
const alone = (work: () => Promise<void>): Promise<unknown> =>
  navigator.locks ? navigator.locks.request('castellan-renewal', work) : work()

const now = () => Date.now() / 1000
const isFresh = (user: User) => expiryOf(user) > now()

/** The ID token is a JWT for us at every provider; an access token may be anything. */
function tokenOf(user: User): string {
  return user.id_token && idTokenExpiry(user) > now() ? user.id_token : user.access_token
}

function expiryOf(user: User): number {
  const access = user.expires_at ?? Number.POSITIVE_INFINITY
  const identity = idTokenExpiry(user)
  return identity > now() ? Math.min(access, identity) : access
}

const idTokenExpiry = (user: User) => (user.id_token ? user.profile.exp : 0)
