import { signal, type Signal } from '@preact/signals-core'
import { ErrorResponse, UserManager, WebStorageStateStore, type User } from 'oidc-client-ts'
import type { OidcConfig } from '../../shared/api/system'
import { isCallback } from '../routes'

/** The step of single sign-on that failed; the text is `oidc-<failure>`. */
type OidcFailure = 'sign-in-failed' | 'sign-out-failed' | 'renew-failed' | 'unknown'
export type OidcError = {
  failure: OidcFailure
  detail: string
  /** The provider has refused: another attempt is useless. */
  isRefusal: boolean
}

const RENEW_UNDER_SECONDS = 70

export type Oidc = Awaited<ReturnType<typeof createOidc>>

/** Single sign-on by OpenID Connect: code flow with PKCE, renewed silently before it expires. */
export async function createOidc(config: OidcConfig, prefix: string) {
  const manager = createManager(config, `${location.origin}${prefix}/api/v1/sys/openid`)
  const user = signal<User | null>(null)
  const { isBusy, error, attempt } = createAttempts()
  const renewal = createRenewal(manager, user, attempt)

  manager.events.addUserLoaded(loaded => {
    user.value = isFresh(loaded) ? loaded : null
  })
  manager.events.addUserUnloaded(() => {
    user.value = null
  })

  return {
    isBusy,
    error,
    /** The token to send at this moment, which changes over time. */
    token: () => (user.value ? tokenOf(user.value) : null),

    /** Continues with the answer of the provider, or with the sign-in that this browser still has. */
    async start() {
      if (isCallback(location)) {
        await attempt('sign-in-failed', () => manager.signinCallback())
        history.replaceState(null, '', location.pathname)
      }
      const known = await manager.getUser()
      if (known && !isFresh(known) && known.refresh_token) await renewal.renew()
      else await renewal.loadStored()
      setInterval(() => {
        if (user.value && secondsLeft(user.value) < RENEW_UNDER_SECONDS) void renewal.renew()
      }, config.refreshInterval)
    },
    renew: renewal.renew,
    loadStored: renewal.loadStored,
    signIn: () =>
      attempt('sign-in-failed', () =>
        manager.signinRedirect({ nonce: newNonce(), extraQueryParams: config.parameters }),
      ),
    signOut: (idToken: string) => attempt('sign-out-failed', () => manager.signoutRedirect({ id_token_hint: idToken })),
    idToken: () => user.value?.id_token ?? null,
    /** Revokes the tokens at the provider. People can sign out even if the provider can't revoke tokens. */
    revoke: () => manager.revokeTokens().catch(() => undefined),
    /** Forgets who signed in, without asking the provider. */
    forget: () => manager.removeUser(),
  }
}

/** Ties an ID token to the request for it. */
const newNonce = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('')

/** `gateway`: our server's calls, which it makes to the provider as the client that is registered there. */
function createManager({ authority, clientId, redirectUri, scope }: OidcConfig, gateway: string) {
  return new UserManager({
    authority,
    metadataUrl: gateway,
    metadataSeed: { token_endpoint: `${gateway}/token`, revocation_endpoint: `${gateway}/revoke` },
    client_id: clientId,
    redirect_uri: redirectUri,
    post_logout_redirect_uri: redirectUri,
    scope,
    response_type: 'code',
    automaticSilentRenew: false,
    monitorSession: false,
    userStore: new WebStorageStateStore({ store: localStorage }),
  })
}

type Attempt = (failure: OidcFailure, work: () => Promise<unknown>) => Promise<void>

/** Runs a step, and records its failure in place of throwing it. */
function createAttempts() {
  const isBusy = signal(false)
  const error = signal<OidcError | null>(null)
  const attempt: Attempt = async (failure, work) => {
    isBusy.value = true
    error.value = null
    try {
      await work()
    } catch (reason) {
      error.value =
        reason instanceof Error
          ? { failure, detail: reason.message, isRefusal: reason instanceof ErrorResponse }
          : { failure: 'unknown', detail: failure, isRefusal: false }
    } finally {
      isBusy.value = false
    }
  }
  return { isBusy, error, attempt }
}

function createRenewal(manager: UserManager, user: Signal<User | null>, attempt: Attempt) {
  let renewing: Promise<void> | null = null

  async function restoreOrRenew() {
    const stored = await manager.getUser()
    const isNewer = stored !== null && isFresh(stored) && stored.access_token !== user.value?.access_token
    if (isNewer) user.value = stored
    else await manager.signinSilent({ nonce: newNonce() })
  }
  return {
    /** Renews, one tab at a time: a refresh token works only once, and the others read the tokens that it returned. */
    renew(): Promise<void> {
      renewing ??= attempt('renew-failed', () => withLock(restoreOrRenew)).finally(() => (renewing = null))
      return renewing
    },
    /** Follows another tab, which may have stored a user or removed one. */
    async loadStored() {
      await renewing
      const before = user.value
      const stored = await manager.getUser()
      // A token that arrived in the meantime is newer than what was read.
      if (user.value === before) user.value = stored && isFresh(stored) ? stored : null
    },
  }
}

/** Returns a silent renewal from within its frame: hands the provider's answer to the page around it. */
export async function answerSilentRenewal(address: string) {
  await new UserManager({ authority: '', client_id: '', redirect_uri: '' }).signinSilentCallback(address)
}

/** Locks need https, or the server's own machine; without them tabs rarely renew in the same second. */
const withLock = (work: () => Promise<void>): Promise<unknown> =>
  navigator.locks ? navigator.locks.request('castellan-renewal', work) : work()

const now = () => Date.now() / 1000
const isFresh = (user: User) => expiryOf(user) > now()
const secondsLeft = (user: User) => expiryOf(user) - now()

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
