import { allInherited } from '../../store/podcast-settings'
import { isAsLeft, removeRow, rowText, type UndoChange } from './batch'

/** Ends a favourite, unless a podcast app has subscribed to it since. */
export const undoSubscription: UndoChange = (batch, change) => {
  const { user_id: userId, podcast_id: podcastId } = change
  if (batch.onDevicesOf(userId!).has(podcastId)) return 'on-a-device'
  const undone = removeRow()(batch, change)
  if (undone === 'undone') batch.unfavoured.getOrInsertComputed(userId!, () => new Set()).add(podcastId!)
  return undone
}

/** Takes a tag from a podcast. */
export const undoTagged = removeRow()

/** Removes a tag that the move made, unless it is in use or was edited. */
export const undoTag: UndoChange = (batch, change) =>
  batch.store.moves.isTagUsed(change.other_id!) ? 'not-empty' : removeRow()(batch, change)

export const undoPreference: UndoChange = (batch, change) => {
  const undone = removeRow()(batch, change)
  if (undone === 'undone' && change.before !== null) batch.store.moves.putPreference(change.before)
  return undone
}

export const undoRules: UndoChange = (batch, change) => {
  const row = rowText(batch, change)
  if (row === null) return 'gone'
  if (!isAsLeft(row, change)) return 'changed'
  batch.store.podcastSettings.keep(change.podcast_id!, allInherited)
  return 'undone'
}
