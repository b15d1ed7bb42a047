import type { ReadonlySignal, Signal } from '@preact/signals-core'
import type { Config, OidcConfig } from '../../shared/api/system'
import type { User } from '../../shared/api/user'
import type { Api } from '../api'
import type { OtherTabs } from '../device/other-tabs'
import type { Oidc } from './oidc'

export type LoginData = { username: string; password: string }

const KEY = 'auth'
/** The key of the sign-in's random name in both storages: a tab whose name differs was signed out elsewhere. */
const SIGN_IN_KEY = 'sign-in'
/** The key that says whose session the cookie is, which no page can read. */
const COOKIE_KEY = 'cookie-of'
/** Whether a key of the storage holds a sign-in, by a password, a cookie or single sign-on. */
export const isCredential = (key: string) =>
  key === KEY || key === SIGN_IN_KEY || key === COOKIE_KEY || key.startsWith('oidc.user:')

/**
 * Keeps the sign-in of this browser. A name and a password, as base64 of `name:password` in UTF-8: in the local storage
 * for users who want to be remembered, otherwise in the tab's session storage, from where other open tabs get them. If
 * a password is not enough or not used: a cookie, which no page can read, and a note that there is one.
 */
export function createCredentials(local: Storage, session: Storage, tabs?: OtherTabs) {
  // The sign-in of a tab takes precedence over the browser's.
  const storages = [session, local]
  tabs?.answer(signIn => (session.getItem(SIGN_IN_KEY) === signIn ? session.getItem(KEY) : null))

  /** Forgets the password of a tab, also of a reopened one, if somebody has signed out or in since in this browser. */
  function forgetStale() {
    const own = session.getItem(SIGN_IN_KEY)
    if (own === null || own === local.getItem(SIGN_IN_KEY)) return
    session.removeItem(SIGN_IN_KEY)
    session.removeItem(KEY)
  }
  function forgetPassword() {
    for (const storage of storages) for (const key of [KEY, SIGN_IN_KEY]) storage.removeItem(key)
  }
  /** Keeps a password in this tab. Other tabs notice the name of its sign-in, and ask for it then. */
  function keepInTab(login: string, signIn: string) {
    session.setItem(KEY, login)
    session.setItem(SIGN_IN_KEY, signIn)
    local.setItem(SIGN_IN_KEY, signIn)
  }
  const stored = () => {
    forgetStale()
    return session.getItem(KEY) ?? local.getItem(KEY)
  }

  return {
    clear() {
      forgetPassword()
      local.removeItem(COOKIE_KEY)
    },
    read(): LoginData | null {
      forgetStale()
      for (const storage of storages) {
        const stored = storage.getItem(KEY)
        const login = stored === null ? null : decode(stored)
        if (login) return login
        storage.removeItem(KEY)
      }
      return null
    },
    isRemembered: () => session.getItem(KEY) === null && local.getItem(KEY) !== null,
    /** Whether this browser remembers anything to sign in with, also by single sign-on. */
    isAnyKept: () => Array.from({ length: local.length }, (_, at) => local.key(at) ?? '').some(isCredential),
    /** Whether a password is kept until the tab is closed, and no longer. */
    isOfTab: () => session.getItem(KEY) !== null,
    keep({ username, password }: LoginData, remember: boolean) {
      const login = encode(`${username}:${password}`)
      if (remember) {
        for (const key of [KEY, SIGN_IN_KEY]) session.removeItem(key)
        local.setItem(KEY, login)
        local.removeItem(SIGN_IN_KEY)
      } else {
        keepInTab(login, newName())
        local.removeItem(KEY)
      }
      local.removeItem(COOKIE_KEY)
    },
    /** Gets the password from another open tab, if this one has none. */
    async askOtherTabs() {
      const signIn = local.getItem(SIGN_IN_KEY)
      if (!tabs || signIn === null || stored() !== null) return
      const login = await tabs.ask(signIn)
      if (login !== null && local.getItem(SIGN_IN_KEY) === signIn) keepInTab(login, signIn)
    },
    /** Notes that a cookie authenticates the calls of this user; there is no password then. */
    keepCookie(userId: string) {
      local.setItem(COOKIE_KEY, userId)
      forgetPassword()
    },
    /** The id of the user whose session the cookie is; null if there should be none. */
    cookieOf: () => local.getItem(COOKIE_KEY),
    /** The value of the Authorization header. */
    header(): string | null {
      const login = stored()
      return login === null ? null : `Basic ${login}`
    },
  }
}
type Credentials = ReturnType<typeof createCredentials>

/** Draws a name that no other sign-in of this browser has. `crypto.randomUUID` needs https. */
const newName = () => crypto.getRandomValues(new Uint32Array(2)).join('-')

const encode = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

function decode(stored: string): LoginData | null {
  try {
    const bytes = Uint8Array.from(atob(stored), character => character.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const colon = text.indexOf(':')
    return colon < 0 ? null : { username: text.slice(0, colon), password: text.slice(colon + 1) }
  } catch {
    return null
  }
}

export type SessionNeeds = {
  system: Pick<Api['system'], 'config'>
  users: Pick<Api['users'], 'me' | 'edit' | 'removeApiKey' | 'renewFeedKey'>
  session: Api['session']
  credentials: Credentials
  createOidc: (config: OidcConfig) => Promise<Oidc>
  /** Deletes everything of the user in this browser, and ends the messages to it. */
  onLeaving: () => void | Promise<void>
  /** Loads the page again: the start page if `isAtHome`, otherwise the same one. */
  beginAnew: (isAtHome: boolean) => void
  pause?: (ms: number) => Promise<unknown>
  /** Whether the answers come from this device, because the server can't be reached. */
  isAway?: () => boolean
}

export type SessionState = {
  config: Signal<Config | null>
  user: Signal<User | null>
  phase: Signal<'setup' | 'loading' | 'signed-in' | 'signed-out'>
  startError: Signal<unknown>
  /** Whether the session began with what this device knows, without the server. */
  isOfDevice: boolean
  oidc: Signal<Oidc | null>
  /** Whether the server requires no sign-in. */
  isOpen: ReadonlySignal<boolean>
}

/** Sets the cookie that media, covers and the socket need. */
export const setCookie = ({ session, credentials }: SessionNeeds, { oidc }: SessionState) =>
  session.start(credentials.isRemembered() || oidc.value !== null)

const PATH_KEY = 'after-login'
const nowhere: ReadonlySet<string> = new Set(['/', '/login'])

/** The key of the session's storage under which a page leaves a note that its sign-in was ended from elsewhere. */
export const ENDED_KEY = 'sign-in-ended'

/** Remembers the page to open after the sign-in, also across a visit to the provider. Paths are below `/ui`. */
export function createAfterLogin(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    remember(path: string) {
      if (isOwnPage(path)) storage.setItem(PATH_KEY, path)
    },
    /** Returns the page, once; null without one. */
    claim(): string | null {
      const path = storage.getItem(PATH_KEY)
      if (path !== null) storage.removeItem(PATH_KEY)
      return path !== null && isOwnPage(path) ? path : null
    },
  }
}

/** Accepts a path only as the browser would write it, so that nothing in it leads to another origin or out of `/ui`. */
function isOwnPage(path: string): boolean {
  if (!path.startsWith('/') || path.includes('\\')) return false
  const url = URL.parse(path, 'http://interface')
  if (!url || `${url.pathname}${url.search}` !== path) return false
  return url.host === 'interface' && !url.pathname.includes('//') && !nowhere.has(url.pathname)
}
