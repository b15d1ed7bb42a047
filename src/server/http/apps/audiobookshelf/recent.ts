import type { Context } from '../../../context'
import type { UserRow } from '../../../store/users'
import { createItems } from './items'
import { requireLibrary } from './libraries'
import { readCount, type AppCall } from './protocol'

const LARGEST_PAGE = 200
/** Nobody scrolls further, and what is beyond would have to be counted off first. */
const MOST_SKIPPED = 10_000

const unfinished = {
  favouritesOnly: false,
  likedOnly: false,
  unplayedOnly: false,
  unfinishedOnly: true,
  undatedLast: true,
}

/** The newest episodes of all podcasts that the user has not finished. */
export function recentCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const { timeline } = app.store

  function newest(user: UserRow, limit: number, page: number) {
    const skipped = limit * page
    if (skipped > MOST_SKIPPED) return []
    return items.withPodcasts(user, timeline.idsFor(user, unfinished, skipped + limit).slice(skipped))
  }

  return [
    [
      'GET /api/libraries/:library/recent-episodes',
      request => {
        requireLibrary(items, request)
        const limit = Math.min(readCount(request.query, 'limit', 50) || LARGEST_PAGE, LARGEST_PAGE)
        const page = readCount(request.query, 'page', 0)
        return { episodes: newest(request.user, limit, page), limit, page }
      },
    ],
  ]
}
