import type { Clock } from '../platform/clock'
import type { Config } from '../config'
import type { Publish } from '../platform/events'
import { invalidField, notFound, Problem } from '../platform/problem'
import { isUsername } from '../../shared/username'
import type { Role } from '../../shared/roles'
import type { Store } from '../store'
import { nameKey, type NewUser, type UserRow } from '../store/users'
import { isRandomKey, keyHash } from './keys'
import { hashPassword, requireStrong } from './password'
import { notSignedIn } from './sign-in/credentials'

type UsersNeeds = {
  store: Store
  config: Config
  publish: Publish
  now: Clock
  /** Whether anybody can be the built-in admin. */
  builtInSignsIn: boolean
}

/** The rules of accounts. Everything here takes effect at once, in cookies and open sockets too. */
export function createUsers({ store, config, publish, now, builtInSignsIn }: UsersNeeds) {
  const { users } = store
  /** What podcast apps got by showing the old key ends with it. */
  function setApiKey(userId: number, hash: string | null) {
    users.setApiKey(userId, hash)
    store.sessions.removeSync(userId)
  }
  const endSignIns = (userId: number) => publish({ type: 'signInChanged', userId })

  function requireUser(username: string): UserRow {
    const user = users.findByName(username)
    if (!user) throw notFound('user')
    return user
  }

  function requireName(text: string): string {
    const name = text.trim()
    if (!isUsername(name)) throw invalidField('username', '1 to 64 characters without : and /, and not "me"')
    return name
  }

  function requireFree(name: string, except?: UserRow): string {
    const other = users.findByName(name)
    if (other && other.id !== except?.id) throw taken(name)
    return name
  }

  function requireEditable(user: UserRow) {
    if (user.built_in)
      throw new Problem('account-read-only', 'This account is set by the configuration', { username: user.username })
  }

  /** Whether there is a way in for an account, as the server is configured. */
  function canSignIn(user: UserRow): boolean {
    if (user.built_in) return builtInSignsIn
    if (config.isOpen) return true
    const byPassword = config.password !== null && user.password_hash !== null
    const bySingleSignOn = config.oidc !== null && user.subject !== null
    const byProxy = config.proxy !== null && user.subject === null && (user.proxied === 1 || config.password === null)
    return byPassword || bySingleSignOn || byProxy
  }

  function requireAnotherAdmin(user: UserRow) {
    if (user.role === 'admin' && !users.listAdmins().some(admin => admin.id !== user.id && canSignIn(admin)))
      throw new Problem('last-admin', 'The last admin can be neither demoted nor deleted')
  }

  /** Names that a proxy will sign in as admins are nobody else's to take. */
  function requireUnreserved(name: string): string {
    if (config.proxy && config.admins.some(admin => isSameName(admin, name))) throw taken(name)
    return name
  }

  return {
    requireUser,
    requireName,
    requireFree,
    requireUnreserved,

    /** How many podcasts somebody may still add; null = any number. */
    podcastsLeft({ id, role }: UserRow): number | null {
      return role === 'user' ? Math.max(0, config.podcastLimit - store.podcasts.countAddedBy(id)) : null
    },

    /** A row of a new account; the caller saw to its name. */
    add: (user: NewUser): UserRow => users.add(user, now()),

    /**
     * A name that is free: as wished where possible, else with a number. For people whom somebody else names, an
     * unusable character is left out.
     */
    freeNameLike(wish: string): string {
      const usable = wish
        .replace(/[:/\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '')
        .trim()
        .slice(0, 56)
      const base = isUsername(usable) ? usable : 'user'
      for (let number = 1; ; number++) {
        const name = number === 1 ? base : `${base}${number}`
        const isReserved = config.admins.some(admin => isSameName(admin, name))
        if (!users.findByName(name) && !isReserved) return name
      }
    },

    /** One's own name and password; absent, null or empty = unchanged. Everything is checked before anything changes. */
    async edit(
      user: UserRow,
      edit: { username?: string | null; password?: string | null; apiKey?: string | null },
    ): Promise<UserRow> {
      const renamed = edit.username && edit.username.trim() !== user.username ? edit.username : null
      if (renamed || edit.password) requireEditable(user)
      const name = renamed ? requireUnreserved(requireFree(requireName(renamed), user)) : null
      if (name && (user.subject !== null || user.proxied))
        throw invalidField('username', 'fixed, since this account signs in elsewhere')
      if (edit.password) requireStrong(edit.password)
      const keyHash = edit.apiKey ? requireNewKey(edit.apiKey) : null

      const hash = edit.password ? await hashPassword(edit.password) : null
      store.inTransaction(() => {
        // Others may have come first while the password was hashed, and the account may be gone.
        if (!users.find(user.id)) throw notSignedIn()
        if (name) users.rename(user.id, requireFree(name, user))
        if (hash) users.setPassword(user.id, hash)
        if (keyHash && edit.apiKey) setApiKey(user.id, requireNewKey(edit.apiKey))
      })
      if (hash || name) endSignIns(user.id)
      return users.find(user.id)!
    },

    /** For the command line. */
    async setPassword(user: UserRow, password: string) {
      requireEditable(user)
      requireStrong(password)
      const hash = await hashPassword(password)
      users.setPassword(user.id, hash)
      endSignIns(user.id)
    },

    change(username: string, { role, explicitConsent }: { role?: Role; explicitConsent?: boolean }): UserRow {
      const user = requireUser(username)
      requireEditable(user)
      store.inTransaction(() => {
        if (role && role !== user.role) {
          if (role !== 'admin') requireAnotherAdmin(user)
          users.setRole(user.id, role)
        }
        if (explicitConsent !== undefined) users.setConsent(user.id, explicitConsent)
      })
      endSignIns(user.id)
      return users.find(user.id)!
    },

    remove(username: string) {
      const user = requireUser(username)
      requireEditable(user)
      store.inTransaction(() => {
        requireAnotherAdmin(user)
        users.remove(user.id)
      })
      endSignIns(user.id)
    },

    dropApiKey(user: UserRow) {
      setApiKey(user.id, null)
    },
    renewFeedKey(user: UserRow): UserRow {
      users.renewFeedKey(user.id)
      // Open sockets would go on sending addresses with the old one.
      endSignIns(user.id)
      publish({ type: 'feedKeyRenewed', userId: user.id })
      return users.find(user.id)!
    },
  }

  function requireNewKey(text: string): string {
    const key = text.toLowerCase()
    const hash = keyHash(key)
    if (!isRandomKey(key) || key === config.apiKey || users.findByApiKey(hash))
      throw invalidField('apiKey', '32 random hex digits that were never a key here')
    return hash
  }
}
export type Users = ReturnType<typeof createUsers>

const taken = (username: string) => new Problem('username-taken', `The name ${username} is taken`, { username })

export const isSameName = (one: string, other: string) => nameKey(one) === nameKey(other)
