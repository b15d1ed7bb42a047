import type { OldPassword } from '../../accounts/old-password'
import { prepareForeignPassword } from '../../accounts/password'
import { Problem } from '../../platform/problem'
import type { Store } from '../../store'
import type { MoveRow } from '../../store/moves'
import type { EpisodeRef, Item, Kind, UserItem } from '../item'
import { leftText } from '../moved-tables'
import { type Batch, findOrMake, leftOut, noteChange, type Outcome, type Passwords, present, taken } from './batch'
import {
  applyBookmark,
  applyLike,
  applyListened,
  applyPosition,
  applyRemoved,
  applySkipMark,
  applyTranscript,
} from './episodes'
import { applyKept, applyListed, applyQueueChoice, applyQueued, applySmart } from './lists'
import { applyPreference, applyRules, applySubscription, applyTag } from './podcasts'

/** Applies one item of a source within the transaction of its batch, and counts the outcome. */
export function applyItem(batch: Batch, item: Item) {
  const { move, store } = batch
  // Noted before the first item was applied, like people, who have accounts already or get none.
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

/** Every guess at a password checks each kind of hash in use, so a file may not add many kinds. */
const MAX_KINDS = 4

/** Prepares the passwords of people who may get an account. Hashing takes too long for a transaction. */
export async function preparePasswords(store: Store, move: MoveRow, items: readonly Item[]): Promise<Passwords> {
  const found = new Map<UserItem, OldPassword>()
  for (const item of items) {
    if (!move.with_users || item.is !== 'user' || !item.password || store.users.findByName(item.name)) continue
    const password = await prepareForeignPassword(item.password)
    if (password) found.set(item, password)
  }
  return found
}

/**
 * Makes an account for a person of the source, with the password from there until the first sign-in. An existing
 * account stays as it is, including role and password.
 */
function applyUser(batch: Batch, item: UserItem): Outcome {
  const { store, now } = batch
  if (batch.userOf(item.name)) return present
  if (item.role === undefined) return leftOut('only-named')
  if (batch.userOf(null)?.role !== 'admin') return leftOut('not-by-an-admin')
  const username = usableName(batch, item.name)
  if (username === null) return leftOut('unusable-name')
  const password = fewKinds(store, batch.passwords.get(item))
  const user = store.users.add(
    {
      username,
      role: item.role,
      explicit_consent: Number(item.explicit ?? false),
      password_hash: password?.hash ?? null,
      password_kind: password?.kind ?? null,
    },
    now(),
  )
  batch.news.users.push(user)
  noteChange(batch, 'user', { user_id: user.id, after: leftText('user', JSON.stringify(user)) })
  return taken
}

function usableName({ names }: Batch, name: string): string | null {
  try {
    return names.requireUnreserved(names.requireFree(names.requireName(name)))
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

function fewKinds({ users }: Store, password: OldPassword | undefined): OldPassword | null {
  const kinds = users.passwordKinds()
  return password && (kinds.includes(password.kind) || kinds.length < MAX_KINDS) ? password : null
}
