import type { Context } from '../../../context'
import { respondInParts } from '../../core/answers'
import type { CataloguePodcast } from '../../../store/catalogue'
import type { UserRow } from '../../../store/users'
import { createItems } from './items'
import { type AppCall, AppRefusal, type AppRequest, fieldsOf, forbidden, includes, WrittenJson } from './protocol'
import { createRemembered } from './remembered'
import { presentProgress } from './shapes/session'

const MAX_BATCH = 100
/** The number of newest episodes for each podcast of a batch. */
const EPISODES_OF_BATCH = 50

/** Podcasts and their episodes, by their ids. */
export function itemCalls(app: Context): AppCall[] {
  const items = createItems(app)
  const remembered = createRemembered(app)

  function progressOf(user: UserRow, episode: string) {
    const row = app.store.playback.findProgress(user, episode)
    return row && presentProgress(row, user.uuid)
  }

  function item(asked: AppRequest) {
    const { user, parts, query, request } = asked
    const podcast = items.requirePodcast(user, parts.item!)
    return remembered(asked, () => respondInParts(request, partsOf(user, podcast, query)))
  }

  function partsOf(user: UserRow, podcast: CataloguePodcast, query: URLSearchParams) {
    if (query.get('expanded') !== '1') return items.plainParts(user, podcast)
    const episode = query.get('episode')
    return items.expandedParts(user, podcast, {
      ...(includes(query, 'progress') && episode && { userMediaProgress: progressOf(user, episode) }),
      ...(includes(query, 'rssfeed') && { rssFeed: null }),
      ...(includes(query, 'downloads') && { episodeDownloadsQueued: [], episodesDownloading: [] }),
    })
  }

  async function batch({ user, body }: AppRequest) {
    const given = fieldsOf(body).libraryItemIds
    const uuids = Array.isArray(given) ? given.filter(id => typeof id === 'string') : []
    if (uuids.length === 0) throw new AppRefusal(403, 'Invalid payload')
    const texts: string[] = []
    for (const podcast of items.podcastsAmong(user, uuids.slice(0, MAX_BATCH))) {
      if (texts.length > 0) await new Promise(setImmediate)
      texts.push(JSON.stringify(items.expanded(user, podcast, { limit: EPISODES_OF_BATCH, withNotes: false })))
    }
    return new WrittenJson(`{"libraryItems":[${texts.join(',')}]}`)
  }

  const refuse = () => {
    throw forbidden()
  }

  return [
    ['POST /api/items/batch/get', batch],
    ['GET /api/items/:item', item],
    [
      'GET /api/podcasts/:item/episode/:episode',
      ({ user, parts }) => items.episodeOf(user, parts.item!, parts.episode!),
    ],
    ['PATCH /api/items/:item/media', refuse],
    ['DELETE /api/items/:item', refuse],
    ['GET /api/items/:item/download', refuse],
    ['PATCH /api/podcasts/:item/episode/:episode', refuse],
    ['DELETE /api/podcasts/:item/episode/:episode', refuse],
  ]
}
