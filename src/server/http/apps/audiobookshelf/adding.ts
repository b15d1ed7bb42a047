import type { Context } from '../../../context'
import { Problem } from '../../../platform/problem'
import type { UserRow } from '../../../store/users'
import { respondInParts } from '../../core/answers'
import { statusOf } from '../../core/problems'
import { createItems, type Items } from './items'
import { type AppCall, AppRefusal, type AppRequest, done, fieldsOf, forbidden, textOf } from './protocol'
import { presentFeedEpisode, presentItunes, presentKnownFeed, presentPodindex, presentPreview } from './shapes/feed'
import { SECOND } from '../../../platform/clock'
import type { CataloguePodcast } from '../../../store/catalogue'
import type { DownloadRow } from '../../../store/downloads'
import { requireLibrary } from './libraries'
import { presentDownload } from './shapes/episode'

const MAX_TERM = 200
/** The number of newest episodes shown of a podcast that is previewed although the library has it. */
const MAX_PREVIEWED = 250

/** Finding podcasts elsewhere, previewing their feeds, and adding them, by the same rules as in the interface. */
export function addingCalls(app: Context): AppCall[] {
  const items = createItems(app)
  return [
    ['GET /api/search/podcast', ({ query }) => search(app, (query.get('term') ?? '').trim().slice(0, MAX_TERM))],
    [
      'POST /api/podcasts/feed',
      async ({ user, body, request }) => ({
        podcast: await preview(app, items, user, textOf(fieldsOf(body).rssFeed), request.signal),
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

async function preview(app: Context, items: Items, user: UserRow, address: string, signal: AbortSignal) {
  const seen = await ofElsewhere(() => app.previewFeed(user, address, signal))
  if (seen.kind === 'feed') return presentPreview(seen)
  if (seen.kind === 'known') {
    const row = items.requirePodcast(user, seen.podcastId)
    return presentKnownFeed(row, items.newestPlain(user, row, MAX_PREVIEWED))
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

/** An app waits about as long for an answer. */
const CHECK_MS = 20 * SECOND
const MAX_EPISODES = 500
const MAX_NEW = 50
const MAX_SHOWN = 100

/** Checks of feeds and downloads, for those who may ask for them in the interface. */
export function downloadingCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const ofPodcast = (answer: (request: AppRequest, podcast: CataloguePodcast) => unknown) => (request: AppRequest) =>
    answer(request, items.requirePodcast(request.user, request.parts.item!))
  const forUploaders =
    (answer: (request: AppRequest, podcast: CataloguePodcast) => unknown) => (request: AppRequest) => {
      if (request.user.role === 'user') throw forbidden()
      return ofPodcast(answer)(request)
    }

  return [
    [
      'GET /api/podcasts/:item/checknew',
      forUploaders(async ({ user }, podcast) => ({ episodes: await checkFeed(app, items, user, podcast) })),
      'changes',
    ],
    [
      'POST /api/podcasts/:item/download-episodes',
      forUploaders(async ({ user, body }, podcast) => {
        await app.podcastFiles.download(user, wanted(app, user, podcast.id, body))
        return done()
      }),
    ],
    [
      'GET /api/podcasts/:item/clear-queue',
      forUploaders(async (_, { id }) => {
        for (const row of app.store.downloads.unfinishedOf(id))
          if (row.state !== 'running') await app.downloads.cancel(row, false)
        return done()
      }),
      'changes',
    ],
    [
      'GET /api/podcasts/:item/downloads',
      ofPodcast(({ user }, { id }) => ({
        downloads: present(app, items, user, app.store.downloads.unfinishedOf(id).slice(0, MAX_SHOWN)),
      })),
    ],
    [
      'GET /api/libraries/:library/episode-downloads',
      request => {
        requireLibrary(items, request)
        return queueOf(app, items, request.user)
      },
    ],
  ]
}

/** Reads the feed now; the episodes that came, as far as that is done while the app waits. */
async function checkFeed(app: Context, items: Items, user: UserRow, podcast: CataloguePodcast) {
  const since = app.now()
  await Promise.race([app.refresh.refresh(podcast.id, { isAsked: true, isWhole: true }), Bun.sleep(CHECK_MS)])
  return items
    .newestPlain(user, podcast, MAX_NEW)
    .filter(({ addedAt }) => addedAt >= since)
    .map(presentFeedEpisode)
}

/** The rows of the episodes that an app lists as their feed does. */
function wanted(app: Context, user: UserRow, podcastId: number, body: unknown): number[] {
  const given = Array.isArray(body) ? body.slice(0, MAX_EPISODES).map(fieldsOf) : []
  const ids = given.flatMap(
    ({ guid, enclosure }) => idOf(app, podcastId, textOf(guid), textOf(fieldsOf(enclosure).url)) ?? [],
  )
  return app.store.catalogue.episodes(user, [...new Set(ids)], false).map(({ id }) => id)
}

/** The row of an episode by its guid, by our id, which stands for the guid of private feeds, or by its address. */
function idOf({ store: { sync, catalogue } }: Context, podcastId: number, guid: string, url: string): number | null {
  if (guid !== '') {
    const byGuid = sync.findByGuid(podcastId, guid)
    if (byGuid) return byGuid.id
    const byId = catalogue.episodeIds(guid)
    if (byId?.podcast_id === podcastId) return byId.id
  }
  return (url === '' ? null : sync.findByMedia(podcastId, url)[0])?.id ?? null
}

function queueOf(app: Context, items: Items, user: UserRow) {
  const rows = app.store.downloads.list(user, ['running', 'queued', 'waiting'], MAX_SHOWN, null)
  const shown = present(app, items, user, rows)
  const current = shown.find(({ id }) => rows.some(row => row.uuid === id && row.state === 'running'))
  return { queue: shown.filter(download => download !== current), ...(current && { currentDownload: current }) }
}

/** Downloads, without those of episodes that the user may not see. */
function present({ store }: Context, { ids: { libraryId } }: Items, user: UserRow, rows: readonly DownloadRow[]) {
  const { catalogue } = store
  const episodeIds = rows.map(row => row.episode_id)
  const episodes = new Map(catalogue.episodes(user, episodeIds, false).map(episode => [episode.id, episode]))
  const podcastIds = [...new Set(rows.map(row => row.podcast_id))]
  const podcasts = new Map(catalogue.podcasts(user, podcastIds).map(podcast => [podcast.id, podcast]))
  return rows.flatMap(row => {
    const [episode, podcast] = [episodes.get(row.episode_id), podcasts.get(row.podcast_id)]
    return episode && podcast ? [presentDownload({ row, episode, podcast, libraryId })] : []
  })
}
