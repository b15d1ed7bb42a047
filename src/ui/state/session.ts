import { computed, signal } from '@preact/signals-core'
import type { Config, OidcConfig } from '../../shared/api/config'
import type { User, UserEdit } from '../../shared/api/user'
import { ApiError } from '../api/client'
import type { SessionApi } from '../api/session'
import type { SystemApi } from '../api/system'
import type { UsersApi } from '../api/users'
import type { Credentials, LoginData } from './credentials'
import type { Oidc } from './oidc'

type Needs = {
  system: Pick<SystemApi, 'config'>
  users: Pick<UsersApi, 'me' | 'edit' | 'removeApiKey' | 'renewFeedKey'>
  session: SessionApi
  credentials: Credentials
  createOidc: (config: OidcConfig) => Promise<Oidc>
  /** The account could not be had: the notice is `not-admin`. */
  onNoAccount: () => void
  /** Leaves nothing of whoever signed in, and begins anew. */
  onSignedOut: () => void
}

export type Session = ReturnType<typeof createSession>

/** Who uses this browser: found out at the start, changed by signing in and out, confirmed whenever there is doubt. */
export function createSession({ system, users, session, credentials, createOidc, onNoAccount, onSignedOut }: Needs) {
  const config = signal<Config | null>(null)
  const user = signal<User | null>(null)
  const phase = signal<'loading' | 'signed-in' | 'signed-out'>('loading')
  const startError = signal<unknown>(null)
  const oidc = signal<Oidc | null>(null)
  let edit: Promise<unknown> = Promise.resolve()
  let confirming: Promise<boolean> | null = null

  const isOpen = computed(() => {
    const { basicAuth, oidcConfigured, reverseProxy } = config.value ?? {}
    return !basicAuth && !oidcConfigured && !reverseProxy
  })

  function signedOut() {
    user.value = null
    phase.value = 'signed-out'
  }

  /** Asks who we are. Throws what is neither a yes nor a no. */
  async function identify(mayRenew: boolean): Promise<void> {
    try {
      const me = await users.me()
      await session.start(credentials.isRemembered() || oidc.value !== null)
      user.value = me
      phase.value = 'signed-in'
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      if (mayRenew && oidc.value?.token.value) {
        await oidc.value.renew()
        if (!oidc.value.error.value) return identify(false)
      }
      if (authorization() === null) onNoAccount()
      credentials.clear()
      await oidc.value?.forget()
      signedOut()
    }
  }

  const authorization = () => {
    const token = oidc.value?.token.value
    return token ? `Bearer ${token}` : credentials.header()
  }

  async function confirm(): Promise<boolean> {
    // A change of the own password ends what was signed in by the old one.
    await edit.catch(() => undefined)
    if (isOpen.value || phase.value !== 'signed-in') return isOpen.value
    try {
      await identify(true)
    } catch {
      // The server cannot be asked now; whoever needs it asks again.
      return false
    }
    if (user.value === null) onSignedOut()
    return user.value !== null
  }

  return {
    config,
    user,
    phase,
    startError,
    oidc,
    isOpen,
    authorization,
    /** Adds, refreshes, downloads and deletes; others listen. */
    mayUpload: computed(() => isOpen.value || (user.value !== null && user.value.role !== 'user')),
    isAdmin: computed(() => isOpen.value || user.value?.role === 'admin'),

    async start() {
      startError.value = null
      try {
        config.value ??= await system.config()
        const { oidcConfig, reverseProxy } = config.value
        if (isOpen.value) {
          phase.value = 'signed-in'
          return
        }
        if (oidcConfig && !oidc.value) {
          oidc.value = await createOidc(oidcConfig)
          await oidc.value.start()
        }
        credentials.read()
        if (authorization() === null && !reverseProxy) signedOut()
        else await identify(true)
      } catch (error) {
        if (config.value) onNoAccount()
        startError.value = error
      }
    },

    /** Throws an `ApiError` when refused. The page goes on a moment later, by `enter`. */
    async logIn(login: LoginData, remember: boolean) {
      const me = await session.login({ ...login, remember })
      credentials.keep(login, remember)
      return () => {
        user.value = me
        phase.value = 'signed-in'
      }
    },

    /** Something was refused, or a socket ended: still who we were? True when so. */
    confirm(): Promise<boolean> {
      confirming ??= confirm().finally(() => (confirming = null))
      return confirming
    },

    /** One's own account. What this browser signs in with goes along with a new name or password. */
    async edit(change: UserEdit): Promise<User> {
      const { username } = user.value!
      const work = users.edit(username, change)
      edit = work.then(async edited => {
        const login = credentials.read()
        if (login && (change.password || edited.username !== username))
          credentials.keep(
            { username: edited.username, password: change.password || login.password },
            credentials.isRemembered(),
          )
        await session.start(credentials.isRemembered() || oidc.value !== null)
        user.value = { ...edited, apiKey: null }
      })
      await edit
      return work
    },

    async removeApiKey() {
      await users.removeApiKey()
      user.value = { ...user.value!, apiKeySet: false }
    },
    async renewFeedKey() {
      const { feedKey } = await users.renewFeedKey()
      user.value = { ...user.value!, feedKey }
    },

    async logOut() {
      await session.end().catch(() => undefined)
      const isSingleSignOn = oidc.value?.token.value != null
      credentials.clear()
      if (isSingleSignOn) await oidc.value!.signOut()
      if (!isSingleSignOn || oidc.value?.error.value) {
        await oidc.value?.forget()
        onSignedOut()
      }
    },
  }
}
