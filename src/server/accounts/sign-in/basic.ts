import type { Store } from '../../store'
import { nameKey, type UserRow } from '../../store/users'
import { Problem } from '../../problem'
import { isKey } from '../keys'
import { passwordFits } from '../password'
import type { Throttle } from '../throttle'
import type { KeyHolder } from './api-key'
import type { Credentials, SignedIn } from './credentials'

type BasicNeeds = {
  store: Store
  throttle: Throttle
  keyHolder: KeyHolder
  isOn: boolean
  /** The password of the configuration is in the database. */
  ready: Promise<void>
}

const MOST_REMEMBERED = 1000

/**
 * User name and password (RFC 7617, UTF-8). A password that was right is remembered by a keyed digest beside the hash
 * that it fitted, so that the next request costs microseconds and a changed password counts at once, whoever changed it.
 */
export function createBasicSignIn({ store, throttle, keyHolder, isOn, ready }: BasicNeeds) {
  const digestKey = crypto.getRandomValues(new Uint8Array(32))
  const verified = new Map<string, { userId: number; hash: string }>()
  const digestOf = (username: string, password: string) =>
    new Bun.CryptoHasher('sha256', digestKey).update(`${nameKey(username)}:${password}`).digest('base64')

  function remembered(digest: string): UserRow | null {
    const known = verified.get(digest)
    if (!known) return null
    const user = store.users.find(known.userId)
    if (user?.password_hash === known.hash) return user
    verified.delete(digest)
    return null
  }

  function remember(digest: string, user: UserRow) {
    if (verified.size >= MOST_REMEMBERED) verified.delete(verified.keys().next().value!)
    verified.set(digest, { userId: user.id, hash: user.password_hash! })
  }

  /** Null = wrong; unknown user and wrong password look the same, in time too. */
  async function checkPassword(username: string, password: string, address: string): Promise<UserRow | null> {
    const digest = digestOf(username, password)
    const known = remembered(digest)
    if (known && nameKey(username) === known.name_key) return known
    await ready
    return throttle.guess(nameKey(username), address, async () => {
      const user = store.users.findByName(username)
      if (!(await passwordFits(password, user?.password_hash ?? null)) || !user) return null
      remember(digest, user)
      return user
    })
  }

  async function requirePassword(username: string, password: string, address: string): Promise<UserRow> {
    const user = await checkPassword(username, password, address)
    if (!user) throw new Problem('wrong-user-or-password', 'The user name or the password is wrong')
    return user
  }

  return {
    requirePassword,

    async signIn({ authorization, surface, address }: Credentials): Promise<SignedIn | null> {
      const payload = /^basic +(\S*)/i.exec(authorization ?? '')?.[1]
      if (payload === undefined) return null
      const text = Buffer.from(payload, 'base64').toString('utf8')
      const colon = text.indexOf(':')
      const username = text.slice(0, Math.max(colon, 0))
      const password = text.slice(colon + 1)
      // Podcast apps have fields for a name and a password only: a key is good as the latter.
      const takesKeys = surface !== 'api' && surface !== 'socket'
      if (takesKeys && isKey(password)) {
        const user = keyHolder(password)
        if (user && user.name_key === nameKey(username)) return { user, by: 'api-key' }
      }
      if (!isOn && !takesKeys) return null
      if (!isOn || colon < 0) {
        await throttle.guess(nameKey(username), address, () => null)
        throw new Problem('wrong-user-or-password', 'The user name or the password is wrong')
      }
      return { user: await requirePassword(username, password, address), by: 'password' }
    },
  }
}
export type BasicSignIn = ReturnType<typeof createBasicSignIn>
