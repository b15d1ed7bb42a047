import type { Context } from '../../../context'
import { presentPodcast, writePodcasts } from './formats'
import { badRequest, type SyncRequest } from './protocol'

const MAX_FOUND = 100

/** The protocol's directory of podcasts. It searches our own library, so that searches stay private. */
export function directory({ store, sync, now }: Context) {
  const answer = ({ parts, base }: SyncRequest, podcasts: ReturnType<typeof store.sync.podcasts>) => {
    const entries = podcasts.map(row => presentPodcast(row.feed_url, row, base, row.subscribers))
    return writePodcasts(parts.format!, entries, () => entries, now())
  }
  const limitOf = ({ parts }: SyncRequest) => {
    const count = Number(parts.count ?? MAX_FOUND)
    if (count < 1 || count > MAX_FOUND) throw badRequest(`Expected a number from 1 to ${MAX_FOUND}`)
    return count
  }

  return {
    search(request: SyncRequest) {
      const words = (request.query.get('q') ?? '').trim().slice(0, 200).split(/\s+/).filter(Boolean)
      if (words.length === 0) throw badRequest('q is missing')
      const found = store.podcasts.findByTitle(request.user, words, MAX_FOUND)
      const rank = new Map(found.map(({ id }, index) => [id, index]))
      return answer(
        request,
        store.sync
          .podcasts(request.user)
          .filter(({ id }) => rank.has(id))
          .sort((a, b) => rank.get(a.id)! - rank.get(b.id)!),
      )
    },
    /** Podcasts with the most favourites first. */
    toplist: (request: SyncRequest) => answer(request, store.sync.podcasts(request.user).slice(0, limitOf(request))),
    /** Podcasts that other users have and this one does not. */
    suggestions(request: SyncRequest) {
      const find = sync.addresses.finder()
      const own = new Set(store.sync.subscriptions(request.user.id).map(({ url }) => find(url)?.podcastId))
      const others = store.sync.podcasts(request.user).filter(({ id }) => !own.has(id))
      return answer(request, others.slice(0, limitOf(request)))
    },
  }
}

/** Informs clients that the whole service is at one address; they ask again after `update_timeout` seconds, a week. */
export const clientConfig = (base: string) => ({
  mygpo: { baseurl: base },
  'mygpo-feedservice': { baseurl: base },
  update_timeout: 604_800,
})
