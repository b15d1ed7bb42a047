import type { Store } from '../../store'
import { nameKey, type UserRow } from '../../store/users'
import { isFullDisk } from '../../platform/log'
import { Problem } from '../../platform/problem'
import type { AppPasswords } from '../app-passwords'
import { isKey } from '../keys'
import { type Credentials, requireCurrent, type SignedIn } from './credentials'
import { hashPassword, passwordFits } from '../password'
import { codeNeeded } from '../second-factor'
import type { Throttle } from '../throttle'
import type { FindKeyOwner, KeyUses } from './keys'

// Why: docs/internals/decisions/0053

type BasicNeeds = {
  store: Store
  throttle: Throttle
  findKeyOwner: FindKeyOwner
  appPasswords: AppPasswords
  isOn: boolean
  /** The password of the configuration is in the database. */
  ready: Promise<void>
  noteCodeWanted: KeyUses['noteCodeWanted']
}

const MAX_REMEMBERED = 1000
/** A phone has another address in every network. */
const MAX_ADDRESSES = 50

/** Signs in by user name and password (RFC 7617, UTF-8), or by a key in the place of the password. */
export function createBasicSignIn(needs: BasicNeeds) {
  const verified = createVerified(needs.store)
  const checkPassword = createPasswordCheck(needs, verified)
  function requireNoCode(user: UserRow, address: () => string) {
    if (user.second_factor !== 1) return
    needs.noteCodeWanted(user, address)
    throw codeNeeded()
  }
  /** With a second factor on, a password alone is refused. Throws `second-factor-needed`, too. */
  async function requirePassword(username: string, password: string, address: string): Promise<UserRow> {
    const user = await checkPassword(username, password, address)
    // A second factor may have been turned on, or the password changed, while it was checked.
    requireNoCode(needs.store.users.find(user.id) ?? user, () => address)
    requireCurrent(needs.store, user)
    return user
  }
  return {
    /** Throws `wrong-user-or-password`: unknown user and wrong password look the same, in time too. */
    checkPassword,
    requirePassword,

    async signIn(credentials: Credentials): Promise<SignedIn | null> {
      const { authorization, surface, address } = credentials
      const payload = /^basic +(\S*)/i.exec(authorization ?? '')?.[1]
      if (payload === undefined) return null
      // Nearly every request has the same few headers: they are looked up unparsed.
      const known = needs.isOn ? verified.find(payload, address()) : null
      if (known) requireNoCode(known, address)
      if (known) return { user: known, by: 'password' }

      const pair = parsePair(payload)
      // Podcast apps have fields for a name and a password only: a key is accepted as the password.
      const acceptsKeys = surface !== 'api' && surface !== 'socket'
      const owner = acceptsKeys ? findOwner(needs, pair, credentials) : null
      if (owner) return { user: owner, by: 'api-key' }
      if (!needs.isOn && !acceptsKeys) return null
      if (!needs.isOn || !pair.isPair) {
        await needs.throttle.recordFailure({ way: 'password', name: pair.username }, address())
        throw wrongUserOrPassword()
      }
      return { user: await requirePassword(pair.username, pair.password, address()), by: 'password' }
    },
  }
}

/**
 * Caches a verified password by keyed digest, per client address, so that the next request costs microseconds. A
 * changed name or password applies at once. From another address the password counts as a guess, so it is still
 * throttled.
 */
function createVerified(store: Store) {
  const digestKey = crypto.getRandomValues(new Uint8Array(32))
  const users = new Map<string, { userId: number; nameKey: string; hash: string; addresses: Set<string> }>()
  const digestOf = (payload: string) => new Bun.CryptoHasher('sha256', digestKey).update(payload).digest('base64')

  return {
    digestOf,
    /** The user of the payload of a Basic header; null if it was not verified, or is no longer valid. */
    find(payload: string, address: string): UserRow | null {
      const digest = digestOf(payload)
      const known = users.get(digest)
      if (!known?.addresses.has(address)) return null
      const user = store.users.find(known.userId)
      if (user?.password_hash === known.hash && user.name_key === known.nameKey) return user
      users.delete(digest)
      return null
    },
    add(payload: string, address: string, { id, name_key, password_hash }: UserRow) {
      const digest = digestOf(payload)
      const addresses = users.get(digest)?.addresses ?? new Set()
      if (users.size >= MAX_REMEMBERED) users.delete(users.keys().next().value!)
      if (addresses.size >= MAX_ADDRESSES) addresses.delete(addresses.values().next().value!)
      users.set(digest, { userId: id, nameKey: name_key, hash: password_hash!, addresses: addresses.add(address) })
    },
  }
}

function createPasswordCheck({ store, throttle, ready }: BasicNeeds, verified: ReturnType<typeof createVerified>) {
  const attempts = new Map<string, Promise<UserRow | null>>()

  async function attempt(username: string, password: string, address: string): Promise<UserRow | null> {
    await ready
    return throttle.guess({ way: 'password', name: username }, address, async () => {
      const found = store.users.findByName(username)
      if (!(await passwordFits(password, found, store.users.passwordKinds()))) return null
      return found!.password_kind === null ? found : replaceOld(store, found!, password)
    })
  }

  return async (username: string, password: string, address: string): Promise<UserRow> => {
    const payload = Buffer.from(`${username}:${password}`).toString('base64')
    const known = verified.find(payload, address)
    if (known) return known
    // A client that asks for many things at once makes one guess, not many.
    const key = `${address} ${verified.digestOf(payload)}`
    const running = attempts.get(key) ?? attempt(username, password, address).finally(() => attempts.delete(key))
    attempts.set(key, running)
    const user = await running
    if (!user) throw wrongUserOrPassword()
    verified.add(payload, address, user)
    return user
  }
}

/** Replaces the hash of another program, now that the password is known. */
async function replaceOld({ users }: Store, user: UserRow, password: string): Promise<UserRow> {
  const hash = await hashPassword(password)
  try {
    // If another password has been set since, this one is not cached.
    if (!users.replaceForeignHash(user.id, user.password_hash!, hash)) return user
  } catch (error) {
    if (isFullDisk(error)) return user
    throw error
  }
  return { ...user, password_hash: hash, password_kind: null }
}

type Pair = { username: string; password: string; isPair: boolean }

function parsePair(payload: string): Pair {
  const text = decode(Buffer.from(payload, 'base64'))
  const colon = text.indexOf(':')
  return { username: text.slice(0, Math.max(colon, 0)), password: text.slice(colon + 1), isPair: colon >= 0 }
}

/** The user whose API key or app password is used as the password, if the name is theirs. */
function findOwner({ findKeyOwner, appPasswords }: BasicNeeds, pair: Pair, { surface, address }: Credentials) {
  const { username, password } = pair
  if (!isKey(password)) return null
  const user = findKeyOwner(password) ?? (surface === 'sync' ? appPasswords.ownerOf(password, address()) : null)
  return user && user.name_key === nameKey(username) ? user : null
}

/** UTF-8; some apps still send the eight bits of their system. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

export const wrongUserOrPassword = () => new Problem('wrong-user-or-password', 'The user name or the password is wrong')
