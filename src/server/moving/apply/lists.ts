import { MAX_QUEUED } from '../../../shared/api/queue'
import type { OtherItem } from '../item'
import { leftOut, noteChange, present, taken, type Batch, type Outcome } from './batch'
import { findOrMake } from './make-episode'

type Of<Is extends OtherItem['is']> = Extract<OtherItem, { is: Is }>

/** Appends an episode to the queue, unless it is in it or the person has finished it here. */
export function applyQueued(batch: Batch, item: Of<'queued'>): Outcome {
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
export function applyListed(batch: Batch, item: Of<'listed'>): Outcome {
  const { store, now } = batch
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  const { name, known } = findChosen(batch, user.id, item.list)
  const list = known ?? store.playlists.add(user.id, name, now())
  if (!known) noteChange(batch, 'playlist', { user_id: user.id, other_id: list.id })
  if (!store.playlists.append(list.id, found.episodeId, MAX_LISTED)) {
    const isHere = store.playlists.holds(list.id, found.episodeId)
    return isHere ? present : leftOut('too-many')
  }
  noteChange(batch, 'listed', { user_id: user.id, episode_id: found.episodeId, other_id: list.id })
  return taken
}

/** A smart playlist takes no episodes: another one is made, with a number. */
function findChosen({ store }: Batch, userId: number, wish: string) {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wish : `${wish} ${number}`
    const known = store.playlists.findByName(userId, name)
    if (known === null || known.rules === null) return { name, known }
  }
}

const MAX_LISTED = 5000
