import type { Item, Kind } from '../item'
import { leftOut, type Batch, type Outcome } from './batch'
import { applyListed, applyQueued } from './lists'
import { applyBookmark, applyLike, applyPosition, applyRemoved } from './listening'
import { applyPreference, applyRules, applySubscription, applyTag } from './podcasts'

/** Applies one item of a source within the transaction of its batch, and counts what became of it. */
export function applyItem(batch: Batch, item: Item) {
  // Both were noted before the first item was applied.
  if (item.is === 'user' || item.is === 'podcast') return
  if (item.is === 'left-out') return batch.count(item.kind, item.feed, leftOut(item.reason))
  const feed = 'feed' in item ? item.feed : item.episode.feed
  batch.count(kindOf[item.is], feed, outcomeOf(batch, item))
}

type Applied = Exclude<Item, { is: 'user' | 'podcast' | 'left-out' }>

const kindOf: Record<Applied['is'], Kind> = {
  subscription: 'subscriptions',
  tag: 'tags',
  preference: 'preferences',
  rules: 'rules',
  position: 'positions',
  like: 'likes',
  queued: 'queue',
  listed: 'playlists',
  bookmark: 'bookmarks',
  removed: 'removed',
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
    case 'bookmark':
      return applyBookmark(batch, item)
    case 'removed':
      return applyRemoved(batch, item)
  }
}
