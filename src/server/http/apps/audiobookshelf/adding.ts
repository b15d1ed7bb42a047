import type { Context } from '../../../context'
import { Problem } from '../../../platform/problem'
import type { UserRow } from '../../../store/users'
import { respondInParts } from '../../core/answers'
import { statusOf } from '../../core/problems'
import { createItems, type Items } from './items'
import { type AppCall, AppRefusal, fieldsOf, textOf } from './protocol'
import { presentItunes, presentKnownFeed, presentPodindex, presentPreview } from './shapes/feed'

const MAX_TERM = 200
/** The number of newest episodes shown of a podcast that is previewed although the library has it. */
const MAX_EPISODES = 250

/** Finding podcasts elsewhere, previewing their feeds, and adding them, by the same rules as in the interface. */
export function addingCalls(app: Context): AppCall[] {
  const items = createItems(app)
  return [
    ['GET /api/search/podcast', ({ query }) => search(app, (query.get('term') ?? '').trim().slice(0, MAX_TERM))],
    [
      'POST /api/podcasts/feed',
      async ({ user, body, request }) => ({
        podcast: await look(app, items, user, textOf(fieldsOf(body).rssFeed), request.signal),
      }),
    ],
    [
      'POST /api/podcasts',
      async ({ user, body, request }) => {
        const { metadata } = fieldsOf(fieldsOf(body).media)
        const { uuid } = await ofElsewhere(() => app.subscribe(user, textOf(fieldsOf(metadata).feedUrl)))
        return respondInParts(request, items.expandedParts(user, items.requirePodcast(user, uuid)))
      },
    ],
  ]
}

function search({ config, directories }: Context, term: string) {
  if (term === '') return []
  return ofElsewhere(async () =>
    config.podindex
      ? (await directories.searchPodindex(term)).map(presentPodindex)
      : (await directories.searchItunes(term)).map(presentItunes),
  )
}

async function look(app: Context, items: Items, user: UserRow, address: string, signal: AbortSignal) {
  const seen = await ofElsewhere(() => app.previewFeed(user, address, signal))
  if (seen.kind === 'feed') return presentPreview(seen)
  if (seen.kind === 'known') {
    const row = items.requirePodcast(user, seen.podcastId)
    return presentKnownFeed(row, items.newestPlain(user, row, MAX_EPISODES))
  }
  if (seen.kind === 'choice') throw new AppRefusal(400, 'The page names several feeds. Choose one of them.')
  if (seen.kind === 'sign-in') throw new AppRefusal(400, 'The feed asks for a user name and a password.')
  throw new AppRefusal(400, 'Expected a feed, got an OPML list')
}

/**
 * Does work that depends on another host. Its failures are not reported as 5xx, since apps would think that this server
 * is broken.
 */
async function ofElsewhere<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && statusOf(error.code) >= 500) throw new AppRefusal(404, error.message)
    throw error
  }
}
