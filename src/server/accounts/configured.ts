import type { Clock } from '../platform/clock'
import { findNameFault, nameRules } from '../../shared/username'
import { ConfigurationMistakes, type Config } from '../config'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { hashPassword, passwordFits } from './password'

// Why: docs/internals/decisions/0063

/**
 * The built-in admin: everyone in open mode, and the account that the configuration names where people sign in. It is
 * the same account, so turning sign-in on loses neither favourites nor progress.
 */
export function requireBuiltIn(store: Store, config: Config, now: Clock): UserRow {
  const { users } = store
  const found = users.findBuiltIn()
  const wanted = config.username ?? found?.username ?? 'admin'
  const other = users.findByName(wanted)
  if (other && !other.built_in)
    throw new ConfigurationMistakes([
      `USERNAME is "${wanted}", the name of another account. Choose another name, or remove that account with "castellan users remove"`,
    ])
  const isNewName = other === null
  const fault = isNewName ? findNameFault(wanted) : null
  if (fault !== null) throw new ConfigurationMistakes([`USERNAME is "${wanted}": expected ${nameRules[fault]}`])
  if (isNewName && users.findLookalike(wanted, found?.id))
    throw new ConfigurationMistakes([
      `USERNAME is "${wanted}", which looks like the name of another account. Choose another name`,
    ])
  if (!found) return users.add({ username: wanted, role: 'admin', explicit_consent: 1, built_in: 1 }, now())
  if (found.username !== wanted) users.rename(found.id, wanted)
  return users.find(found.id)!
}

/**
 * Ends keys, app passwords, sign-ins of apps and invitations when sign-in is turned on: in open mode anybody may have
 * made them.
 * Accounts stay; the log names them, so that the operator can review them. A new database (`isNew`) has nothing to end.
 */
export function lockUp(store: Store, config: Config, admin: UserRow, log: Log, isNew: boolean) {
  const wasOpen = store.settings.wasOpen()
  if (wasOpen !== config.isOpen) store.settings.setWasOpen(config.isOpen)
  if (!wasOpen || config.isOpen || isNew) return
  store.users.setApiKey(admin.id, null, null)
  store.users.renewFeedKey(admin.id)
  store.appSessions.removeOf(admin.id)
  store.appPasswords.removeOf(admin.id)
  store.sessions.removeSync(admin.id)
  store.invites.removePending()
  const others = store.users.list().filter(user => !user.built_in)
  log.info('Sign-in turned on: keys, app passwords, sign-ins of apps and invitations made in open mode have ended', {
    ...(others.length > 0 && { accounts: others.map(user => `${user.username} (${user.role})`).join(', ') }),
  })
}

/**
 * Whether the configuration sets a part of an account. Once `castellan setup` has stored a password for the built-in
 * admin, its user may change that, and also the name unless USERNAME is set.
 */
export function isConfigured(config: Config, user: Pick<UserRow, 'built_in'>, part: 'name' | 'password'): boolean {
  if (!user.built_in) return false
  return !config.byPassword || config.password !== null || (part === 'name' && config.username !== null)
}

/** Throws `ConfigurationMistakes` if people sign in by password, and nobody has one. */
export function requirePassword({ users }: Store, config: Config, admin: UserRow) {
  if (!config.byPassword || config.password !== null || admin.password_hash !== null) return
  if (users.list().some(user => user.password_hash !== null)) return
  throw new ConfigurationMistakes([
    'BASIC_AUTH is on and nobody has a password: set PASSWORD (or PASSWORD_FILE), or choose one with: castellan setup',
  ])
}

/** Ends sessions that began with a way to sign in that is off now. In open mode no session counts. */
export function endSessionsOfOtherWays(store: Store, config: Config) {
  if (config.isOpen) return
  store.sessions.removeOfWays([
    ...(config.byPassword ? [] : (['password', 'passkey'] as const)),
    ...(config.oidc === null ? (['single-sign-on'] as const) : []),
    ...(config.proxy === null ? (['proxy'] as const) : []),
  ])
}

type ConfiguredNeeds = { store: Store; config: Config; log: Log; publish: Publish }

/** Stores the configured password if it changed. Hashing takes a moment, so the start does not wait for it. */
export async function applyConfiguredPassword(
  { store, config, log, publish }: ConfiguredNeeds,
  admin: UserRow,
): Promise<void> {
  if (config.password === null) {
    if (!config.byPassword && admin.password_hash !== null) store.users.setPassword(admin.id, null)
    return
  }
  if (await passwordFits(config.password, admin)) return
  store.users.setPassword(admin.id, await hashPassword(config.password))
  if (admin.password_hash === null) return
  log.info('The configured password has changed: earlier sign-ins have ended')
  publish({ type: 'recorded', kind: 'password-changed', about: admin })
}
