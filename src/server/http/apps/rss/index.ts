import { t } from 'elysia'
import type { Context } from '../../../context'
import type { ParsedFeed } from '../../../feeds/parsed-feed'
import { formatOf } from '../../../feeds/transcripts'
import { notFound } from '../../../platform/problem'
import { writeFeed, type FeedOut, type ItemOut } from '../../../library/private-feed'
import type { DocumentRow } from '../../../store/documents'
import type { EpisodeForUser } from '../../../store/episodes'
import type { PodcastForUser } from '../../../store/podcasts'
import type { UserRow } from '../../../store/users'
import { feedLink, mediaLink, type Links } from '../../core/links'
import { privateMedia } from '../../../sync/private-addresses'
import { Flag, readFlag } from '../../core/query'
import type { SignedInRoutes } from '../../core/signed-in'

/** Directories read no more. */
const MOST_CATEGORIES = 3

type Asked = { user: UserRow; links: Links; request: Request }
type Query = { limit?: number | undefined; top?: number | undefined; downloaded?: string | undefined }

const Count = (maximum: number) => t.Optional(t.Integer({ minimum: 1, maximum }))
const query = t.Object({ limit: Count(10_000), top: Count(1000), downloaded: Flag, apiKey: t.Optional(t.String()) })

/** Private feeds, so that any podcast app can play the library: everything, a podcast, a tag, a playlist, favourites. */
export function rss(routes: SignedInRoutes, app: Context) {
  const { store } = app

  const everything = (asked: Asked, { limit = 500, top, downloaded }: Query) => {
    const filter = { ...noFilter, downloadedOnly: readFlag('downloaded', downloaded) }
    // Of very busy podcasts not all of the newest may be wanted: more is looked at then.
    const found = store.timeline.pageFor(asked.user, filter, top ? 5000 : Math.min(limit, 5000))
    const rows = top ? newestOf(found, top).slice(0, limit) : found
    return answer(asked, combined('Castellan', asked, '', rows))
  }
  const favourites = (asked: Asked, { limit = 500, downloaded }: Query) => {
    const filter = { ...noFilter, favouritesOnly: true, downloadedOnly: readFlag('downloaded', downloaded) }
    const rows = store.timeline.pageFor(asked.user, filter, Math.min(limit, 5000))
    return answer(asked, combined('Castellan: favourites', asked, 'favorites', rows))
  }
  const ofTag = (asked: Asked, id: string, { limit = 500, downloaded }: Query) => {
    const tag = store.tags.findFor(asked.user.id, id)
    if (!tag) throw notFound('tag')
    const filter = { ...noFilter, tagId: tag.id, downloadedOnly: readFlag('downloaded', downloaded) }
    const rows = store.timeline.pageFor(asked.user, filter, Math.min(limit, 5000))
    return answer(asked, combined(`Castellan: ${tag.name}`, asked, `tag/${id}`, rows))
  }
  const ofPlaylist = (asked: Asked, id: string, { limit, downloaded }: Query) => {
    const playlist = store.playlists.findFor(asked.user.id, id)
    if (!playlist) throw notFound('playlist')
    const isDownloadedOnly = readFlag('downloaded', downloaded)
    const rows = store.playlists
      .itemsFor(asked.user, playlist.id)
      .filter(row => !isDownloadedOnly || row.file_path !== null)
      .slice(0, limit)
    return answer(asked, combined(playlist.name, asked, `playlist/${id}`, rows))
  }
  const ofPodcast = (asked: Asked, id: string, { limit = 1000, downloaded }: Query) => {
    const { user, links } = asked
    const podcast = store.podcasts.findFor(user, id)
    if (!podcast) throw notFound('podcast')
    const { categories, owner } = extrasOf(podcast)
    const rows = store.episodes.pageFor(user, podcast.id, { downloaded: readFlag('downloaded', downloaded) }, limit)
    return answer(asked, {
      title: podcast.title,
      link: `${links.base}ui/podcasts/${podcast.uuid}/episodes`,
      self: feedLink(links, podcast.uuid),
      description: podcast.summary ?? '',
      language: podcast.language,
      author: podcast.author,
      serial: podcast.serial === 1,
      categories: categories ?? [],
      owner: owner ?? (podcast.author ? { name: podcast.author, email: null } : null),
      image: artwork(links, `podcasts/${podcast.uuid}`),
      explicit: podcast.explicit === 1,
      guid: podcast.guid,
      items: itemsOf(rows, links).map(({ item }) => item),
    })
  }

  /** Several podcasts in one feed. A guid that two of them use gets its podcast's before it. */
  function combined(title: string, { user, links }: Asked, path: string, rows: readonly EpisodeForUser[]): FeedOut {
    const podcasts = new Map(store.podcasts.listFor(user).map(row => [row.id, row]))
    const seen = new Map<string, number>()
    for (const { guid } of rows) seen.set(guid, (seen.get(guid) ?? 0) + 1)
    return {
      title,
      link: `${links.base}ui/`,
      self: feedLink(links, path).replace(/\/$/, ''),
      description: title,
      language: null,
      author: 'Castellan',
      serial: false,
      categories: topCategories([...new Set(rows.map(row => row.podcast_id))].flatMap(id => podcasts.get(id) ?? [])),
      owner: { name: user.username, email: null },
      image: mediaLink(keyed(links), 'covers/artwork'),
      explicit: rows.some(row => row.explicit === 1),
      guid: null,
      items: itemsOf(rows, links).map(({ row, item: plain }) => {
        const podcast = podcasts.get(row.podcast_id)
        const source = podcast ? { title: podcast.title, url: feedLink(links, podcast.uuid) } : null
        const item = { ...plain, source }
        return seen.get(row.guid)! > 1 ? { ...item, guid: `${podcast?.guid ?? row.podcast_uuid}:${row.guid}` } : item
      }),
    }
  }

  /** Without what can no longer be had: an app would try it again and again. */
  function itemsOf(all: readonly EpisodeForUser[], links: Links) {
    const rows = all.filter(row => row.superseded === 0 || row.file_path !== null)
    const named = rows.filter(row => row.transcripts !== null).map(row => row.id)
    const transcripts = store.documents.transcriptsOf(named)
    return rows.map(row => ({ row, item: itemOf(row, links, transcripts.get(row.id) ?? []) }))
  }

  for (const start of ['/rss', '/rss/apiKey/:key'] as const)
    routes
      .get(start, asked => everything(asked, asked.query), { query })
      .get(`${start}/favorites`, asked => favourites(asked, asked.query), { query })
      .get(`${start}/tag/:id`, asked => ofTag(asked, asked.params.id, asked.query), { query })
      .get(`${start}/playlist/:id`, asked => ofPlaylist(asked, asked.params.id, asked.query), { query })
      .get(`${start}/:id`, asked => ofPodcast(asked, asked.params.id, asked.query), { query })
}

const noFilter = { favouritesOnly: false, likedOnly: false, unplayedOnly: false }

/** Apps read these without a cookie: the key is always in their addresses. */
const keyed = (links: Links): Links => ({ ...links, key: links.feedKey })

const artwork = (links: Links, path: string) => mediaLink(keyed(links), `covers/${path}?size=artwork`)

const extrasOf = ({ extras }: Pick<PodcastForUser, 'extras'>) => JSON.parse(extras) as Partial<ParsedFeed['extras']>

/** What a feed of several podcasts is about. */
function topCategories(podcasts: readonly PodcastForUser[]): string[][] {
  const names = podcasts.flatMap(podcast => (extrasOf(podcast).categories ?? []).flatMap(([name]) => name ?? []))
  return [...new Set(names)].slice(0, MOST_CATEGORIES).map(name => [name])
}

function newestOf(rows: readonly EpisodeForUser[], top: number): EpisodeForUser[] {
  const counts = new Map<number, number>()
  return rows.filter(({ podcast_id }) => {
    const count = (counts.get(podcast_id) ?? 0) + 1
    counts.set(podcast_id, count)
    return count <= top
  })
}

/** Endings by which apps know a transcript. */
const endings = { vtt: 'vtt', srt: 'srt', json: 'json', html: 'txt', text: 'txt' }

function itemOf(row: EpisodeForUser, links: Links, transcripts: readonly DocumentRow[]): ItemOut {
  const type = row.file_type ?? row.enclosure_type ?? 'audio/mpeg'
  return {
    guid: row.guid,
    title: row.title,
    link: `${links.base}ui/podcasts/${row.podcast_uuid}/episodes/${row.uuid}`,
    notes: row.notes,
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
    chapters:
      row.chapters_url !== null || row.has_own_chapters
        ? mediaLink(keyed(links), `media/chapters/${row.eid}.json`)
        : null,
    transcripts: transcripts.flatMap(({ uuid, type, url, language }) => {
      const format = formatOf(type, url)
      if (!format) return []
      const address = mediaLink(keyed(links), `media/transcripts/${uuid}.${endings[format]}`)
      return { url: address, type: format === 'html' ? 'text/plain' : type, language }
    }),
    source: null,
  }
}

/** Asked again with its validator, an unchanged feed is 304 without a body. */
function answer({ request }: Asked, feed: FeedOut): Response {
  const body = writeFeed(feed)
  const etag = `"${new Bun.CryptoHasher('sha1').update(body).digest('hex')}"`
  const newest = feed.items.reduce((latest, item) => Math.max(latest, item.publishedAt), 0)
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
