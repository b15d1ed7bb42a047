import { t } from 'elysia'
import type { Context } from '../../../context'
import {
  type CombinedFeed,
  extrasOf,
  type FeedEpisode,
  type FeedQuery,
  languageOf,
} from '../../../library/private-feeds'
import { Flag, readFlag } from '../../core/query'
import type { RequestContext, SignedInRoutes } from '../../core/signed-in'
import {
  type FeedOut,
  type FormOut,
  type ItemOut,
  type LiveItemOut,
  newestOf,
  type TrailerOut,
  writeFeed,
} from './write-feed'
import type { DocumentRow } from '../../../store/documents'
import type { PodcastForUser } from '../../../store/podcasts'
import { captionsOf, formatIn, type TranscriptFormat } from '../../../texts/select'
import { privateMedia } from '../../../sync/addresses'
import { feedLink, linkPortraits, type Links, mediaLink, withoutUserInfo } from '../../core/links'
import type { ParsedForm, ParsedLiveItem } from '../../../feeds/parse/parsed-feed'
import type { EpisodeForUser } from '../../../store/episodes'
import { extrasOfEpisode } from '../../../feeds/parse/forms'
import { formLink, linksOf, liveStreams } from '../../api/episodes.present'

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

const readQuery = ({ limit, top, downloaded }: Query): FeedQuery => ({
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
  const feed = privateFeeds.everything(context.user, readQuery(query))
  return answer(context.request, presentCombinedFeed('Castellan', '', feed, context, wishesOf(query)))
}

function favourites({ privateFeeds }: Context, context: FeedRequest, query: Query): Response {
  const feed = privateFeeds.favourites(context.user, readQuery(query))
  return answer(
    context.request,
    presentCombinedFeed('Castellan: favourites', 'favorites', feed, context, wishesOf(query)),
  )
}

function ofTag({ store, privateFeeds }: Context, context: FeedRequest, id: string, query: Query): Response {
  const tag = store.tags.require(context.user.id, id)
  const feed = privateFeeds.ofTag(context.user, tag, readQuery(query))
  return answer(
    context.request,
    presentCombinedFeed(`Castellan: ${tag.name}`, `tag/${id}`, feed, context, wishesOf(query)),
  )
}

function ofPlaylist({ store, privateFeeds }: Context, context: FeedRequest, id: string, query: Query): Response {
  const playlist = store.playlists.require(context.user.id, id)
  const feed = privateFeeds.ofPlaylist(context.user, playlist, readQuery(query))
  return answer(context.request, presentCombinedFeed(playlist.name, `playlist/${id}`, feed, context, wishesOf(query)))
}

function ofPodcast({ store, privateFeeds }: Context, context: FeedRequest, id: string, query: Query): Response {
  const podcast = store.podcasts.requireFor(context.user, id)
  const episodes = privateFeeds.ofPodcast(context.user, podcast, readQuery(query))
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

/** Options in the address of a feed, for those who want it listed or taken over; null = as a private feed is. */
type Wishes = { block: boolean | null; locked: boolean | null }

/** Nobody is allowed to list a private feed, whatever the publisher allows, unless the owner of its address wants that. */
const wished = ({ block, locked }: Wishes, isLocked = true) => ({
  isBlocked: block ?? true,
  isLocked: locked ?? isLocked,
})

/** Directories want a language: the reader's, if the publisher names none that exists. */
const languageFor = ({ language }: RequestContext['user'], published: string | null) =>
  languageOf(published) ?? language ?? 'en'

/** The feed of one podcast. */
function presentPodcastFeed(
  podcast: PodcastForUser,
  episodes: readonly FeedEpisode[],
  { user, links }: RequestContext,
  wishes: Wishes,
): FeedOut {
  const { categories, owner, live = [], trailers: _, ...extras } = extrasOf(podcast)
  return {
    title: podcast.title,
    link: `${links.base}ui/podcasts/${podcast.uuid}/episodes`,
    self: feedLink(links, podcast.uuid),
    description: podcast.summary ?? '',
    language: languageFor(user, podcast.language),
    ...wished(wishes, extras.locked?.locked),
    author: podcast.author,
    serial: podcast.serial === 1,
    categories: categories ?? [],
    owner: owner ?? (podcast.author ? { name: podcast.author, email: null } : null),
    image: artwork(links, `podcasts/${podcast.uuid}`),
    explicit: podcast.explicit === 1,
    guid: podcast.guid,
    medium: podcast.medium,
    extras: { ...extras, persons: linkPortraits(extras.persons ?? [], `podcasts/${podcast.uuid}`, keyed(links)) },
    trailers: episodes.filter(({ row }) => row.aside === 1).map(({ row }) => presentTrailer(row, links)),
    live: live.map(item => presentLiveItem(item, podcast.uuid, keyed(links))),
    items: episodes.map(episode => presentItem(episode, links)),
  }
}

/** The feed of episodes of several podcasts; each item names its podcast as its source. */
const presentCombinedFeed = (
  title: string,
  path: string,
  { episodes, categories, language, isExplicit }: CombinedFeed,
  { user, links }: RequestContext,
  wishes: Wishes,
): FeedOut => ({
  title,
  link: `${links.base}ui/`,
  self: feedLink(links, path).replace(/\/$/, ''),
  description: title,
  language: languageFor(user, language),
  ...wished(wishes),
  author: 'Castellan',
  serial: false,
  categories,
  owner: { name: user.username, email: null },
  image: mediaLink(keyed(links), 'covers/artwork'),
  explicit: isExplicit,
  guid: null,
  medium: null,
  extras: {},
  items: episodes.map(episode => ({
    ...presentItem(episode, links),
    source: episode.podcast ? { title: episode.podcast.title, url: feedLink(links, episode.podcast.uuid) } : null,
  })),
})

function presentItem({ row, guid, transcripts }: FeedEpisode, links: Links): ItemOut {
  const type = row.file_type ?? row.enclosure_type ?? 'audio/mpeg'
  const { forms = [], persons = [], ...extras } = extrasOfEpisode(row) ?? {}
  const captions = captionsOf(row)
  const hasChapters = row.chapters_url !== null || Boolean(row.has_own_chapters)
  return {
    guid,
    title: row.title,
    link: `${links.base}ui/podcasts/${row.podcast_uuid}/episodes/${row.uuid}`,
    notes: row.notes,
    author: row.author,
    publishedAt: row.published_at,
    enclosure: {
      url: privateMedia(links.base, links.feedKey, row.eid, type),
      length: row.file_size ?? row.enclosure_size ?? 0,
      type,
    },
    duration: row.duration,
    image: row.image_url ? artwork(links, `episodes/${row.uuid}`) : null,
    explicit: row.explicit === 1,
    season: row.season,
    number: row.number,
    type: row.type,
    extras: { ...extras, persons: linkPortraits(persons, `episodes/${row.uuid}`, keyed(links)) },
    chapters: hasChapters ? mediaLink(keyed(links), `media/chapters/${row.eid}.json`) : null,
    transcripts: transcripts.flatMap(
      transcript => presentTranscript(transcript, captions.has(transcript.url), links) ?? [],
    ),
    forms: presentForms(row, forms, keyed(links)),
    source: null,
  }
}

/** The file extension and the type by which apps recognise each format. */
const formats: Record<TranscriptFormat, readonly [extension: string, type: string]> = {
  vtt: ['vtt', 'text/vtt'],
  srt: ['srt', 'application/x-subrip'],
  json: ['json', 'application/json'],
  ttml: ['ttml', 'application/ttml+xml'],
  lrc: ['lrc', 'text/plain'],
  html: ['txt', 'text/plain'],
  text: ['txt', 'text/plain'],
}

/** A transcript in a feed, by its content where that is known; null for a format that apps cannot read. */
function presentTranscript(row: DocumentRow, isCaptions: boolean, links: Links) {
  const format = formatIn(row)
  if (!format) return null
  const [extension, type] = formats[format]
  const address = mediaLink(keyed(links), `media/transcripts/${row.uuid}.${extension}`)
  const isAsNamed = row.format === null && format !== 'html'
  return { url: address, type: isAsNamed ? row.type : type, language: row.language, isCaptions }
}

/** Links that always carry the key: apps send no cookie. */
const keyed = (links: Links): Links => ({ ...links, key: links.feedKey })

const artwork = (links: Links, path: string) => mediaLink(keyed(links), `covers/${path}?size=artwork`)

/** The other forms of an episode, by addresses on this server that carry a key. */
const presentForms = (row: EpisodeForUser, forms: readonly ParsedForm[], links: Links): FormOut[] =>
  forms.map(form => ({ ...formFacts(form), source: formLink(row.eid, form, links) }))

const formFacts = ({ id: _, sources: __, ...form }: ParsedForm) => form

/** A trailer as an element of the channel: it is an item, too. */
function presentTrailer(row: EpisodeForUser, links: Links): TrailerOut {
  const type = row.file_type ?? row.enclosure_type ?? 'audio/mpeg'
  return {
    url: privateMedia(links.base, links.feedKey, row.eid, type),
    title: row.title,
    publishedAt: row.published_at,
    type,
    length: row.file_size ?? row.enclosure_size ?? 0,
    season: row.season,
  }
}

/** A live item; streams that this server doesn't relay keep their address. */
function presentLiveItem(item: ParsedLiveItem, podcastId: string, links: Links): LiveItemOut {
  const { guid, title, status, start, end, enclosure, forms = [] } = item
  const relayed = new Set(liveStreams(item).map(({ form }) => form))
  const address = (form: string) => mediaLink(links, `media/live/${podcastId}/${item.id}?form=${form}`)
  return {
    guid,
    title,
    status,
    start,
    ...(end && { end }),
    enclosure: enclosure
      ? { url: relayed.has('main') ? address('main') : withoutUserInfo(enclosure.url), type: enclosure.type }
      : null,
    forms: forms.map(form => ({
      ...formFacts(form),
      source: relayed.has(form.id) ? address(form.id) : withoutUserInfo(form.sources[0]!.url),
    })),
    contentLinks: linksOf(item.contentLinks ?? []),
    link: item.url ? withoutUserInfo(item.url) : null,
    chat: item.chat ?? [],
  }
}
