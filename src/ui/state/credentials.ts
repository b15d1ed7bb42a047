export type LoginData = { username: string; password: string }

const KEY = 'auth'
/** Says whose session the cookie is, which no page can read. */
const COOKIE_KEY = 'cookie-of'
/** Whether a key of the storage holds a sign-in, by a password, a cookie or single sign-on. */
export const isCredential = (key: string) => key === KEY || key === COOKIE_KEY || key.startsWith('oidc.user:')

/**
 * The sign-in of this browser. For users who want to be remembered: name and password in the local storage, as base64
 * of `name:password` in UTF-8; one that is found in the session's storage counts, too. For the others: a cookie, which
 * no page can read, and a note that there is one.
 */
export function createCredentials(local: Storage, session: Storage) {
  // The sign-in of a tab takes precedence over the browser's.
  const storages = [session, local]

  return {
    read(): LoginData | null {
      for (const storage of storages) {
        const stored = storage.getItem(KEY)
        const login = stored === null ? null : decode(stored)
        if (login) return login
        storage.removeItem(KEY)
      }
      return null
    },
    isRemembered: () => session.getItem(KEY) === null && local.getItem(KEY) !== null,
    keep({ username, password }: LoginData, remember: boolean) {
      for (const storage of storages) storage.removeItem(KEY)
      local.removeItem(COOKIE_KEY)
      ;(remember ? local : session).setItem(KEY, encode(`${username}:${password}`))
    },
    /** Notes that a cookie carries the calls of this user; there is no password then. */
    keepCookie(userId: string) {
      for (const storage of storages) storage.removeItem(KEY)
      local.setItem(COOKIE_KEY, userId)
    },
    /** The id of the user whose session the cookie is; null where there should be none. */
    cookieOf: () => local.getItem(COOKIE_KEY),
    clear() {
      for (const storage of storages) storage.removeItem(KEY)
      local.removeItem(COOKIE_KEY)
    },
    /** The value of the Authorization header. */
    header(): string | null {
      const stored = session.getItem(KEY) ?? local.getItem(KEY)
      return stored === null ? null : `Basic ${stored}`
    },
  }
}
export type Credentials = ReturnType<typeof createCredentials>

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
