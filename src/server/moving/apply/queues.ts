import { MAX_QUEUED, MAX_QUEUES } from '../../../shared/api/queue'
import { nameKey } from '../../store/users'
import type { OtherItem } from '../item'
import { leftOut, noteChange, present, taken, type Batch, type Outcome } from './batch'
import { applyQueued } from './lists'
import { findOrMake } from './make-episode'

type Of<Is extends OtherItem['is']> = Extract<OtherItem, { is: Is }>

const keyOf = (name: string | null) => name && nameKey(name)

/** Names an empty main queue and chooses what follows it, unless the person has done so here. */
export function applyQueueChoice(batch: Batch, item: Of<'queue-choice'>): Outcome {
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
 * Appends an episode to the kept queue of that name, which is made if there is none; the one in use may have the name.
 */
export function applyKept(batch: Batch, item: Of<'kept'>): Outcome {
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
