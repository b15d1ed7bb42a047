import { MAX_QUEUED, MAX_QUEUES } from '../../../shared/api/queue'
import { MAX_WITH_RULES } from '../../library/playlists'
import { nameKey } from '../../store/users'
import type { ItemOf } from '../item'
import { readPortableRules } from '../portable-rules'
import { type Batch, findOrMake, leftOut, noteChange, type Outcome, present, taken } from './batch'
import { requireTag } from './podcasts'

/** Appends an episode to the queue, unless it is in it or the person has finished it here. */
export function applyQueued(batch: Batch, item: ItemOf<'queued'>): Outcome {
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
export function applyListed(batch: Batch, item: ItemOf<'listed'>): Outcome {
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
export function applyQueueChoice(batch: Batch, item: ItemOf<'queue-choice'>): Outcome {
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
export function applyKept(batch: Batch, item: ItemOf<'kept'>): Outcome {
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
export function applySmart(batch: Batch, item: ItemOf<'smart'>): Outcome {
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
