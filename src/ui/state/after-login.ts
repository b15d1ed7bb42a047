const KEY = 'after-login'

/** Where somebody wanted to go when he was asked to sign in first, also by way of a provider and back. */
export function createAfterLogin(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    remember: (path: string) => storage.setItem(KEY, path),
    /** Once. Only what a podcast app asks for: else one begins at home. */
    take(): string | null {
      const path = storage.getItem(KEY)
      storage.removeItem(KEY)
      return path && /^\/grant\/[0-9a-f]+$/.test(path) ? path : null
    },
  }
}
