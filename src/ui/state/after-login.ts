const KEY = 'after-login'
const nowhere: ReadonlySet<string> = new Set(['/', '/login'])

/** The key of the session's storage under which a page leaves a note that its sign-in was ended from elsewhere. */
export const ENDED_KEY = 'sign-in-ended'

/** Remembers the page to open after the sign-in, also across the way to a provider and back. Paths are below `/ui`. */
export function createAfterLogin(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    remember(path: string) {
      if (isOwnPage(path)) storage.setItem(KEY, path)
    },
    /** Returns the page, once; null without one. */
    claim(): string | null {
      const path = storage.getItem(KEY)
      if (path !== null) storage.removeItem(KEY)
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
