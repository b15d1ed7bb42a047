import { t } from 'elysia'
import { DirectoryChart, DirectoryEntry, GuidFeed, ItunesSearch, PodindexSearch } from '../../../shared/api/directory'
import { Podcast } from '../../../shared/api/podcast'
import type { Context } from '../../context'
import { findKnownFeed } from '../../library/podcasts'
import { invalidField, notFound } from '../../platform/problem'
import type { UserRow } from '../../store/users'
import type { Links } from '../core/links'
import type { SignedInRoutes } from '../core/signed-in'
import { presentPodcast } from './podcasts.present'

const Trending = t.Object({
  cat: t.Optional(t.String({ maxLength: 200 })),
  lang: t.Optional(t.String({ maxLength: 20 })),
  limit: t.Integer({ minimum: 1, maximum: 100, default: 50 }),
})

const MAX_POPULAR = 8
const PopularQuery = t.Object({ country: t.String({ pattern: '^[A-Za-z]{2}$', default: 'us' }) })

/** Searches podcast directories, and adds what they found. */
export function directory(routes: SignedInRoutes, app: Context) {
  const { directories } = app
  routes
    .get('/api/v1/podcasts/:id/:term/search', ({ user, params }) => search(app, user, params.id, params.term), {
      response: t.Union([ItunesSearch, PodindexSearch]),
    })
    .post(
      '/api/v1/podcasts/itunes',
      async ({ user, links, body }) =>
        add(app, user, links, (await directories.itunesPodcast(body.trackId))?.feedUrl ?? null),
      { body: DirectoryEntry, response: Podcast },
    )
    .post(
      '/api/v1/podcasts/podindex',
      async ({ user, links, body }) => add(app, user, links, await directories.podindexFeed(body.trackId)),
      { body: DirectoryEntry, response: Podcast },
    )
    .get(
      '/api/v1/discover/trending',
      async ({ user, query: { limit, lang: language, cat: category } }) => {
        const feeds = await directories.trending({ limit, language, category })
        return { status: 'true', feeds: feeds.map(feed => ({ ...feed, ...known(app, user, feed.url) })) }
      },
      { query: Trending, response: PodindexSearch },
    )
    .get(
      '/api/v1/discover/guid/:guid',
      async ({ params }) => {
        const found = await directories.podindexByGuid(params.guid)
        if (!found) throw notFound('podcast')
        return { feedUrl: found.url, title: found.title }
      },
      { params: t.Object({ guid: t.String({ maxLength: 500 }) }), response: GuidFeed },
    )
    .get(
      '/api/v1/discover/popular',
      async ({ user, query }) => {
        const found = await app.popular(query.country.toLowerCase())
        const allowed = (found ?? []).filter(({ explicit }) => !explicit || user.explicit_consent === 1)
        const podcasts = allowed.slice(0, MAX_POPULAR).map(({ explicit: _, ...podcast }) => ({
          ...podcast,
          podcastId: known(app, user, podcast.feedUrl).podcastId,
        }))
        return { isReachable: found !== null, podcasts }
      },
      { query: PopularQuery, response: DirectoryChart },
    )
}

async function search(app: Context, user: UserRow, directory: string, words: string) {
  const term = words.trim()
  if (term.length < 1 || term.length > 200) throw invalidField('term', '1 to 200 characters')
  if (directory === '0') {
    const found = await app.directories.searchItunes(term)
    const results = found.map(entry => ({ ...entry, ...known(app, user, entry.feedUrl) }))
    return { resultCount: results.length, results }
  }
  if (directory === '1') {
    const feeds = await app.directories.searchPodindex(term)
    return { status: 'true', feeds: feeds.map(feed => ({ ...feed, ...known(app, user, feed.url) })) }
  }
  throw invalidField('type', '0 or 1')
}

/** Whether the library has a feed, as far as this user may know. */
function known({ store }: Context, user: UserRow, feedUrl: string | null | undefined) {
  const podcast = feedUrl ? findKnownFeed(store, user, feedUrl) : null
  return { subscribed: podcast !== null, podcastId: podcast?.uuid ?? null }
}

async function add({ store, subscribe }: Context, user: UserRow, links: Links, feedUrl: string | null) {
  if (!feedUrl) throw notFound('podcast')
  const { uuid } = await subscribe(user, feedUrl)
  return presentPodcast(store.podcasts.findFor(user, uuid)!, links)
}
