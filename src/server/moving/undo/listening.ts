import type { PlaybackRow } from '../../store/playback'
import { isAsLeft, removeRow, rowText, type UndoChange } from './batch'

/** Puts the position back that was there before, or none. */
export const undoPosition: UndoChange = (batch, change) => {
  const { store, positions } = batch
  const { user_id: userId, episode_id: episodeId, before } = change
  const row = rowText(batch, change)
  if (row === null) return 'gone'
  if (!isAsLeft(row, change)) return 'changed'
  if (before === null) store.moves.removePosition(userId!, episodeId!)
  else store.playback.save(JSON.parse(before) as PlaybackRow)
  positions.getOrInsertComputed(userId!, () => []).push(episodeId!)
  return 'undone'
}

/** Takes the seconds off that the move had added to an hour; what people listened to in it since stays. */
export const undoListened: UndoChange = (batch, change) => {
  const { user_id, episode_id, other_id: hour, before, after } = change
  const row = rowText(batch, change)
  if (row === null) return 'gone'
  const added = secondsOf(after) - secondsOf(before)
  batch.store.moves.setListened(
    { user_id: user_id!, hour: hour!, episode_id: episode_id! },
    secondsOf(row) - Math.max(0, added),
  )
  return 'undone'
}

const secondsOf = (text: string | null) => (text === null ? 0 : (JSON.parse(text) as { seconds: number }).seconds)

export const undoLike = removeRow()
export const undoBookmark = removeRow()
export const undoSkipMark = removeRow()

/** Lets rules fetch a file again, as before. */
export const undoRemoved: UndoChange = ({ store }, { episode_id: id }) => {
  const episode = store.episodes.find(id!)
  if (!episode?.removed) return 'gone'
  store.episodes.markRemoved(id!, false)
  return 'undone'
}

/** Removes an episode that the move made of the source's own row, unless it is in use or its feed lists it by now. */
export const undoEpisode: UndoChange = ({ store, move, sync }, { episode_id: id }) => {
  const episode = store.episodes.find(id!)
  if (!episode) return 'gone'
  if (episode.in_feed) return 'in-the-feed'
  const use = store.moves.useOfEpisode(id!, move.started_at)
  if (use !== null) return use
  if (episode.file_path !== null) return store.downloads.findOfEpisode(id!) ? 'downloaded' : 'files-stay'
  sync.actions.forgetReports(id!)
  store.moves.removeEpisode(id!)
  return 'undone'
}
