import { isUsername } from '../../shared/username'
import type { Config } from '../config'
import { invalidField, Problem } from '../platform/problem'
import type { Store } from '../store'
import { nameKey, type UserRow } from '../store/users'

type Needs = { users: Store['users']; config: Pick<Config, 'admins' | 'proxy'> }

const LONGEST_WISH = 56

/** The rules of user names. */
export function createNames({ users, config }: Needs) {
  const isReserved = (name: string) => config.admins.some(admin => isSameName(admin, name))
  return {
    /** The trimmed name. Throws `invalid-field`. */
    requireName(text: string): string {
      const name = text.trim()
      if (!isUsername(name)) throw invalidField('username', '1 to 64 characters without : and /, and not "me"')
      return name
    },
    /** Throws `username-taken`, unless the name is that of `except`. */
    requireFree(name: string, except?: UserRow): string {
      const other = users.findByName(name)
      if (other && other.id !== except?.id) throw taken(name)
      return name
    },
    /** Throws `username-taken` for a name that a proxy signs in as an admin. */
    requireUnreserved(name: string): string {
      if (config.proxy && isReserved(name)) throw taken(name)
      return name
    },
    /**
     * A free name for a person whom somebody else names: the wish without unusable characters where possible, else
     * with a number behind it.
     */
    freeNameLike(wish: string): string {
      const usable = wish
        .replace(/[:/\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '')
        .trim()
        .slice(0, LONGEST_WISH)
      const base = isUsername(usable) ? usable : 'user'
      for (let number = 1; ; number++) {
        const name = number === 1 ? base : `${base}${number}`
        if (!users.findByName(name) && !isReserved(name)) return name
      }
    },
  }
}
export type UserNames = ReturnType<typeof createNames>

const taken = (username: string) => new Problem('username-taken', `The name ${username} is taken`, { username })

export const isSameName = (one: string, other: string) => nameKey(one) === nameKey(other)
