import { computed, signal } from '@preact/signals-core'
import type { Config } from '../../shared/api/system'
import type { User, UserEdit } from '../../shared/api/user'
import { ApiError } from '../api/client'
import { type LoginData, type SessionNeeds, type SessionState, setCookie } from './credentials'

/** The time that another tab may take to put a new password into the storage. */
const OTHER_TAB_MS = 500

export type Session = ReturnType<typeof createSession>

/** The user of this browser: found at the start, changed by signing in and out, confirmed whenever there is doubt. */
export function createSession(needs: SessionNeeds) {
  const state = createState()
  const { config, user, phase, startError, oidc, isOpen } = state
  const identity = createIdentity(needs, state)
  // Loaded only on the pages of the account.
  const account = () => import('./account')
  let editing: Promise<unknown> = Promise.resolve()
  const confirm = createConfirm(needs, state, { identify: identity.identify, editing: () => editing })
  const start = () => startSession(needs, state, identity.identify)

  return {
    config,
    user,
    phase,
    startError,
    oidc,
    isOpen,
    authorization: () => authorizationOf(needs, state),
    /** Whether the user may add, refresh, download and delete, rather than only listen. */
    mayUpload: computed(() => isOpen.value || (user.value !== null && user.value.role !== 'user')),
    /** Whether the user may add podcasts. A plain user may have a limited number. */
    mayAdd: computed(() => user.value?.podcastsLeft !== 0),
    isAdmin: computed(() => isOpen.value || user.value?.role === 'admin'),
    start,
    confirm,
    /** Edits the user's account. The credentials of this browser follow a new name or password. */
    edit(change: UserEdit): Promise<User> {
      const work = account().then(({ editAccount }) => editAccount(needs, state, change))
      editing = work
      return work
    },
    removeApiKey: async () => (await account()).removeApiKey(needs, state),
    renewFeedKey: async () => (await account()).renewFeedKey(needs, state),
    logOut: () => logOut(needs, state),

    /**
     * Checks a name and a password, and returns a function that shows the signed-in page. Throws an `ApiError` on a
     * refusal: `second-factor-needed` asks for a `code`.
     */
    async logIn(login: LoginData, remember: boolean, code?: string) {
      const me = await (await account()).logIn(needs, login, remember, code)
      return () => enter(state, me)
    },

    /** Notes who has signed in by cookie, and returns a function that shows the signed-in page. */
    signedInAs(me: User) {
      needs.credentials.keepCookie(me.id)
      return () => enter(state, me)
    },
    /** Forgets a password that is no longer enough, since a second factor was turned on: the cookie replaces it. */
    passwordIsNotEnough: () => needs.credentials.keepCookie(user.value!.id),
    secondFactorChanged(secondFactor: boolean) {
      user.value = { ...user.value!, secondFactor }
    },
    /** Follows another tab that has signed in or out. */
    async followOtherTab() {
      await oidc.value?.loadStored()
      await needs.credentials.askOtherTabs()
      const isGone = !hasSignIn(needs, state)
      if (phase.value === 'signed-in' && (isGone || isOfAnother(needs, state))) await confirm()
      else if (phase.value === 'signed-out' && !isGone) await start()
    },
  }
}

function createState(): SessionState {
  const config = signal<Config | null>(null)
  return {
    config,
    user: signal(null),
    phase: signal('loading'),
    startError: signal(null),
    isOfDevice: false,
    oidc: signal(null),
    isOpen: computed(() => {
      const { basicAuth, oidcConfigured, reverseProxy } = config.value ?? {}
      return !basicAuth && !oidcConfigured && !reverseProxy
    }),
  }
}

/** The value of the Authorization header; null without one. */
function authorizationOf({ credentials }: Pick<SessionNeeds, 'credentials'>, { oidc }: SessionState): string | null {
  const token = oidc.value?.token()
  return token ? `Bearer ${token}` : credentials.header()
}

/** Whether this browser holds anything to sign in with. */
const hasSignIn = (needs: SessionNeeds, state: SessionState) =>
  authorizationOf(needs, state) !== null || needs.credentials.cookieOf() !== null

/** Whether another tab has signed in somebody else. */
function isOfAnother(needs: SessionNeeds, state: SessionState): boolean {
  const login = needs.credentials.read()
  if (login) return login.username !== state.user.value?.username
  const owner = needs.credentials.cookieOf()
  return authorizationOf(needs, state) === null && owner !== null && owner !== state.user.value?.id
}

function enter({ user, phase }: SessionState, me: User) {
  user.value = me
  phase.value = 'signed-in'
}

/** Begins the session. A failure is in `startError`. */
async function startSession(needs: SessionNeeds, state: SessionState, identify: () => Promise<void>) {
  try {
    await begin(needs, state, identify)
    state.startError.value = null
  } catch (error) {
    state.startError.value = error
  }
}

/** Reads the configuration, and finds out who uses this browser; without the server, by what this device knows. */
async function begin(needs: SessionNeeds, state: SessionState, identify: () => Promise<void>) {
  const { config, phase, oidc, isOpen } = state
  if (!config.value || state.isOfDevice) config.value = await needs.system.config()
  state.isOfDevice = needs.isAway?.() ?? false
  const { oidcConfig, reverseProxy, setup } = config.value
  if (setup) {
    phase.value = 'setup'
    return
  }
  if (isOpen.value) {
    phase.value = 'signed-in'
    return
  }
  if (state.isOfDevice) {
    if (!needs.credentials.isAnyKept() && !reverseProxy)
      throw new ApiError(0, 'offline', 'The server cannot be reached')
    return enter(state, await needs.users.me())
  }
  if (oidcConfig && !oidc.value) {
    oidc.value = await needs.createOidc(oidcConfig)
    await oidc.value.start()
  }
  needs.credentials.read()
  await needs.credentials.askOtherTabs()
  if (!hasSignIn(needs, state) && !reverseProxy) phase.value = 'signed-out'
  else await identify()
}

function createIdentity(needs: SessionNeeds, state: SessionState) {
  const { users, credentials, pause = waitFor } = needs
  const { user, phase, oidc } = state

  /** Asks the server who is signed in. Throws if the answer is neither a yes nor a no. */
  async function identify(): Promise<void> {
    const sent = authorizationOf(needs, state)
    try {
      const me = await users.me()
      await setCookie(needs, state)
      enter(state, me)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      if (await hasOther(sent)) return identify()
      credentials.clear()
      await oidc.value?.forget()
      user.value = null
      phase.value = 'signed-out'
    }
  }
  /** Looks for other credentials: another tab may have a new password, the provider a new token. */
  async function hasOther(sent: string | null): Promise<boolean> {
    if (sent?.startsWith('Bearer')) {
      await oidc.value?.renew()
      const failure = oidc.value?.error.value
      if (failure && !failure.isRefusal) throw new ApiError(0, 'offline', failure.detail)
    } else if (sent !== null) await pause(OTHER_TAB_MS)
    await credentials.askOtherTabs()
    const now = authorizationOf(needs, state)
    return now !== null && now !== sent
  }
  return { identify }
}

type Confirming = { identify: () => Promise<void>; editing: () => Promise<unknown> }

/**
 * Checks the sign-in after a refusal or a lost socket: true if the user is still the same. Concurrent checks are one;
 * if the user is no longer known, the page is left.
 */
function createConfirm(needs: SessionNeeds, state: SessionState, { identify, editing }: Confirming) {
  const { credentials, onLeaving, beginAnew } = needs
  const { user, phase, oidc, isOpen } = state
  let confirming: Promise<boolean> | null = null

  async function confirm(): Promise<boolean> {
    // A change of one's own password ends the sessions of the old one.
    await editing().catch(() => undefined)
    await oidc.value?.loadStored()
    if (isOpen.value || phase.value !== 'signed-in') return isOpen.value
    const before = user.value?.id
    try {
      if (state.isOfDevice) await begin(needs, state, identify)
      else await identify()
    } catch {
      // The server can't be reached now; the caller tries again.
      return false
    }
    if (user.value?.id !== before || phase.peek() !== 'signed-in') {
      await onLeaving()
      beginAnew(false)
      return false
    }
    return true
  }
  return (isSignedOut = false): Promise<boolean> => {
    // Somebody ended the session from a list: a password that was kept until the tab is closed is forgotten with it.
    if (isSignedOut && credentials.isOfTab()) credentials.clear()
    return (confirming ??= confirm().finally(() => (confirming = null)))
  }
}

/**
 * Signs out. This browser forgets the sign-in first, so that no other tab begins the session again; then the session on
 * the server ends, and the sign-in at the provider.
 */
async function logOut(needs: SessionNeeds, state: SessionState) {
  const { phase, oidc } = state
  phase.value = 'loading'
  const authorization = authorizationOf(needs, state)
  const idToken = oidc.value?.idToken() ?? null
  needs.credentials.clear()
  if (idToken) await oidc.value!.revoke()
  await oidc.value?.forget()
  await needs.session.end(authorization).catch(() => undefined)
  await needs.onLeaving()
  if (idToken) await oidc.value!.signOut(idToken)
  if (!idToken || oidc.value!.error.value) needs.beginAnew(true)
}

const waitFor = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
