const KEY = 'after-login'

/** Where somebody wanted to go when he was asked to sign in first, also by way of a provider and back. */
export function createAfterLogin(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  return {
    /** Only what a podcast app asks for: else one begins at home. */
    remember(path: string) {
      if (isGrant(path)) storage.setItem(KEY, path)
    },
    /** Once. */
    take(): string | null {
      const path = storage.getItem(KEY)
      if (path !== null) storage.removeItem(KEY)
      return path !== null && isGrant(path) ? path : null
    },
  }
}

const isGrant = (path: string) => /^\/grant\/[0-9a-f]+$/.test(path)
