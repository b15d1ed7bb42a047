import type { Store } from '../../store'
import type { MoveRow, PlacedChange } from '../../store/moves'
import type { MovingNeeds } from '../needs'
import type { Undone } from './batch'

/** Takes one change back that is no part of a larger transaction, and settles it. */
export type UndoApart = (needs: MovingNeeds, move: MoveRow, change: PlacedChange) => Promise<void>

/** Counts an outcome, and notes that the change is behind us. Call it in the transaction that takes the change back. */
export function settleApart(
  { moves }: Store,
  move: MoveRow,
  { place }: PlacedChange,
  { name, feed, outcome }: { name: string; feed: string; outcome: Undone },
) {
  moves.setUndoPlace(move.id, place)
  moves.countUndo(move.id, countOf(name, feed, outcome))
}

/** An outcome as a line of the report. */
export function countOf(kind: string, feed_url: string, outcome: Undone) {
  const isKept = outcome !== 'undone' && outcome !== 'gone'
  return { feed_url, kind, outcome: isKept ? ('kept' as const) : outcome, reason: isKept ? outcome : '', total: 1 }
}
