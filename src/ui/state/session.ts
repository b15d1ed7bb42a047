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
  /** Nothing of whoever signed in stays in this browser. */
  onLeaving: () => void
  /** The page, from its beginning; `isAtHome`: at home, in place of where it is. */
  beginAnew: (isAtHome: boolean) => void
}

/** How long another tab may take to put a new password into the storage. */
const OTHER_TAB_MS = 500

export type Session = ReturnType<typeof createSession>

/** Who uses this browser: found out at the start, changed by signing in and out, confirmed whenever there is doubt. */
export function createSession({ system, users, session, credentials, createOidc, onLeaving, beginAnew }: Needs) {
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

  /** Asks who we are. Throws what is neither a yes nor a no. */
  async function identify(): Promise<void> {
    const sent = authorization()
    try {
      const me = await users.me()
      await startSession()
      user.value = me
      phase.value = 'signed-in'
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      if (await hasChanged(sent)) return identify()
      credentials.clear()
      await oidc.value?.forget()
      user.value = null
      phase.value = 'signed-out'
    }
  }

  /** Whether there is something else to try: another tab may have a new password, the provider a new token. */
  async function hasChanged(sent: string | null): Promise<boolean> {
    if (sent?.startsWith('Bearer')) {
      await oidc.value?.renew()
      const failure = oidc.value?.error.value
      if (failure && !failure.isRefusal) throw new ApiError(0, 'offline', failure.detail)
    } else if (sent !== null) await pause(OTHER_TAB_MS)
    return authorization() !== null && authorization() !== sent
  }

  const startSession = () => session.start(credentials.isRemembered() || oidc.value !== null)

  const authorization = () => {
    const token = oidc.value?.token()
    return token ? `Bearer ${token}` : credentials.header()
  }

  async function confirm(): Promise<boolean> {
    // A change of the own password ends what was signed in by the old one.
    await edit.catch(() => undefined)
    await oidc.value?.takeStored()
    if (isOpen.value || phase.value !== 'signed-in') return isOpen.value
    try {
      await identify()
    } catch {
      // The server cannot be asked now; whoever needs it asks again.
      return false
    }
    if (user.value === null) {
      onLeaving()
      beginAnew(false)
    }
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
    /** A plain user may have a share. */
    mayAdd: computed(() => user.value?.podcastsLeft !== 0),
    isAdmin: computed(() => isOpen.value || user.value?.role === 'admin'),

    async start() {
      try {
        config.value ??= await system.config()
        const { oidcConfig, reverseProxy } = config.value
        if (isOpen.value) {
          phase.value = 'signed-in'
          startError.value = null
          return
        }
        if (oidcConfig && !oidc.value) {
          oidc.value = await createOidc(oidcConfig)
          await oidc.value.start()
        }
        credentials.read()
        if (authorization() === null && !reverseProxy) phase.value = 'signed-out'
        else await identify()
        startError.value = null
      } catch (error) {
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
        await startSession()
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

    /** Another tab has signed in or out. */
    async followOtherTab() {
      await oidc.value?.takeStored()
      const isGone = authorization() === null
      if (phase.value === 'signed-in' && isGone) await this.confirm()
      else if (phase.value === 'signed-out' && !isGone) await this.start()
    },

    /**
     * This browser forgets first, so that no other tab begins the session anew; then the session ends at the server, and
     * the sign-in at the provider.
     */
    async logOut() {
      phase.value = 'loading'
      const asked = authorization()
      const idToken = oidc.value?.idToken() ?? null
      credentials.clear()
      if (idToken) await oidc.value!.revoke()
      await oidc.value?.forget()
      await session.end(asked).catch(() => undefined)
      onLeaving()
      if (idToken) await oidc.value!.signOut(idToken)
      if (!idToken || oidc.value!.error.value) beginAnew(true)
    },
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
