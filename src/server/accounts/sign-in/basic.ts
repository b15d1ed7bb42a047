import type { Store } from '../../store'
import { nameKey, type UserRow } from '../../store/users'
import { Problem } from '../../platform/problem'
import type { AppPasswords } from '../app-passwords'
import { isKey } from '../keys'
import { passwordFits } from '../password'
import type { Throttle } from '../throttle'
import type { KeyHolder } from './api-key'
import type { Credentials, SignedIn } from './credentials'

type BasicNeeds = {
  store: Store
  throttle: Throttle
  keyHolder: KeyHolder
  appPasswords: AppPasswords
  isOn: boolean
  /** The password of the configuration is in the database. */
  ready: Promise<void>
}

const MOST_REMEMBERED = 1000

/**
 * User name and password (RFC 7617, UTF-8). A password that was right is remembered by a keyed digest beside the hash
 * that it fitted, so that the next request costs microseconds and a changed password counts at once, whoever changed it.
 */
export function createBasicSignIn({ store, throttle, keyHolder, appPasswords, isOn, ready }: BasicNeeds) {
  const digestKey = crypto.getRandomValues(new Uint8Array(32))
  const verified = new Map<string, { userId: number; nameKey: string; hash: string }>()
  const attempts = new Map<string, Promise<UserRow | null>>()
  const digestOf = (payload: string) => new Bun.CryptoHasher('sha256', digestKey).update(payload).digest('base64')

  /** Whose password this was shown to be, if name and password are still the same. */
  function remembered(digest: string): UserRow | null {
    const known = verified.get(digest)
    if (!known) return null
    const user = store.users.find(known.userId)
    if (user?.password_hash === known.hash && user.name_key === known.nameKey) return user
    verified.delete(digest)
    return null
  }

  function remember(digest: string, { id, name_key, password_hash }: UserRow) {
    if (verified.size >= MOST_REMEMBERED) verified.delete(verified.keys().next().value!)
    verified.set(digest, { userId: id, nameKey: name_key, hash: password_hash! })
  }

  /** Unknown user and wrong password look the same, in time too. */
  async function requirePassword(username: string, password: string, address: string): Promise<UserRow> {
    const digest = digestOf(encode(`${username}:${password}`))
    const known = remembered(digest)
    if (known) return known
    // Who asks for many things at once guesses no more than who asks for one.
    const key = `${address} ${digest}`
    const attempt = attempts.get(key) ?? tryPassword(username, password, address).finally(() => attempts.delete(key))
    attempts.set(key, attempt)
    const user = await attempt
    if (!user) throw wrong()
    remember(digest, user)
    return user
  }

  async function tryPassword(username: string, password: string, address: string): Promise<UserRow | null> {
    await ready
    return throttle.guess(nameKey(username), address, async () => {
      const found = store.users.findByName(username)
      return (await passwordFits(password, found?.password_hash ?? null)) ? found : null
    })
  }

  return {
    requirePassword,

    async signIn({ authorization, surface, address }: Credentials): Promise<SignedIn | null> {
      const payload = /^basic +(\S*)/i.exec(authorization ?? '')?.[1]
      if (payload === undefined) return null
      // Nearly every request brings the same few headers: they are looked up as they stand.
      const known = isOn ? remembered(digestOf(payload)) : null
      if (known) return { user: known, by: 'password' }

      const text = decode(Buffer.from(payload, 'base64'))
      const colon = text.indexOf(':')
      const username = text.slice(0, Math.max(colon, 0))
      const password = text.slice(colon + 1)
      // Podcast apps have fields for a name and a password only: a key is good as the latter.
      const takesKeys = surface !== 'api' && surface !== 'socket'
      if (takesKeys && isKey(password)) {
        const user = keyHolder(password) ?? (surface === 'sync' ? appPasswords.ownerOf(password, address()) : null)
        if (user && user.name_key === nameKey(username)) return { user, by: 'api-key' }
      }
      if (!isOn && !takesKeys) return null
      if (!isOn || colon < 0) {
        await throttle.guess(nameKey(username), address(), () => null)
        throw wrong()
      }
      return { user: await requirePassword(username, password, address()), by: 'password' }
    },
  }
}

/** UTF-8; some apps still send the eight bits of their system. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

const encode = (text: string) => Buffer.from(text).toString('base64')
const wrong = () => new Problem('wrong-user-or-password', 'The user name or the password is wrong')
