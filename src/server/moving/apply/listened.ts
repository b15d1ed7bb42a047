import { playbackRates } from '../../../shared/playback-rates'
import { HOUR, SECOND } from '../../platform/clock'
import type { OtherItem } from '../item'
import { leftOut, noteChange, present, taken, type Batch, type Outcome } from './batch'
import { findOrMake } from './make-episode'

/** Seconds that fit into an hour at the fastest rate. */
const MAX_SECONDS = (HOUR / SECOND) * Math.max(...playbackRates)

/**
 * Applies what somebody listened to within an hour: the statistics hold it or what they know of that hour, whichever is
 * more. So the same hour of another file of the same server, or of a phone that reported to both servers, is not
 * counted twice.
 */
export function applyListened(batch: Batch, item: Extract<OtherItem, { is: 'listened' }>): Outcome {
  const { store } = batch
  const seconds = Math.min(Math.floor(item.seconds), MAX_SECONDS)
  if (!(seconds > 0)) return leftOut('nothing-played')
  const user = batch.userOf(item.user)
  if (!user) return leftOut('no-account')
  const found = findOrMake(batch, item.episode)
  if ('reason' in found) return leftOut(found.reason)
  const { podcastId, episodeId } = found
  if (store.episodes.find(episodeId)!.explicit && !user.explicit_consent) return leftOut('hidden')
  const hour = Math.floor(item.at / HOUR)
  const before = store.listened.secondsOf(user.id, hour, episodeId)
  if (!store.listened.raise(user.id, hour, episodeId, podcastId, seconds)) return present
  noteChange(batch, 'listened', {
    user_id: user.id,
    episode_id: episodeId,
    other_id: hour,
    before: before === null ? null : JSON.stringify({ seconds: before }),
  })
  return taken
}
