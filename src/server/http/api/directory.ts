import { t } from 'elysia'
import { DirectoryEntry, ItunesSearch, PodindexSearch } from '../../../shared/api/directory'
import { Podcast } from '../../../shared/api/podcast'
import type { Context } from '../../context'
import { invalidField, notFound } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import type { Links } from '../core/links'
import { presentPodcast } from './podcasts.present'
import type { SignedInRoutes } from '../core/signed-in'

/** Searching in directories, and adding what was found there. */
export function directory(routes: SignedInRoutes, { store, directories, subscribe }: Context) {
  /** Whether the library has a feed, as far as this user may know. */
  const known = (user: UserRow, feedUrl: string | null | undefined) => {
    const podcast = feedUrl ? store.podcasts.findByFeed(feedUrl) : null
    const isSeen = podcast !== null && (podcast.explicit === 0 || user.explicit_consent === 1)
    return { subscribed: isSeen, podcastId: isSeen ? podcast.uuid : null }
  }
  const add = async (user: UserRow, links: Links, feedUrl: string | null) => {
    if (!feedUrl) throw notFound('podcast')
    const { uuid } = await subscribe(user, feedUrl)
    return presentPodcast(store.podcasts.findFor(user, uuid)!, links)
  }
  const searchPodindex = async (user: UserRow, term: string) => ({
    status: 'true',
    feeds: (await directories.searchPodindex(term)).map(feed => ({ ...feed, ...known(user, feed.url) })),
  })
  const searchItunes = async (user: UserRow, term: string) => {
    const results = (await directories.searchItunes(term)).map(found => ({ ...found, ...known(user, found.feedUrl) }))
    return { resultCount: results.length, results }
  }

  routes
    .get(
      '/api/v1/podcasts/:id/:term/search',
      ({ user, params }) => {
        const term = decoded(params.term).trim()
        if (term.length < 1 || term.length > 200) throw invalidField('term', '1 to 200 characters')
        if (params.id === '0') return searchItunes(user, term)
        if (params.id === '1') return searchPodindex(user, term)
        throw invalidField('type', '0 or 1')
      },
      { response: t.Union([ItunesSearch, PodindexSearch]) },
    )
    .post(
      '/api/v1/podcasts/itunes',
      async ({ user, links, body }) => add(user, links, await directories.itunesFeed(body.trackId)),
      { body: DirectoryEntry, response: Podcast },
    )
    .post(
      '/api/v1/podcasts/podindex',
      async ({ user, links, body }) => add(user, links, await directories.podindexFeed(body.trackId)),
      { body: DirectoryEntry, response: Podcast },
    )
    .get(
      '/api/v1/discover/trending',
      async ({ user, query }) => {
        const { limit, lang, cat } = query
        const feeds = await directories.trending({ limit, language: lang, category: cat })
        return { status: 'true', feeds: feeds.map(feed => ({ ...feed, ...known(user, feed.url) })) }
      },
      {
        query: t.Object({
          cat: t.Optional(t.String({ maxLength: 200 })),
          lang: t.Optional(t.String({ maxLength: 20 })),
          limit: t.Integer({ minimum: 1, maximum: 100, default: 50 }),
        }),
        response: PodindexSearch,
      },
    )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
