import type { Config } from '../config'
import type { Outbound } from '../outbound/request'
import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Log } from '../platform/log'
import type { Room } from '../platform/room'
import type { Secret } from '../platform/secret'
import type { Store } from '../store'
import { createAppPasswords } from './app-passwords'
import { createAppSessions } from './app-sessions'
import { createArrivals, type Visitor } from './arrivals'
import { applyConfiguredPassword, endSessionsOfOtherWays, lockUp, requireBuiltIn, requirePassword } from './configured'
import { createInvites } from './invites'
import { createSessionList, removeSessionsOfOtherKeys } from './own-sessions'
import { createFeedKeys, createMediaKeys } from './keys'
import { createSignIn } from './sign-in'
import { createPasskeys } from './passkeys'
import { createProofs, createSecondFactor } from './second-factor'
import { createSessions } from './sign-in/session'
import { createThrottle, type ThrottleLimits } from './throttle'
import { createUsers } from './users'

type Needs = {
  store: Store
  config: Config
  isServer: boolean
  outbound: Outbound
  secret: Secret
  publish: Publish
  now: Clock
  log: Log
  room: Pick<Room, 'isFull' | 'makeRoom'>
  throttleLimits?: Partial<ThrottleLimits>
  /** See `createArrivals`. */
  recordSignIn: (userId: number, arrival: Visitor & { at: number }) => void
}

/**
 * Accounts and the ways to sign in. The server applies the account that its configuration names to the database; a
 * command, which may run without those variables, leaves accounts as they are.
 */
export function createAccounts(needs: Needs) {
  const { store, config, publish, now, log } = needs
  const { isFull, makeRoom } = needs.room
  const mayNote = () => store.isWritable() && !isFull()
  const ready = needs.isServer ? applyConfiguration(needs) : Promise.resolve()
  const arrivals = createArrivals(needs)
  const throttle = createThrottle(now, publish, needs.throttleLimits, arrivals.isKnownPlace)
  const users = createUsers({
    store,
    config,
    publish,
    now,
    log,
    builtInSignsIn: config.isOpen || config.byPassword,
  })
  const sessions = createSessions({ store, arrivals, publish, now, mayNote, makeRoom })
  const feedKeys = createFeedKeys(needs.secret)
  const mediaKeys = createMediaKeys(needs.secret, config.apiKey, now)
  const appPasswords = createAppPasswords({ store, publish, now, mayNote })
  const secondFactor = createSecondFactor({ store, secret: needs.secret, throttle, publish, now, makeRoom })
  const signIn = createSignIn({
    ...needs,
    users,
    sessions,
    feedKeys,
    mediaKeys,
    throttle,
    appPasswords,
    secondFactor,
    ready,
  })
  const proofs = createProofs({ store, config, secondFactor, checkPassword: signIn.checkPassword })
  return {
    /** The built-in admin, whom every start of the server creates. */
    admin: store.users.findBuiltIn()!,
    throttle,
    users,
    sessions,
    feedKeys,
    mediaKeys,
    appPasswords,
    appSessions: createAppSessions({ store, arrivals, publish, now, mayNote }),
    sessionList: createSessionList({ store, publish, now }),
    invites: createInvites({ store, users, publish, now }),
    signIn,
    secondFactor,
    proofs,
    passkeys: createPasskeys({ store, throttle, publish, now, makeRoom, mayHave: proofs.hasPassword }),
    /** Settles when the configured password is stored; sign-ins wait for it. */
    passwordIsSet: ready,
  }
}

/** Settles when the configured password is stored. */
function applyConfiguration(needs: Needs): Promise<void> {
  const { store, config, now, log } = needs
  const isNew = store.users.findBuiltIn() === null
  const admin = requireBuiltIn(store, config, now)
  requirePassword(store, config, admin)
  lockUp(store, config, admin, log, isNew)
  endSessionsOfOtherWays(store, config)
  // The configuration may name another key than at the last start.
  removeSessionsOfOtherKeys(store, config, admin.id)
  return applyConfiguredPassword(needs, admin)
}
