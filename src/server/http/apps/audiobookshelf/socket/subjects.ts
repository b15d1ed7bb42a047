import type { Context } from '../../../../context'
import type { UserRow } from '../../../../store/users'
import { presentProgress, type ProgressOut } from '../shapes/progress'

/** A user's position in an episode; `none` if there is none any more, `hidden` if the user may not see the episode. */
export function progressOf({ store }: Context, user: UserRow, eid: string): ProgressOut | 'none' | 'hidden' {
  const episode = store.episodes.findVisible(user, eid)
  if (!episode) return 'hidden'
  const row = store.playback.findProgress(user, episode.uuid)
  return row ? presentProgress(row, user.uuid) : 'none'
}
