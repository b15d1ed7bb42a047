import { MAX_QUEUED, MAX_QUEUES } from '../../../shared/api/queue'
import { type OldPassword, prepareForeignPassword } from '../../accounts/password'
import { MAX_WITH_RULES } from '../../library/playlists'
import { Problem } from '../../platform/problem'
import type { Store } from '../../store'
import type { MoveRow } from '../../store/moves'
import { nameKey } from '../../store/users'
import type { EpisodeRef, Item, Kind, UserItem, ItemOf } from '../item'
import { leftText } from '../moved-tables'
import { readPortableRules } from '../portable-rules'
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
import { applyPlayerChoice, applyPreference, applyRules, applySubscription, applyTag, requireTag } from './podcasts'

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
  'player-choice': 'preferences',
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
    case 'player-choice':
      return applyPlayerChoice(batch, item)
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

/** Appends an episode to the queue, unless it is in it or the person has finished it here. */
function applyQueued(batch: Batch, item: ItemOf<'queued'>): Outcome {
  const { store, now, news } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  const ids = store.queue.idsOf(user.id)
  if (ids.includes(found.episodeId)) return present
  if (store.playback.find(user.id, found.episodeId)?.finished) return leftOut('finished')
  if (ids.length >= MAX_QUEUED) return leftOut('too-many')
  news.queues.set(user.id, store.queue.replace(user.id, [...ids, found.episodeId], now()))
  noteChange(batch, 'queued', { user_id: user.id, episode_id: found.episodeId })
  return taken
}

/** Appends an episode to the playlist of that name, which is made if there is none. */
function applyListed(batch: Batch, item: ItemOf<'listed'>): Outcome {
  const { store, now } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  const { name, known } = findChosen(batch, user.id, item.list)
  const list = known ?? store.playlists.add(user.id, name, now())
  if (!known && item.about) store.playlists.describe(list.id, item.about)
  if (!known) noteChange(batch, 'playlist', { user_id: user.id, other_id: list.id })
  if (!store.playlists.append(list.id, found.episodeId, MAX_LISTED)) {
    const isHere = store.playlists.holds(list.id, found.episodeId)
    return isHere ? present : leftOut('too-many')
  }
  noteChange(batch, 'listed', { user_id: user.id, episode_id: found.episodeId, other_id: list.id })
  return taken
}

/** A smart playlist can't have chosen episodes: another playlist is made, with a number. */
function findChosen({ store }: Batch, userId: number, wish: string) {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wish : `${wish} ${number}`
    const known = store.playlists.findByName(userId, name)
    if (known === null || known.rules === null) return { name, known }
  }
}

const MAX_LISTED = 5000

const keyOf = (name: string | null) => name && nameKey(name)

/** Names an empty main queue and chooses what follows it, unless the person has done so here. */
function applyQueueChoice(batch: Batch, item: ItemOf<'queue-choice'>): Outcome {
  const { store, now, news } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const { name, continue_with } = store.queue.find(user.id)
  const isUntouched = name === null && store.queue.idsOf(user.id).length === 0 && store.savedQueues.count(user.id) === 0
  const named = isUntouched ? item.name : name
  const chosen = continue_with === 'nothing' ? item.continueWith : continue_with
  if (named === name && chosen === continue_with) return present
  store.queue.setName(user.id, named)
  store.queue.setContinueWith(user.id, chosen)
  news.queues.set(user.id, store.queue.change(user.id, now()))
  const before = JSON.stringify([name, continue_with])
  noteChange(batch, 'queue-choice', { user_id: user.id, before, after: JSON.stringify([named, chosen]) })
  return taken
}

/**
 * Appends an episode to the saved queue of that name, which is made if there is none; the queue in use may have the
 * name.
 */
function applyKept(batch: Batch, item: ItemOf<'kept'>): Outcome {
  const { store, now, news } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  if (keyOf(store.queue.find(user.id).name) === keyOf(item.queue))
    return applyQueued(batch, { is: 'queued', user: item.user, episode: item.episode })
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  if (store.playback.find(user.id, found.episodeId)?.finished) return leftOut('finished')
  const known = store.savedQueues.findByName(user.id, item.queue)
  if (!known && store.savedQueues.count(user.id) + 1 >= MAX_QUEUES) return leftOut('too-many')
  const queueId = known?.id ?? store.savedQueues.add(user.id, item.queue, item.at ?? now())
  if (!known) noteChange(batch, 'kept-queue', { user_id: user.id, other_id: queueId })
  if (store.savedQueues.holds(queueId, found.episodeId)) return present
  if (!store.savedQueues.append(queueId, found.episodeId, now(), MAX_QUEUED)) return leftOut('too-many')
  noteChange(batch, 'kept', { user_id: user.id, episode_id: found.episodeId, other_id: queueId })
  news.queues.set(user.id, store.queue.change(user.id, now()))
  return taken
}

/** Makes a playlist with rules, unless one of that name has rules already. Podcasts that are not here are counted. */
function applySmart(batch: Batch, item: ItemOf<'smart'>): Outcome {
  const { store, now, count } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const name = findFree(batch, user.id, item.list)
  if (name === null) return present
  if (store.playlists.countWithRules(user.id) >= MAX_WITH_RULES) return leftOut('too-many')
  const missing: string[] = []
  const rules = readPortableRules(item.rules, user, {
    podcast(feed) {
      const id = batch.podcastOf(feed) ?? store.podcasts.findByFeed(feed)?.id
      const found = id === undefined ? null : store.podcasts.findShared(user, id)
      if (!found) missing.push(feed)
      return found?.uuid ?? null
    },
    tag: text => requireTag(batch, user.id, { name: text }).uuid,
  })
  if (!rules) return leftOut('unreadable')
  for (const feed of missing) count('playlists', feed, leftOut('podcast-left-out'))
  const list = store.playlists.add(user.id, name, now(), JSON.stringify(rules))
  if (item.about !== null) store.playlists.describe(list.id, item.about)
  noteChange(batch, 'smart', { user_id: user.id, other_id: list.id })
  return taken
}

/** A name for the playlist: playlists of chosen episodes keep theirs. Null = it exists. */
function findFree({ store }: Batch, userId: number, wish: string): string | null {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wish : `${wish} ${number}`
    const known = store.playlists.findByName(userId, name)
    if (known === null) return name
    if (known.rules !== null) return null
  }
}
