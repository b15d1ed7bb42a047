const KEY = 'after-login'
const nowhere: ReadonlySet<string> = new Set(['/', '/login'])

/** Where somebody wanted to go before they were asked to sign in, also by way of a provider and back; below `/ui`. */
export function createAfterLogin(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    remember(path: string) {
      if (isOwnPage(path)) storage.setItem(KEY, path)
    },
    /** Once. */
    take(): string | null {
      const path = storage.getItem(KEY)
      if (path !== null) storage.removeItem(KEY)
      return path !== null && isOwnPage(path) ? path : null
    },
  }
}

/** A path as the browser would write it, so that nothing in it leads to another origin or out of the interface. */
function isOwnPage(path: string): boolean {
  if (!path.startsWith('/') || path.includes('\\')) return false
  const url = URL.parse(path, 'http://interface')
  if (!url || `${url.pathname}${url.search}` !== path) return false
  return url.host === 'interface' && !url.pathname.includes('//') && !nowhere.has(url.pathname)
}
