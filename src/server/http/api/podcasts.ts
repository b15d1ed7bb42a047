import { t } from 'elysia'
import {
  AvailableFeed,
  FeedCheck,
  FeedLook,
  Filter,
  FilterEdit,
  NewPodcast,
  Podcast,
  PodcastActive,
  PodcastBrief,
  PodcastCategory,
  type PodcastExtras,
  PodcastFavour,
  PodcastName,
  PodcastOrder,
  PodcastRemoval,
  PodcastWithExtras,
  Queued,
} from '../../../shared/api/podcast'
import { PodcastPreview } from '../../../shared/api/directory'
import type { Context } from '../../context'
import type { ParsedFeed } from '../../feeds/parse/parsed-feed'
import { invalidField, Problem } from '../../platform/problem'
import { freeBytes } from '../../storage/folder'
import { isFolderAddress } from '../../store/feeds'
import type { PodcastSearch } from '../../store/podcast-lists'
import type { PodcastRow } from '../../store/podcasts'
import type { UserRow } from '../../store/users'
import { inParts } from '../core/answers'
import { linkPortraits, type Links, mediaLink } from '../core/links'
import { Flag, readFlag } from '../core/query'
import type { SignedInRoutes } from '../core/signed-in'
import { presentLiveItems, presentTrailers } from './episodes.present'
import { presentBriefly, presentCheck, presentPodcast } from './podcasts.present'

/** The podcasts of the library. */
export function podcasts(routes: SignedInRoutes, app: Context) {
  podcastLists(routes, app)
  favourites(routes, app)
  addingAndChecking(routes, app)
  findingByEpisode(routes, app)
  singlePodcasts(routes, app)
}

const SearchQuery = t.Object({
  title: t.Optional(t.String({ maxLength: 200 })),
  favoredOnly: Flag,
  tag: t.Optional(t.String({ maxLength: 100 })),
  order: t.Optional(t.Union([t.Literal('ASC'), t.Literal('DESC')])),
  orderOption: t.Optional(PodcastOrder),
})

function podcastLists(routes: SignedInRoutes, { store }: Context) {
  routes
    .get('/api/v1/podcasts', ({ user, links }) => listPodcasts(store, user, links), { response: t.Array(Podcast) })
    .get('/api/v1/podcasts/brief', ({ user, links }) => listBriefly(store, user, links), {
      response: t.Array(PodcastBrief),
    })
    .get('/api/v1/podcasts/checks', ({ user }) => store.podcasts.checksFor(user).map(presentCheck), {
      response: t.Array(FeedCheck),
    })
    .get(
      '/api/v1/podcasts/categories',
      ({ user }) =>
        store.catalogue
          .categories(user)
          .map(({ name, podcasts }) => ({ name, podcastIds: JSON.parse(podcasts) as string[] })),
      { response: t.Array(PodcastCategory) },
    )
    .get(
      '/api/v1/podcasts/search',
      ({ user, links, query }) => listPodcasts(store, user, links, readSearch(store, user, query)),
      {
        query: SearchQuery,
        response: t.Array(Podcast),
      },
    )
    .get('/api/v1/podcasts/filter', ({ user }) => presentFilter(store, user), { response: Filter })
    .put(
      '/api/v1/podcasts/filter',
      ({ user, body }) => {
        store.podcasts.setFilter(user.id, body)
        return presentFilter(store, user)
      },
      { body: FilterEdit, response: Filter },
    )
}

const readSearch = (store: Context['store'], user: UserRow, query: (typeof SearchQuery)['static']): PodcastSearch => ({
  title: query.title,
  favouritesOnly: readFlag('favoredOnly', query.favoredOnly),
  tagId: query.tag ? store.tags.require(user.id, query.tag).id : undefined,
  order: query.order ?? 'ASC',
  by: query.orderOption ?? 'TITLE',
})

/** Lists podcasts. They are read in parts, and other requests are answered in between. */
async function listPodcasts(store: Context['store'], user: UserRow, links: Links, search?: PodcastSearch) {
  const parts: Podcast[][] = []
  await inParts(store.podcasts.orderFor(user, search), ids => {
    parts.push(store.podcasts.listed(user, ids).map(row => presentPodcast(row, links)))
  })
  return parts.flat()
}

/** Lists the whole library for grids, read in parts as well. */
async function listBriefly(store: Context['store'], user: UserRow, links: Links) {
  const parts: PodcastBrief[][] = []
  await inParts(store.podcasts.orderFor(user), ids => {
    parts.push(store.podcasts.listedBriefly(user, ids).map(row => presentBriefly(row, links)))
  })
  return parts.flat()
}

/** The extras of a podcast; a feed that was not read yet has none. */
function presentExtras(store: Context['store'], { id, uuid, extras }: PodcastRow, links: Links): PodcastExtras {
  const all = JSON.parse(extras) as Partial<ParsedFeed['extras']>
  // Categories are for apps, the address of an owner is for directories.
  const { trailers, live, persons = [], categories: _categories, owner: _owner, ...found } = all
  const addresses = trailers?.map(({ url }) => url) ?? []
  return {
    funding: [],
    podroll: [],
    ...found,
    persons: linkPortraits(persons, `podcasts/${uuid}`, links),
    ...presentTrailers(trailers, store.episodes.eidsByAddress(id, addresses)),
    ...presentLiveItems(live, uuid, links),
  }
}

/** The filter that a user saved, or the one for users who never did. */
function presentFilter(store: Context['store'], user: UserRow): Filter {
  const saved = store.podcasts.findFilter(user.id)
  return {
    user_id: user.uuid,
    ...(saved ?? { title: null, ascending: true, filter: 'PUBLISHEDDATE', only_favored: false }),
  }
}

function favourites(routes: SignedInRoutes, { store, favourites }: Context) {
  routes
    .get('/api/v1/podcasts/favored', ({ user, links }) => listPodcasts(store, user, links, { favouritesOnly: true }), {
      response: t.Array(Podcast),
    })
    .put(
      '/api/v1/podcasts/favored',
      ({ user, body, set }) => {
        favourites.favour(user.id, store.podcasts.require(user, body.id).id, body.favored)
        set.status = 204
      },
      { body: PodcastFavour },
    )
}

function addingAndChecking(routes: SignedInRoutes, { store, subscribe, refresh, sync }: Context) {
  routes
    .post(
      '/api/v1/podcasts/feed',
      async ({ user, links, body }) => {
        const { rssFeedUrl, even_unplayable: evenUnplayable = false, first_downloads: firstDownloads, userAgent } = body
        if (firstDownloads !== undefined && user.role === 'user')
          throw new Problem('not-uploader', 'Only an admin or an uploader may choose what is downloaded')
        const added = await subscribe(user, rssFeedUrl, { evenUnplayable, firstDownloads, userAgent })
        return presentPodcast(store.podcasts.requireFor(user, added.uuid), links)
      },
      { body: NewPodcast, response: Podcast },
    )
    .post(
      '/api/v1/podcasts/all',
      ({ set }) => {
        const ids = store.podcasts.allIds()
        for (const id of ids) void refresh.refresh(id, { isAsked: true })
        set.status = 202
        return { queued: ids.length }
      },
      { role: 'uploader', response: { 202: Queued } },
    )
    .get('/api/v1/podcasts/available/gpodder', ({ user, links }) => sync.subscriptions.missing(user, links.base), {
      response: t.Array(AvailableFeed),
    })
}

const findingByEpisode = (routes: SignedInRoutes, { store }: Context) =>
  routes.get(
    '/api/v1/podcasts/reverse/episode/:id',
    ({ user, links, params }) => presentPodcast(store.podcasts.requireOfEpisodeFor(user, params.id), links),
    { response: Podcast },
  )

function singlePodcasts(routes: SignedInRoutes, app: Context) {
  const { podcasts } = app.store
  routes
    .get(
      '/api/v1/podcasts/:id',
      ({ user, links, params }) => {
        const row = podcasts.requireFor(user, params.id)
        return { ...presentPodcast(row, links), ...presentCheck(row), extras: presentExtras(app.store, row, links) }
      },
      { response: PodcastWithExtras },
    )
    .delete(
      '/api/v1/podcasts/:id',
      async ({ user, params, body, set }) => {
        await app.removePodcast(podcasts.require(user, params.id), body?.delete_files ?? false)
        set.status = 204
      },
      { role: 'uploader', body: PodcastRemoval },
    )
    .post(
      '/api/v1/podcasts/:id/refresh',
      ({ user, params, set }) => {
        void app.refresh.refresh(podcasts.require(user, params.id).id, { isAsked: true, isWhole: true })
        set.status = 202
        return { queued: 1 }
      },
      { role: 'uploader', response: { 202: Queued } },
    )
    .put(
      '/api/v1/podcasts/:id/active',
      ({ user, links, params, body }) => {
        const { id, active, feed_url } = podcasts.require(user, params.id)
        if (isFolderAddress(feed_url)) throw invalidField('active', 'false: the podcast has no feed')
        podcasts.setActive(id, body?.active ?? active === 0, app.now())
        return presentPodcast(podcasts.requireFor(user, params.id), links)
      },
      { role: 'uploader', body: PodcastActive, response: Podcast },
    )
    .put(
      '/api/v1/podcasts/:id/name',
      ({ user, links, params, body }) => {
        app.renamePodcast(podcasts.require(user, params.id).id, body.name)
        return presentPodcast(podcasts.requireFor(user, params.id), links)
      },
      { role: 'uploader', body: PodcastName, response: Podcast },
    )
}

/** Shows what is at an address before it is added. */
export const podcastPreview = (routes: SignedInRoutes, app: Context) =>
  routes.post(
    '/api/v1/podcasts/preview',
    async ({ user, links, body, request }): Promise<PodcastPreview> => {
      const seen = await app.previewFeed(user, body.rssFeedUrl, request.signal, body.userAgent)
      if (seen.kind !== 'feed') return seen
      const { newest } = seen
      return {
        ...seen,
        newest: newest && { ...newest, local_url: mediaLink(links, `media/preview/${newest.local_url}`) },
        downloads: await downloadsFor(app, user),
      }
    },
    { body: FeedLook, response: PodcastPreview },
  )

/** The downloads that follow an addition; null for plain users, for whom the settings decide. */
async function downloadsFor({ store, config }: Context, { role }: UserRow) {
  if (role === 'user') return null
  const { autoDownload, podcastPrefill } = store.settings.current()
  return {
    usual: autoDownload ? podcastPrefill : 0,
    follows: autoDownload,
    // The folder of the media is made for the first download.
    freeBytes: await freeBytes(config.podcastFolder).catch(() => freeBytes(config.dataFolder)),
  }
}
