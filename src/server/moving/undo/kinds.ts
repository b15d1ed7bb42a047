import type { ContinueWith } from '../../../shared/api/queue'
import { describeError } from '../../platform/log'
import { Problem } from '../../platform/problem'
import { isFolderAddress } from '../../store/feeds'
import type { MoveRow, PlacedChange } from '../../store/moves'
import type { Skipped } from '../../store/listened'
import type { SkipLengths } from '../../../shared/api/user'
import type { PlaybackRow } from '../../store/playback'
import { allInherited } from '../../store/podcast-settings'
import type { PodcastRow } from '../../store/podcasts'
import { playerChoiceOf } from '../../store/users'
import { addressKey } from '../../sync/addresses'
import { type AddedPodcast, settingsOfFolder } from '../add-podcasts'
import type { MovingNeeds } from '../needs'
import {
  isAsLeft,
  removeRow,
  rowText,
  type UndoBatch,
  type UndoChange,
  type KeptReason,
  secondOf,
  settleApart,
  type UndoApart,
  type Undone,
} from './batch'

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
  const [now, then, made] = [row, before, after].map(text => JSON.parse(text ?? '{}') as Partial<Listened>)
  const added = (name: keyof Listened) => Math.max(0, (made![name] ?? 0) - (then![name] ?? 0))
  const left = (name: keyof Listened) => (now![name] == null ? null : now![name] - added(name))
  const skipped = { saved: left('saved'), trimmed: left('trimmed') }
  batch.store.moves.setListened({ user_id: user_id!, hour: hour!, episode_id: episode_id! }, left('seconds')!, skipped)
  return 'undone'
}

/** Numbers of an hour; moves of earlier versions stored the seconds alone. */
type Listened = { seconds: number } & Skipped

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

/** Gives the player the choices that it had, unless a person has changed one. */
const undoPlayerChoice: UndoChange = ({ store }, { user_id: userId, before, after }) => {
  if (JSON.stringify(playerChoiceOf(store.users.find(userId!)!)) !== after) return 'changed'
  store.users.setSkipLengths(userId!, JSON.parse(before!) as SkipLengths)
  return 'undone'
}

/** Takes an episode out of a kept queue. */
const undoKept = removeRow(() => true)

/** Removes a kept queue that the move made, unless it holds anything. */
const undoKeptQueue: UndoChange = (batch, change) =>
  batch.store.moves.isKeptQueueUsed(change.other_id!) ? 'not-empty' : removeRow(() => true)(batch, change)

/** Removes a transcript that the move imported; those of the publisher are other documents. */
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
  tagged: { name: 'tags', undo: removeRow() },
  preference: { name: 'preferences', undo: undoPreference },
  rules: { name: 'rules', undo: undoRules },
  position: { name: 'positions', undo: undoPosition },
  listened: { name: 'listened', undo: undoListened },
  like: { name: 'likes', undo: removeRow() },
  queued: { name: 'queue', undo: undoQueued },
  unqueued: { name: 'queue', undo: undoUnqueued, isPart: true },
  playlist: { name: 'playlists', undo: undoPlaylist, isPart: true },
  listed: { name: 'playlists', undo: undoListed },
  smart: { name: 'playlists', undo: removeRow() },
  'queue-choice': { name: 'queue', undo: undoQueueChoice },
  'player-choice': { name: 'preferences', undo: undoPlayerChoice },
  'kept-queue': { name: 'queue', undo: undoKeptQueue, isPart: true },
  kept: { name: 'queue', undo: undoKept },
  bookmark: { name: 'bookmarks', undo: removeRow() },
  'skip-mark': { name: 'skip-marks', undo: removeRow() },
  removed: { name: 'removed', undo: undoRemoved },
  transcript: { name: 'transcripts', undo: undoTranscript },
  episode: { name: 'episodes', undo: undoEpisode },
}

/** SQLite reads a negative limit as none. */
const ALL = -1

/**
 * Removes a podcast that the move added, with its files, unless somebody uses it by now. The outcome is stored in the
 * transaction that removes it.
 */
export const undoPodcast: UndoApart = async (needs, move, change) => {
  const { store, log } = needs
  const podcast = store.podcasts.find(change.podcast_id!)
  const settle = (outcome: Undone) => settlePodcast(needs, move, change, podcast, outcome)
  const keep = (reason: KeptReason) => store.inTransaction(() => settle(reason))
  if (!podcast) return store.inTransaction(() => settle('gone'))
  const use = useOf(needs, move, change, podcast)
  if (use !== null) return keep(use)
  // Files that were here before the podcast stay, and are described for the next time that it is added.
  const withFiles = podcast.file_count > 0 && !store.moves.hasFoundFiles(podcast.id)
  try {
    // In pieces, since there may be many; few more are reported before the removal.
    await store.inPieces(most => needs.sync.actions.forgetReportsOfPodcast(podcast.id, most))
    const confirm = () => {
      const usedNow = useOf(needs, move, change, podcast)
      if (usedNow === null) endSync(needs, move, podcast)
      settle(usedNow ?? 'undone')
      return usedNow === null
    }
    await needs.removePodcast(podcast, withFiles, { confirm, source: 'import' })
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'media-folder-absent') throw error
    log.warn('A podcast of an import could not be removed', { podcast: podcast.title, error: describeError(error) })
    keep('media-folder-absent')
  }
}

/** Finds the use that keeps a podcast, now that everything else of the move is undone; null = it can go. */
function useOf(needs: MovingNeeds, move: MoveRow, change: PlacedChange, podcast: PodcastRow): KeptReason | null {
  const { store, sync } = needs
  const { id, added_by: owner } = podcast
  const { title, active } = addedOf(change, podcast)
  const now = store.podcasts.find(id)!
  const isRenamed = now.renamed === 1 && now.title !== title
  if (isRenamed || now.active !== active) return 'changed'
  if (isFavourite(needs, move, id)) return 'favourite'
  if (owner !== null && sync.subscriptions.onDevicesSince(owner, secondOf(move)).has(id)) return 'on-a-device'
  const own = isFolderAddress(now.feed_url) ? settingsOfFolder : allInherited
  if (!Bun.deepEquals(store.podcastSettings.of(id), own)) return 'set-up'
  const use = store.moves.useOfPodcast(id, move.started_at)
  if (use !== null || now.file_count === 0) return use
  // A file that was moved here may be the only one there is, and without a feed no other podcast finds it again.
  const isTheirPlace = isFolderAddress(now.feed_url) || store.moves.hasKeptFiles(move.id, now.feed_url)
  return isTheirPlace ? 'files-stay' : null
}

const addedOf = ({ after }: PlacedChange, { title, active }: PodcastRow): AddedPodcast =>
  after === null ? { title, feedTitle: title, active } : (JSON.parse(after) as AddedPodcast)

/** Whether anybody favours it. Those whose apps were subscribed before the move favour it automatically. */
function isFavourite({ store }: MovingNeeds, move: MoveRow, podcastId: number): boolean {
  const users = store.moves.favouringUsers(podcastId)
  if (users.length === 0) return false
  const keys = store.sync.feedsOf(podcastId).map(addressKey)
  const before = store.sync.subscribersOf(keys, secondOf(move))
  return users.some(user => !before.includes(user))
}

/** Notifies phones that the podcast is gone, and forgets what the library knew of it. */
function endSync({ store, sync }: MovingNeeds, move: MoveRow, { id, added_by: owner }: PodcastRow) {
  if (owner !== null) sync.subscriptions.unfollow(owner, new Set([id]), secondOf(move))
  sync.actions.forgetReportsOfPodcast(id, ALL)
  store.notifications.removeOfPodcast(id)
}

/** Counts the outcome, and puts title and checks of a podcast back that stays. */
function settlePodcast(
  { store, now }: MovingNeeds,
  move: MoveRow,
  change: PlacedChange,
  podcast: PodcastRow | null,
  outcome: Undone,
) {
  settleApart(store, move, change, { name: 'podcasts', feed: podcast?.feed_url ?? '', outcome })
  if (!podcast || outcome === 'undone') return
  const { title, feedTitle, active } = addedOf(change, podcast)
  const present = store.podcasts.find(podcast.id)!
  if (present.renamed && present.title === title) store.moves.unname(podcast.id, feedTitle)
  const isPaused = active === 0 && present.active === 0
  if (isPaused && !isFolderAddress(present.feed_url)) store.podcasts.setActive(podcast.id, true, now())
}
