import type { Store } from '../../store'
import type { Use } from '../../store/move-undo'
import type { MoveRow, PlacedChange } from '../../store/moves'
import { leftText, movedTables, rowKeyOf } from '../moved-tables'
import type { MovingNeeds } from '../needs'

/** Why something stays. */
export type KeptReason =
  | Use
  /** People changed it since. */
  | 'changed'
  /** It is somebody's favourite. */
  | 'favourite'
  /** A podcast app names it as its own. */
  | 'on-a-device'
  | 'in-the-feed'
  | 'not-empty'
  | 'media-folder-absent'
  /** Files of it could not be moved back. */
  | 'files-stay'
  /** The folder from which a file was moved is gone. */
  | 'folder-gone'
  /** Something else is where a file was moved from. */
  | 'place-taken'
  | 'disk-full'
  /** The file that it was made from is gone. */
  | 'only-copy'
  | 'not-writable'
  | 'last-admin'
  | 'unknown-kind'
  | 'unexpected'

/** The outcome of a change: undone, already removed by people, or why it stays. */
export type Undone = 'undone' | 'gone' | KeptReason

/** One transaction of undoing a move. */
export type UndoBatch = {
  store: Store
  move: MoveRow
  /** Milliseconds. */
  now: number
  sync: MovingNeeds['sync']
  /** Ids of podcasts that a device of a user names as its own since the move began. */
  onDevicesOf: (userId: number) => ReadonlySet<number | null>
  /** Ids of episodes by user whose positions were undone. */
  positions: Map<number, number[]>
  /** Ids of podcasts by user that are no longer favourites. */
  unfavoured: Map<number, Set<number>>
  /** Ids of episodes with other texts. */
  texts: number[]
  /** New versions of queues by user. */
  queues: Map<number, number>
}

/** Undoes one change within the transaction of its batch, unless people have changed it since. */
export type UndoChange = (batch: UndoBatch, change: PlacedChange) => Undone

/** The second of the sync clock in which a move began. */
export const secondOf = ({ started_at }: MoveRow) => Math.floor(started_at / 1000)

/** The row of a change as it is now. */
export const rowText = ({ store }: UndoBatch, change: PlacedChange) =>
  store.moves.rowText(movedTables[change.kind]!, rowKeyOf(change))

/** Whether a row is as the change left it. */
export const isAsLeft = (row: string, { kind, after }: PlacedChange) => leftText(kind, row) === after

/** Removes the row of a change, if it is as the move left it. */
export const removeRow =
  (isSame = isAsLeft): UndoChange =>
  (batch, change) => {
    const row = rowText(batch, change)
    if (row === null) return 'gone'
    if (!isSame(row, change)) return 'changed'
    batch.store.moves.removeRow(movedTables[change.kind]!, rowKeyOf(change))
    return 'undone'
  }

/** Undoes one change outside of a larger transaction, and settles it. */
export type UndoApart = (needs: MovingNeeds, move: MoveRow, change: PlacedChange) => Promise<void>

/** Counts an outcome, and notes that the change is settled. Call it in the transaction that undoes the change. */
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
