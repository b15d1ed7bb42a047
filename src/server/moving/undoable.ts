import { DAY } from '../platform/clock'
import { describeError } from '../platform/log'
import { notFound, Problem } from '../platform/problem'
import type { MoveRow } from '../store/moves'
import type { UserRow } from '../store/users'
import { isBusy } from '../store/writing'
import type { MovingNeeds } from './needs'
import { undoMove } from './undo'

const UNDOABLE_MS = DAY

/** The time until which a move that has ended can be taken back; null = it cannot, or need not. */
export function undoableUntil({ now }: Pick<MovingNeeds, 'now'>, move: MoveRow): number | null {
  const hasEnded = move.begun && (move.state === 'done' || move.state === 'failed')
  if (!hasEnded || move.finished_at === null) return null
  const until = move.finished_at + UNDOABLE_MS
  return until > now() ? until : null
}

/** A move that a person may take back now. Throws `move-not-found`, `move-state`, `move-too-old` and `move-undone`. */
export function requireUndoable(
  { store, now }: Pick<MovingNeeds, 'store' | 'now'>,
  user: UserRow,
  id: number,
): MoveRow {
  const move = store.moves.find(id)
  if (!move || (move.user_id !== user.id && user.role !== 'admin')) throw notFound('move')
  if (!move.begun) throw new Problem('move-state', 'This import has not begun')
  if (move.state === 'undone') throw new Problem('move-undone', 'This import was undone already')
  if (move.state !== 'undoing' && move.finished_at !== null && now() - move.finished_at > UNDOABLE_MS)
    throw new Problem('move-too-old', 'An import can be undone for 24 hours')
  return move
}

/** Takes a move back as far as it can; one that fails may be tried again from where it came to. */
export async function takeBack(needs: MovingNeeds, move: MoveRow, mayContinue: () => boolean) {
  const { store, log } = needs
  try {
    await undoMove(needs, move, mayContinue)
  } catch (error) {
    // Another process came first with its writing: the caller tries again, from where this one came to.
    if (isBusy(error)) throw error
    log.error('Undoing an import failed', { source: move.source, error: describeError(error) })
    await store.whenWritable()
    store.moves.giveUpUndo(move.id, 'Internal error; the log has the details. Undo it once more.')
  }
}
