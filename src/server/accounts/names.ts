import { findNameFault, nameRules } from '../../shared/username'
import type { Config } from '../config'
import type { Log } from '../platform/log'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import { nameKey, type UserRow } from '../store/users'

// Why: docs/internals/decisions/0063

type Needs = { users: Store['users']; config: Pick<Config, 'admins' | 'proxy'>; log: Log }

/** Characters of a name before the number that makes it another one. */
export const MAX_WISH = 56
const MAX_LOGGED = 100

/** The rules of user names. */
export function createNames({ users, config, log }: Needs) {
  // A proxy names its people in every request: one line for each name is enough.
  const logged = new Set<string>()
  function refuse(username: string): Problem {
    if (!logged.has(username)) log.warn('No account was made: its name cannot be used here', { username })
    if (logged.size >= MAX_LOGGED) logged.clear()
    logged.add(username)
    return new Problem('username-refused', `No account was made: the name ${username} cannot be used here`, {
      username,
    })
  }
  const isReserved = (name: string) => config.admins.some(admin => isSameName(admin, name))
  /** Throws `username-taken` or `username-looks-taken`, unless the name is that of `except`. */
  function requireFree(name: string, except?: UserRow): string {
    const other = users.findByName(name)
    if (other && other.id !== except?.id) throw taken(name)
    if (other === null && users.findLookalike(name, except?.id)) throw looksTaken(name)
    return name
  }

  /**
   * The first of the names given by a provider that an account may have here, with a number appended if it is taken;
   * null if none is usable. Names are not changed in other ways.
   */
  function findUsable(wishes: readonly string[]): string | null {
    for (const wish of wishes) {
      const name = wish.trim()
      if (findNameFault(name) !== null) continue
      for (let number = 1; ; number++) {
        const numbered = number === 1 ? name : `${name.slice(0, MAX_WISH)}${number}`
        if (users.findByName(numbered) || isReserved(numbered)) continue
        if (!users.findLookalike(numbered)) return numbered
        // Even with a number, people would mistake it for somebody else.
        if (number === 1) break
      }
    }
    return null
  }

  return {
    /** The trimmed name. Throws `invalid-field`, with the fault. */
    requireName(text: string): string {
      const name = text.trim()
      const fault = findNameFault(name)
      if (fault !== null)
        throw new Problem('invalid-field', `username: ${nameRules[fault]}`, {
          field: 'username',
          rule: nameRules[fault],
          fault,
        })
      return name
    },
    requireFree,
    /** Throws `username-taken` for a name that a proxy signs in as an admin. */
    requireUnreserved(name: string): string {
      if (config.proxy && isReserved(name)) throw taken(name)
      return name
    },
    findUsable,
    /** Like `findUsable`, but throws `username-refused` if none is usable. */
    requireOneOf(wishes: readonly string[]): string {
      const name = findUsable(wishes)
      if (name === null) throw refuse(wishes[0] ?? '')
      return name
    },
    /** The name of a new account that a proxy names. Throws `username-refused`. */
    requireProxied(name: string): string {
      if (findNameFault(name) !== null || users.findLookalike(name)) throw refuse(name)
      return name
    },
  }
}
export type UserNames = ReturnType<typeof createNames>

const taken = (username: string) => new Problem('username-taken', `The name ${username} is taken`, { username })

const looksTaken = (username: string) =>
  new Problem('username-looks-taken', `The name ${username} looks like that of another account`, { username })

export const isSameName = (one: string, other: string) => nameKey(one) === nameKey(other)
