import type { EpisodeRef, Item, Kind } from '../item'
import { leftOut, present, type Batch, type Outcome } from './batch'
import { applyListened } from './listened'
import { applyListed, applyQueued } from './lists'
import { applyBookmark, applyLike, applyPosition, applyRemoved, applySkipMark } from './listening'
import { findOrMake } from './make-episode'
import { applyPreference, applyRules, applySubscription, applyTag } from './podcasts'
import { applyKept, applyQueueChoice } from './queues'
import { applySmart } from './smart-playlists'
import { applyTranscript } from './transcripts'
import { applyUser } from './users'

/** Applies one item of a source within the transaction of its batch, and counts what became of it. */
export function applyItem(batch: Batch, item: Item) {
  const { move, store } = batch
  // Noted before the first item was applied; so were people, who have accounts already or get none.
  if (item.is === 'podcast' || (item.is === 'user' && !move.with_users)) return
  if (item.is === 'user') return batch.count('users', null, applyUser(batch, item))
  if (item.is === 'server-settings') return store.moves.setServerSettings(move.id, JSON.stringify(item.settings))
  if (item.is === 'left-out') return batch.count(item.kind, item.feed, leftOut(item.reason))
  if (item.is === 'episode') return applyEpisode(batch, item.episode)
  const feed = 'feed' in item ? item.feed : 'episode' in item ? item.episode.feed : null
  batch.count(kindOf[item.is], feed, outcomeOf(batch, item))
}

type Applied = Exclude<Item, { is: 'user' | 'podcast' | 'episode' | 'server-settings' | 'left-out' }>

const kindOf: Record<Applied['is'], Kind> = {
  subscription: 'subscriptions',
  tag: 'tags',
  preference: 'preferences',
  rules: 'rules',
  position: 'positions',
  like: 'likes',
  queued: 'queue',
  listed: 'playlists',
  smart: 'playlists',
  'queue-choice': 'queue',
  kept: 'queue',
  bookmark: 'bookmarks',
  'skip-mark': 'skip-marks',
  removed: 'removed',
  listened: 'listened',
  transcript: 'transcripts',
  file: 'files',
}

/** Making an episode counts it. */
function applyEpisode(batch: Batch, episode: EpisodeRef) {
  const { store, podcastOf, count } = batch
  const countBefore = store.podcasts.find(podcastOf(episode.feed) ?? 0)?.episode_count
  const found = findOrMake(batch, episode)
  if ('reason' in found) return count('episodes', episode.feed, leftOut(found.reason))
  if (store.podcasts.find(found.podcastId)!.episode_count === countBefore) count('episodes', episode.feed, present)
}

function outcomeOf(batch: Batch, item: Applied): Outcome {
  switch (item.is) {
    case 'subscription':
      return applySubscription(batch, item)
    case 'tag':
      return applyTag(batch, item)
    case 'preference':
      return applyPreference(batch, item)
    case 'rules':
      return applyRules(batch, item)
    case 'position':
      return applyPosition(batch, item)
    case 'like':
      return applyLike(batch, item)
    case 'queued':
      return applyQueued(batch, item)
    case 'listed':
      return applyListed(batch, item)
    case 'smart':
      return applySmart(batch, item)
    case 'queue-choice':
      return applyQueueChoice(batch, item)
    case 'kept':
      return applyKept(batch, item)
    case 'bookmark':
      return applyBookmark(batch, item)
    case 'skip-mark':
      return applySkipMark(batch, item)
    case 'removed':
      return applyRemoved(batch, item)
    case 'listened':
      return applyListened(batch, item)
    case 'transcript':
      return applyTranscript(batch, item)
    // Those of a move with files are not applied here.
    case 'file':
      return leftOut('no-folder')
  }
}
