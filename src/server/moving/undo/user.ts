import { Problem } from '../../platform/problem'
import { leftText } from '../moved-tables'
import type { MovingNeeds } from '../needs'
import { settleApart, type UndoApart } from './apart'
import type { KeptReason, Undone } from './batch'

/** Removes an account that the move made, unless it was used or changed since. Its turn comes after all that it got. */
export const undoUser: UndoApart = async (needs, move, change) => {
  const { store } = needs
  const id = change.user_id!
  const settle = (outcome: Undone) => settleApart(store, move, change, { name: 'users', feed: '', outcome })
  const user = store.users.find(id)
  if (!user) return store.inTransaction(() => settle('gone'))
  try {
    needs.removeUser(user, () => {
      const use = useOf(needs, id, change.after)
      settle(use ?? 'undone')
      return use === null
    })
  } catch (error) {
    const reason = keptReasonOf(error)
    if (reason === null) throw error
    store.inTransaction(() => settle(reason))
  }
}

/** A password, a role, a key or its own settings are in its row; a first sign-in replaces the old hash there. */
function useOf({ store }: MovingNeeds, id: number, left: string | null): KeptReason | null {
  if (leftText('user', JSON.stringify(store.users.find(id))) !== left) return 'changed'
  return store.moves.isUserActive(id) ? 'not-empty' : null
}

function keptReasonOf(error: unknown): KeptReason | null {
  if (!(error instanceof Problem)) return null
  if (error.code === 'last-admin') return 'last-admin'
  return error.code === 'account-read-only' ? 'changed' : null
}
