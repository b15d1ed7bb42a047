import { t } from 'elysia'
import type { Context } from '../../../context'
import type { FeedQuery } from '../../../library/private-feeds'
import { Flag, readFlag } from '../../core/query'
import type { RequestContext, SignedInRoutes } from '../../core/signed-in'
import { presentCombinedFeed, presentPodcastFeed } from './present'
import { type FeedOut, newestOf, writeFeed } from './write-feed'

type FeedRequest = RequestContext & { request: Request }

const Count = (maximum: number) => t.Optional(t.Integer({ minimum: 1, maximum }))
const query = t.Object({
  limit: Count(10_000),
  top: Count(1000),
  downloaded: Flag,
  block: Flag,
  locked: Flag,
  apiKey: t.Optional(t.String()),
})
type Query = (typeof query)['static']

/**
 * Private feeds, by which any podcast app can play the library: of everything, a podcast, a tag, a playlist, or the
 * favourites. A key in the address serves apps that send no headers.
 */
export function rss(routes: SignedInRoutes, app: Context) {
  for (const start of ['/rss', '/rss/apiKey/:key'] as const)
    routes
      .get(start, context => everything(app, context, context.query), { query })
      .get(`${start}/favorites`, context => favourites(app, context, context.query), { query })
      .get(`${start}/tag/:id`, context => ofTag(app, context, context.params.id, context.query), { query })
      .get(`${start}/playlist/:id`, context => ofPlaylist(app, context, context.params.id, context.query), { query })
      .get(`${start}/:id`, context => ofPodcast(app, context, context.params.id, context.query), { query })
}

const read = ({ limit, top, downloaded }: Query): FeedQuery => ({
  limit,
  top,
  downloadedOnly: readFlag('downloaded', downloaded),
})

/** Whether the feed may be listed, and taken over by another service, as far as its address says. */
const wishesOf = ({ block, locked }: Query) => ({
  block: block === undefined ? null : readFlag('block', block),
  locked: locked === undefined ? null : readFlag('locked', locked),
})

function everything({ privateFeeds }: Context, context: FeedRequest, query: Query): Response {
  const feed = privateFeeds.everything(context.user, read(query))
  return answer(context.request, presentCombinedFeed('Castellan', '', feed, context, wishesOf(query)))
}

function favourites({ privateFeeds }: Context, context: FeedRequest, query: Query): Response {
  const feed = privateFeeds.favourites(context.user, read(query))
  return answer(
    context.request,
    presentCombinedFeed('Castellan: favourites', 'favorites', feed, context, wishesOf(query)),
  )
}

function ofTag({ store, privateFeeds }: Context, context: FeedRequest, id: string, query: Query): Response {
  const tag = store.tags.require(context.user.id, id)
  const feed = privateFeeds.ofTag(context.user, tag, read(query))
  return answer(
    context.request,
    presentCombinedFeed(`Castellan: ${tag.name}`, `tag/${id}`, feed, context, wishesOf(query)),
  )
}

function ofPlaylist({ store, privateFeeds }: Context, context: FeedRequest, id: string, query: Query): Response {
  const playlist = store.playlists.require(context.user.id, id)
  const feed = privateFeeds.ofPlaylist(context.user, playlist, read(query))
  return answer(context.request, presentCombinedFeed(playlist.name, `playlist/${id}`, feed, context, wishesOf(query)))
}

function ofPodcast({ store, privateFeeds }: Context, context: FeedRequest, id: string, query: Query): Response {
  const podcast = store.podcasts.requireFor(context.user, id)
  const episodes = privateFeeds.ofPodcast(context.user, podcast, read(query))
  return answer(context.request, presentPodcastFeed(podcast, episodes, context, wishesOf(query)))
}

/** The feed, or 304 without a body if the app has it already. */
function answer(request: Request, feed: FeedOut): Response {
  const body = writeFeed(feed)
  const etag = `"${new Bun.CryptoHasher('sha1').update(body).digest('hex')}"`
  const newest = newestOf(feed.items)
  const headers = {
    ETag: etag,
    'Last-Modified': new Date(newest).toUTCString(),
    'Cache-Control': 'private, no-cache',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
  }
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { ...headers, 'Content-Type': 'application/rss+xml; charset=utf-8' } })
}
