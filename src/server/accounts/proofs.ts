import type { Config } from '../config'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { UserRow } from '../store/users'
import { requireCurrent } from './not-signed-in'
import type { SecondFactor } from './second-factor'

type Needs = {
  store: Store
  config: Pick<Config, 'password'>
  secondFactor: SecondFactor
  /** Checks a password; throws `wrong-user-or-password`, `too-many-attempts`. */
  checkPassword: (username: string, password: string, address: string) => Promise<UserRow>
}

/** Password, and code where a second factor is on, typed once more before a change to signing in. */
export type Proof = { password: string; code?: string | null | undefined }

/** Proofs of the person who asks, before what they sign in with is changed: a session that was left open is none. */
export function createProofs({ store, config, secondFactor, checkPassword }: Needs) {
  const hasPassword = (user: UserRow) => config.password !== null && user.password_hash !== null
  return {
    /** Whether somebody signs in with a password of this server: others have no passkeys and no second factor. */
    hasPassword,
    /** Throws `no-own-password`, `not-confirmed`, `not-signed-in`, `too-many-attempts`. */
    async require(user: UserRow, { password, code = null }: Proof, address: string) {
      if (!hasPassword(user)) throw new Problem('no-own-password', 'This account does not sign in with a password here')
      try {
        await checkPassword(user.username, password, address)
        await secondFactor.require(user, code, address)
      } catch (error) {
        // It says nothing about the person who is signed in: no page should sign out for it.
        if (error instanceof Problem && error.code !== 'too-many-attempts')
          throw new Problem('not-confirmed', 'The password or the code is wrong')
        throw error
      }
      requireCurrent(store, user)
    },
  }
}
export type Proofs = ReturnType<typeof createProofs>
