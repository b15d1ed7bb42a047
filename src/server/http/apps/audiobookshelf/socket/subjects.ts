import type { Context } from '../../../../context'
import type { UserRow } from '../../../../store/users'
import { presentProgress, type ProgressOut } from '../shapes/progress'
import { presentUser } from '../shapes/user'

/** A user's position in an episode; `none` if there is none any more, `hidden` if the user may not see the episode. */
export function progressOf({ store }: Context, user: UserRow, eid: string): ProgressOut | 'none' | 'hidden' {
  const episode = store.episodes.findVisible(user, eid)
  if (!episode) return 'hidden'
  const row = store.playback.find(user.id, episode.id)
  if (!row || (row.position === 0 && row.finished === 0)) return 'none'
  const { uuid, podcast_uuid, duration } = episode
  return presentProgress({ ...row, episode: uuid, podcast: podcast_uuid, duration, hidden: 0 }, user.uuid)
}

/** A user as apps keep it, with all positions. */
export const userOf = (_app: Context, user: UserRow) => presentUser(user, [])
