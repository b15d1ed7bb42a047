import type { ContinueWith } from '../../../shared/api/queue'
import { removeRow, rowText, type UndoBatch, type UndoChange } from './batch'

const uuidOf = (text: string | null) => text && (JSON.parse(text) as { uuid: string }).uuid

/** Removes an entry that the move appended to a queue, wherever it is now. */
export const undoQueued: UndoChange = (batch, change) => {
  const row = rowText(batch, change)
  if (row === null) return 'gone'
  // Somebody removed it and queued the episode again.
  if (uuidOf(row) !== uuidOf(change.after)) return 'changed'
  const { user_id: userId, episode_id: episodeId } = change
  const others = batch.store.queue.idsOf(userId!).filter(id => id !== episodeId)
  replaceQueue(batch, userId!, others)
  return 'undone'
}

/** Puts an episode back into the queue that left it since the move had it finished. */
export const undoUnqueued: UndoChange = (batch, change) => {
  const { store } = batch
  const { user_id: userId, episode_id: episodeId, before } = change
  if (!store.users.find(userId!) || !store.episodes.find(episodeId!)) return 'gone'
  const ids = store.queue.idsOf(userId!)
  if (ids.includes(episodeId!)) return 'changed'
  // Its position is taken back by now, unless somebody has played it since.
  if (store.playback.find(userId!, episodeId!)?.finished) return 'played'
  const place = Math.min((JSON.parse(before!) as { place: number }).place, ids.length)
  replaceQueue(batch, userId!, ids.toSpliced(place, 0, episodeId!))
  store.moves.putQueueItem(before!, place)
  return 'undone'
}

function replaceQueue({ store, now, queues }: UndoBatch, userId: number, ids: readonly number[]) {
  queues.set(userId, store.queue.replace(userId, ids, now))
}

/** Takes an episode out of a playlist, wherever it is now. */
export const undoListed = removeRow(() => true)

/** Removes a playlist that the move made, unless it holds anything or was renamed. */
export const undoPlaylist: UndoChange = (batch, change) =>
  batch.store.moves.isPlaylistUsed(change.other_id!) ? 'not-empty' : removeRow()(batch, change)

/** Removes a playlist with rules that the move made, as long as nobody has changed it. */
export const undoSmart = removeRow()

/** Gives a queue the name and the choice that it had, unless a person has changed either. */
export const undoQueueChoice: UndoChange = ({ store, now, queues }, { user_id: userId, before, after }) => {
  const { name, continue_with } = store.queue.find(userId!)
  if (JSON.stringify([name, continue_with]) !== after) return 'changed'
  const [named, chosen] = JSON.parse(before!) as [string | null, ContinueWith]
  store.queue.setName(userId!, named)
  store.queue.setContinueWith(userId!, chosen)
  queues.set(userId!, store.queue.change(userId!, now))
  return 'undone'
}

/** Takes an episode out of a kept queue. */
export const undoKept = removeRow(() => true)

/** Removes a kept queue that the move made, unless it holds anything. */
export const undoKeptQueue: UndoChange = (batch, change) =>
  batch.store.moves.isKeptQueueUsed(change.other_id!) ? 'not-empty' : removeRow(() => true)(batch, change)
