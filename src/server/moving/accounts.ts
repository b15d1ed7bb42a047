import type { Store } from '../store'
import type { MoveRow } from '../store/moves'
import { nameKey, type UserRow } from '../store/users'
import type { Item } from './item'

export type Accounts = ReturnType<typeof createAccounts>

/**
 * Finds the accounts of the people of a source, all of whom are noted first. Bob and bob are two people there and one
 * account here: it is of the one who spells it so, and the other has none.
 */
export function createAccounts({ users }: Store, { own_name, user_id, authority }: MoveRow) {
  const spellings = new Map<string, Set<string>>()
  return {
    note(item: Item) {
      if (item.is === 'user') spellings.getOrInsertComputed(nameKey(item.name), () => new Set()).add(item.name)
    },
    /**
     * Null = nobody by name, who is the person who moves. Accounts of others are found only for a move that may write
     * into them.
     */
    find(name: string | null): UserRow | null {
      if (name === null || name === own_name) return users.find(user_id)
      const found = users.findByName(name)
      const isOneOfSeveral = (spellings.get(nameKey(name))?.size ?? 0) > 1
      if (isOneOfSeveral && found?.username !== name) return null
      return authority === 'everybody' || found?.id === user_id ? found : null
    },
  }
}
