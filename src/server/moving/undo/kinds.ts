import type { ContinueWith } from '../../../shared/api/queue'
import type { PlaybackRow } from '../../store/playback'
import { allInherited } from '../../store/podcast-settings'
import { isAsLeft, removeRow, rowText, type UndoBatch, type UndoChange } from './batch'

type Undo = {
  undo: UndoChange
  /** The name of the kind in reports. */
  name: string
  /** It belongs to another change, which is counted: it is reported only if it stays. */
  isPart?: boolean
}

/** Ends a favourite, unless a podcast app has subscribed to it since. */
const undoSubscription: UndoChange = (batch, change) => {
  const { user_id: userId, podcast_id: podcastId } = change
  if (batch.onDevicesOf(userId!).has(podcastId)) return 'on-a-device'
  const undone = removeRow()(batch, change)
  if (undone === 'undone') batch.unfavoured.getOrInsertComputed(userId!, () => new Set()).add(podcastId!)
  return undone
}

/** Takes a tag from a podcast. */
const undoTagged = removeRow()

/** Removes a tag that the move made, unless it is in use or was edited. */
const undoTag: UndoChange = (batch, change) =>
  batch.store.moves.isTagUsed(change.other_id!) ? 'not-empty' : removeRow()(batch, change)

const undoPreference: UndoChange = (batch, change) => {
  const undone = removeRow()(batch, change)
  if (undone === 'undone' && change.before !== null) batch.store.moves.putPreference(change.before)
  return undone
}

const undoRules: UndoChange = (batch, change) => {
  const row = rowText(batch, change)
  if (row === null) return 'gone'
  if (!isAsLeft(row, change)) return 'changed'
  batch.store.podcastSettings.keep(change.podcast_id!, allInherited)
  return 'undone'
}

/** Puts the position back that was there before, or none. */
const undoPosition: UndoChange = (batch, change) => {
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
const undoListened: UndoChange = (batch, change) => {
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

const undoLike = removeRow()
const undoBookmark = removeRow()
const undoSkipMark = removeRow()

/** Lets rules fetch a file again, as before. */
const undoRemoved: UndoChange = ({ store }, { episode_id: id }) => {
  const episode = store.episodes.find(id!)
  if (!episode?.removed) return 'gone'
  store.episodes.markRemoved(id!, false)
  return 'undone'
}

/** Removes an episode that the move made of the source's own row, unless it is in use or its feed lists it by now. */
const undoEpisode: UndoChange = ({ store, move, sync }, { episode_id: id }) => {
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

const uuidOf = (text: string | null) => text && (JSON.parse(text) as { uuid: string }).uuid

/** Removes an entry that the move appended to a queue, wherever it is now. */
const undoQueued: UndoChange = (batch, change) => {
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
const undoUnqueued: UndoChange = (batch, change) => {
  const { store } = batch
  const { user_id: userId, episode_id: episodeId, before } = change
  if (!store.users.find(userId!) || !store.episodes.find(episodeId!)) return 'gone'
  const ids = store.queue.idsOf(userId!)
  if (ids.includes(episodeId!)) return 'changed'
  // Its position is undone by now, unless somebody has played it since.
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
const undoListed = removeRow(() => true)

/** Removes a playlist that the move made, unless it holds anything or was renamed. */
const undoPlaylist: UndoChange = (batch, change) =>
  batch.store.moves.isPlaylistUsed(change.other_id!) ? 'not-empty' : removeRow()(batch, change)

/** Removes a playlist with rules that the move made, as long as nobody has changed it. */
const undoSmart = removeRow()

/** Gives a queue the name and the choice that it had, unless a person has changed either. */
const undoQueueChoice: UndoChange = ({ store, now, queues }, { user_id: userId, before, after }) => {
  const { name, continue_with } = store.queue.find(userId!)
  if (JSON.stringify([name, continue_with]) !== after) return 'changed'
  const [named, chosen] = JSON.parse(before!) as [string | null, ContinueWith]
  store.queue.setName(userId!, named)
  store.queue.setContinueWith(userId!, chosen)
  queues.set(userId!, store.queue.change(userId!, now))
  return 'undone'
}

/** Takes an episode out of a kept queue. */
const undoKept = removeRow(() => true)

/** Removes a kept queue that the move made, unless it holds anything. */
const undoKeptQueue: UndoChange = (batch, change) =>
  batch.store.moves.isKeptQueueUsed(change.other_id!) ? 'not-empty' : removeRow(() => true)(batch, change)

/** Removes a transcript that the move brought; those of the publisher are other documents. */
const undoTranscript: UndoChange = ({ store, texts }, { episode_id: episodeId, other_id: id }) => {
  if (!store.documents.removeGenerated(episodeId!, id!)) return 'gone'
  store.search.drop(episodeId!)
  texts.push(episodeId!)
  return 'undone'
}

/** How each kind of change is undone, within a transaction of many. */
export const undoing: Record<string, Undo> = {
  subscription: { name: 'subscriptions', undo: undoSubscription },
  tag: { name: 'tags', undo: undoTag, isPart: true },
  tagged: { name: 'tags', undo: undoTagged },
  preference: { name: 'preferences', undo: undoPreference },
  rules: { name: 'rules', undo: undoRules },
  position: { name: 'positions', undo: undoPosition },
  listened: { name: 'listened', undo: undoListened },
  like: { name: 'likes', undo: undoLike },
  queued: { name: 'queue', undo: undoQueued },
  unqueued: { name: 'queue', undo: undoUnqueued, isPart: true },
  playlist: { name: 'playlists', undo: undoPlaylist, isPart: true },
  listed: { name: 'playlists', undo: undoListed },
  smart: { name: 'playlists', undo: undoSmart },
  'queue-choice': { name: 'queue', undo: undoQueueChoice },
  'kept-queue': { name: 'queue', undo: undoKeptQueue, isPart: true },
  kept: { name: 'queue', undo: undoKept },
  bookmark: { name: 'bookmarks', undo: undoBookmark },
  'skip-mark': { name: 'skip-marks', undo: undoSkipMark },
  removed: { name: 'removed', undo: undoRemoved },
  transcript: { name: 'transcripts', undo: undoTranscript },
  episode: { name: 'episodes', undo: undoEpisode },
}
