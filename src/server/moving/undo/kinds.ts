import type { UndoChange } from './batch'
import {
  undoKept,
  undoKeptQueue,
  undoListed,
  undoPlaylist,
  undoQueueChoice,
  undoQueued,
  undoSmart,
  undoUnqueued,
} from './lists'
import { undoBookmark, undoEpisode, undoLike, undoListened, undoPosition, undoRemoved, undoSkipMark } from './listening'
import { undoTranscript } from './transcript'
import { undoPreference, undoRules, undoSubscription, undoTag, undoTagged } from './podcasts'

type Undo = {
  undo: UndoChange
  /** The name of the kind in reports. */
  name: string
  /** It belongs to another change, which is counted: it is reported only if it stays. */
  isPart?: boolean
}

/** The way in which each kind of change is taken back, within a transaction of many. */
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
