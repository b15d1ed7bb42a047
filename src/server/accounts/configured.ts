import type { Clock } from '../platform/clock'
import { ConfigurationMistakes, type Config } from '../config'
import type { Log } from '../platform/log'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { hashPassword, passwordFits } from './password'

/**
 * The built-in admin: everyone in open mode, and the account that the configuration names where people sign in. It is
 * one account, so whoever turns sign-in on keeps what they favoured and heard before.
 */
export function requireBuiltIn(store: Store, config: Config, now: Clock): UserRow {
  const { users } = store
  const found = users.findBuiltIn()
  const wanted = config.username ?? found?.username ?? 'admin'
  const other = users.findByName(wanted)
  if (other && !other.built_in)
    throw new ConfigurationMistakes([
      `USERNAME is "${wanted}", which is the name of another account: choose another name, or remove that account with "castellan users remove"`,
    ])
  if (!found) return users.add({ username: wanted, role: 'admin', explicit_consent: 1, built_in: 1 }, now())
  if (found.username !== wanted) users.rename(found.id, wanted)
  return users.find(found.id)!
}

/**
 * In open mode anybody may have made keys and invitations. They end when sign-in is turned on; accounts stay, and are
 * named, so that whoever runs the server can look them over.
 */
export function lockUp(store: Store, config: Config, admin: UserRow, log: Log) {
  const wasOpen = store.settings.wasOpen()
  if (wasOpen !== config.isOpen) store.settings.setWasOpen(config.isOpen)
  if (!wasOpen || config.isOpen) return
  store.users.setApiKey(admin.id, null)
  store.users.renewFeedKey(admin.id)
  store.invites.removePending()
  const others = store.users.list().filter(user => !user.built_in)
  log.info('sign-in is on: keys and invitations made in open mode have ended', {
    ...(others.length > 0 && { accounts: others.map(user => `${user.username} (${user.role})`).join(', ') }),
  })
}

/** Puts the configured password into the database where it is a new one. Takes a moment, so the start does not wait. */
export async function applyConfiguredPassword(store: Store, config: Config, admin: UserRow, log: Log): Promise<void> {
  if (config.password === null) {
    if (admin.password_hash !== null) store.users.setPassword(admin.id, null)
    return
  }
  if (await passwordFits(config.password, admin.password_hash)) return
  store.users.setPassword(admin.id, await hashPassword(config.password))
  if (admin.password_hash !== null) log.info('the password of the configuration is a new one: earlier sign-ins ended')
}
