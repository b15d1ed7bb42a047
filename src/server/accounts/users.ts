import type { Role } from '../../shared/choices'
import { isId } from '../../shared/username'
import type { Config } from '../config'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import { invalidField, notFound, Problem } from '../platform/problem'
import type { Store } from '../store'
import type { NewUser, UserRow } from '../store/users'
import { isConfigured } from './configured'
import { isRandomKey, keyHash } from './keys'
import { createNames, type UserNames } from './names'
import { type Ended, removeSessionsOfOtherKeys, reportEnded } from './own-sessions'
import { hashPassword, requireStrong } from './password'
import { requireCurrent } from './sign-in/credentials'

type UsersNeeds = {
  store: Store
  config: Config
  publish: Publish
  now: Clock
  log: Log
  /** Whether anybody can be the built-in admin. */
  builtInSignsIn: boolean
}

/** Absent, null or empty = unchanged. */
type OwnEdit = {
  username?: string | null
  password?: string | null
  apiKey?: string | null
  /** Whether assistants may use the new API key; null = as the configuration says. */
  apiKeyForAssistants?: boolean | null
}

/** The rules of accounts. Every change takes effect at once, in cookies and open sockets too. */
export function createUsers(needs: UsersNeeds) {
  const { store, config, now } = needs
  const { users } = store
  const names = createNames({ users, config, log: needs.log })
  return {
    ...names,
    requireUser: (username: string): UserRow => requireUser(store, username),
    /** The account of an id or, for clients that know no ids, of a name; what looks like an id is never a name. */
    findAddressed: (idOrName: string): UserRow | null => findAddressed(store, idOrName),
    /** Throws `user-not-found`. */
    requireAddressed(idOrName: string): UserRow {
      const user = findAddressed(store, idOrName)
      if (!user) throw notFound('user')
      return user
    },
    /** Number of podcasts that a user may still add; null = unlimited. */
    podcastsLeft({ id, role }: UserRow): number | null {
      return role === 'user' ? Math.max(0, config.podcastLimit - store.podcasts.countAddedBy(id)) : null
    },
    /** The name of the first admin, null for admins. */
    adminOf: ({ role }: UserRow): string | null =>
      role === 'admin' ? null : (users.listAdmins()[0]?.username ?? null),
    /** Adds an account whose name the caller has checked. */
    add: (user: NewUser): UserRow => users.add(user, now()),
    /** Changes one's own name, password and key. Everything is checked before anything changes. */
    edit: (user: UserRow, edit: OwnEdit): Promise<UserRow> => editOwn(needs, names, user, edit),
    /** Sets a password from the command line. */
    setPassword: (user: UserRow, password: string) => setPassword(needs, user, password),
    /** Changes role and consent, as an admin. Throws `last-admin`. */
    change: (user: UserRow, change: AdminsChange): UserRow => changeUser(needs, user, change),
    /** Gives an account another name, as an admin. Throws `username-taken`. */
    rename: (user: UserRow, username: string): UserRow => renameUser(needs, names, user, username),
    /** `confirm` is asked within the transaction. Throws `last-admin`. */
    remove: (user: UserRow, confirm = () => true) => removeUser(needs, user, confirm),
    /** Takes away a second factor that its user has lost. */
    removeSecondFactor(user: UserRow) {
      store.inTransaction(() => store.secondFactors.remove(user.id))
      needs.publish({ type: 'recorded', kind: 'second-factor-off', about: user })
    },
    dropApiKey(user: UserRow) {
      const ended = store.inTransaction(() => setApiKey(needs, user.id, null, null))
      reportEnded(needs.publish, user.id, ended)
      endSignIns(needs, user.id)
      needs.publish({ type: 'recorded', kind: 'key-removed', about: user, via: 'api-key' })
    },
    renewFeedKey(user: UserRow): UserRow {
      users.renewFeedKey(user.id)
      // Open sockets would keep sending addresses with the old key.
      endSignIns(needs, user.id)
      needs.publish({ type: 'feedKeyRenewed', userId: user.id })
      return users.find(user.id)!
    },
  }
}
export type Users = ReturnType<typeof createUsers>

function requireUser({ users }: Store, username: string): UserRow {
  const user = users.findByName(username)
  if (!user) throw notFound('user')
  return user
}

function findAddressed({ users }: Store, idOrName: string): UserRow | null {
  return isId(idOrName) ? users.findByUuid(idOrName.toLowerCase()) : users.findByName(idOrName)
}

/** Throws `account-read-only` for what the configuration sets of an account: without a part, everything. */
function requireEditable({ config }: UsersNeeds, user: UserRow, part?: 'name' | 'password') {
  if (part ? isConfigured(config, user, part) : user.built_in)
    throw new Problem('account-read-only', 'This account is set by the configuration', { username: user.username })
}

const endSignIns = ({ publish }: UsersNeeds, userId: number) => publish({ type: 'signInChanged', userId })

async function editOwn(needs: UsersNeeds, names: UserNames, user: UserRow, edit: OwnEdit): Promise<UserRow> {
  const { store } = needs
  const name = newNameOf(needs, names, user, edit)
  if (edit.password) requireEditable(needs, user, 'password')
  if (edit.password) requireStrong(edit.password)
  if (edit.apiKey) requireNewKey(needs, edit.apiKey)

  const hash = edit.password ? await hashPassword(edit.password) : null
  const ended = store.inTransaction(() => {
    // While the password was hashed, other changes may have been made, and the account may be gone.
    requireCurrent(store, user)
    if (name) store.users.rename(user.id, names.requireFree(name, user))
    if (hash) store.users.setPassword(user.id, hash)
    if (!edit.apiKey) return {}
    return setApiKey(needs, user.id, requireNewKey(needs, edit.apiKey), edit.apiKeyForAssistants ?? null)
  })
  reportEnded(needs.publish, user.id, ended)
  // The same for a key, which may have opened sockets.
  if (hash || name || edit.apiKey) endSignIns(needs, user.id)
  if (hash) needs.publish({ type: 'recorded', kind: 'password-changed', about: user })
  if (name) needs.publish({ type: 'recorded', kind: 'user-renamed', about: user, detail: name })
  if (edit.apiKey) needs.publish({ type: 'recorded', kind: 'key-made', about: user, via: 'api-key' })
  return store.users.find(user.id)!
}

/** The checked new name; null if the edit does not change it. */
function newNameOf(needs: UsersNeeds, names: UserNames, user: UserRow, { username }: OwnEdit): string | null {
  if (!username || username.trim() === user.username) return null
  requireEditable(needs, user, 'name')
  const name = names.requireUnreserved(names.requireFree(names.requireName(username), user))
  if (user.subject !== null || user.proxied)
    throw invalidField('username', 'fixed, since this account signs in elsewhere')
  return name
}

/** The digest of a key that was never used here. Throws `invalid-field`. */
function requireNewKey({ store, config }: UsersNeeds, text: string): string {
  const key = text.toLowerCase()
  const hash = keyHash(key)
  if (!isRandomKey(key) || key === config.apiKey || store.users.findByApiKey(hash))
    throw invalidField('apiKey', '32 random hex digits that were never a key here')
  return hash
}

/** Ends the sessions that the old key began; the caller reports them. */
function setApiKey(
  { store, config }: UsersNeeds,
  userId: number,
  hash: string | null,
  forAssistants: boolean | null,
): Ended {
  store.users.setApiKey(userId, hash, forAssistants)
  return removeSessionsOfOtherKeys(store, config, userId)
}

async function setPassword(needs: UsersNeeds, user: UserRow, password: string) {
  requireEditable(needs, user, 'password')
  requireStrong(password)
  needs.store.users.setPassword(user.id, await hashPassword(password))
  endSignIns(needs, user.id)
  needs.publish({ type: 'recorded', kind: 'password-changed', about: user })
}

function renameUser(needs: UsersNeeds, names: UserNames, user: UserRow, username: string): UserRow {
  const { users } = needs.store
  if (username.trim() === user.username) return user
  requireEditable(needs, user, 'name')
  // A proxy names its people in each request; of single sign-on the account keeps issuer and subject.
  if (user.proxied) throw invalidField('username', 'fixed, since a proxy signs this account in by name')
  const name = names.requireUnreserved(names.requireFree(names.requireName(username), user))
  users.rename(user.id, name)
  endSignIns(needs, user.id)
  needs.publish({ type: 'recorded', kind: 'user-renamed', about: user, detail: name })
  return users.find(user.id)!
}

type AdminsChange = { role?: Role; explicitConsent?: boolean }

function changeUser(needs: UsersNeeds, user: UserRow, { role, explicitConsent }: AdminsChange): UserRow {
  const { store } = needs
  const { users } = store
  requireEditable(needs, user)
  store.inTransaction(() => {
    if (role && role !== user.role) {
      if (role !== 'admin') requireAnotherAdmin(needs, user)
      users.setRole(user.id, role)
    }
    if (explicitConsent !== undefined) users.setConsent(user.id, explicitConsent)
  })
  endSignIns(needs, user.id)
  const changed = users.find(user.id)!
  const detail = `${changed.role}${changed.explicit_consent ? ', explicit' : ''}`
  needs.publish({ type: 'recorded', kind: 'role-changed', about: user, detail })
  return changed
}

function removeUser(needs: UsersNeeds, user: UserRow, confirm: () => boolean) {
  const { store } = needs
  requireEditable(needs, user)
  const isRemoved = store.inRemoval(() => {
    requireAnotherAdmin(needs, user)
    if (!confirm()) return false
    // Everything personal is deleted with the account; podcasts stay.
    store.removals.remove('user', user.id, user.username)
    return true
  })
  if (!isRemoved) return
  endSignIns(needs, user.id)
  needs.publish({ type: 'recorded', kind: 'user-removed', about: user })
}

function requireAnotherAdmin(needs: UsersNeeds, user: UserRow) {
  const others = needs.store.users.listAdmins().filter(admin => admin.id !== user.id)
  if (user.role === 'admin' && !others.some(admin => canSignIn(needs, admin)))
    throw new Problem('last-admin', 'The last admin can be neither demoted nor deleted')
}

/** Whether the configuration leaves this account a way to sign in. */
function canSignIn({ config, builtInSignsIn }: UsersNeeds, user: UserRow): boolean {
  if (user.built_in) return builtInSignsIn
  if (config.isOpen) return true
  const byPassword = config.byPassword && user.password_hash !== null
  const bySingleSignOn = config.oidc !== null && user.subject !== null
  const byProxy = config.proxy !== null && user.subject === null && (user.proxied === 1 || !config.byPassword)
  return byPassword || bySingleSignOn || byProxy
}

/**
 * Sets the roles of people whom a proxy or an OIDC provider signs in: `ADMINS` and `OIDC_ADMIN_CLAIM` make somebody an
 * admin for as long as they name them. `role_before` and `consent_before` keep the values to restore after that.
 */
export function createRolesByRule(store: Store, publish: Publish) {
  return {
    /** Returns the columns of a new account. */
    forNewUser: (isAdmin: boolean): Pick<NewUser, 'role' | 'explicit_consent' | 'role_before' | 'consent_before'> => ({
      role: isAdmin ? 'admin' : 'user',
      explicit_consent: Number(isAdmin),
      role_before: isAdmin ? 'user' : null,
      consent_before: isAdmin ? 0 : null,
    }),

    /**
     * Promotes the user, or ends an earlier promotion and restores the role before it. Returns the updated user. The
     * built-in admin, and an admin by other means, stay as they are.
     */
    apply(user: UserRow, isAdmin: boolean): UserRow {
      const isByRule = user.role_before !== null
      if (user.built_in || isAdmin === isByRule || (isAdmin && user.role === 'admin')) return user
      if (isAdmin) store.users.promoteByRule(user.id)
      else store.users.endPromotion(user.id)
      publish({ type: 'signInChanged', userId: user.id })
      const changed = store.users.find(user.id)!
      publish({ type: 'recorded', kind: 'role-changed', about: user, detail: changed.role })
      return changed
    },
  }
}

export type Roles = ReturnType<typeof createRolesByRule>
