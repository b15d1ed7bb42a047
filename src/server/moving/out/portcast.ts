import { version } from '../../platform/version'
import type { ExportedBookmark, ExportedEpisode, ExportedItem, ExportedPodcast } from '../../store/exports'
import { writeOwn } from './castellan'
import {
  bookmarksOf,
  episodesOf,
  given,
  instant,
  type Leaving,
  mapPages,
  maySeeRules,
  podcastsOf,
  queueOf,
  writeList,
  writeMembers,
} from './leaving'

/**
 * Writes a PortCast document (draft-trimplayer-portcast-00, schema 0.2.0): the open format for everything of a
 * listener. Facts that it has no member for are below `extensions.castellan`.
 */
export async function* writePortcast(leaving: Leaving): AsyncGenerator<string> {
  const { now, user } = leaving
  const generator = { name: 'Castellan', version }
  yield `{"portcast":"0.2.0","generatedAt":${JSON.stringify(instant(now))},"generator":${JSON.stringify(generator)},\n`
  yield* writeList('subscriptions', subscriptionPages(leaving))
  yield ',\n'
  yield* writeList('queue', queuePages(leaving))
  yield ',\n'
  yield* writeList('bookmarks', mapPages(bookmarksOf(leaving), bookmarkOf))
  const global = { skipForwardSeconds: user.skip_forward, skipBackwardSeconds: user.skip_back }
  yield `,\n"preferences":{"global":${JSON.stringify(global)},`
  yield* writeMembers('perFeed', preferencePages(leaving))
  yield `},\n"completeness":${JSON.stringify(completeness)},\n`
  yield* writeList('episodes', episodePages(leaving))
  yield ',\n"extensions":{"castellan":{'
  yield* writeOwn(leaving)
  yield '}}}\n'
}

/** An episode that is not listed has no state; so its section is not one whose gaps mean a deletion. */
const completeness = [
  ...['subscriptions', 'queue', 'bookmarks', 'preferences'].map(section => ({ section, level: 'full' })),
  { section: 'episodes', level: 'current-state-only' },
].map(entry => ({ ...entry, source: 'Castellan' }))

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function* subscriptionPages(leaving: Leaving) {
  for await (const podcast of podcastsOf(leaving)) yield [subscriptionOf(podcast, leaving.now)]
}

function subscriptionOf(podcast: ExportedPodcast, now: number) {
  const isFavourite = podcast.favoured_at !== null
  return given({
    subscriptionId: podcast.uuid,
    title: podcast.title,
    updatedAt: instant(podcast.favoured_at ?? podcast.added_at),
    feedUrl: podcast.feed_url,
    podcastGuid: uuid.test(podcast.guid ?? '') ? podcast.guid : null,
    author: podcast.author,
    imageUrl: podcast.image_url,
    subscribedAt: instant(podcast.favoured_at),
    // When it stopped being a favourite is not recorded.
    unsubscribedAt: isFavourite ? null : instant(now),
    tags: JSON.parse(podcast.tags) as string[],
  })
}

async function* episodePages(leaving: Leaving) {
  for await (const page of episodesOf(leaving)) yield page.filter(hasOwnState).map(row => episodeOf(row, leaving.now))
}

/** Whether there is anything to say about an episode: about the others, the feed says as much as we could. */
const hasOwnState = (row: ExportedEpisode) =>
  row.played_at !== null ||
  row.liked_at !== null ||
  row.is_named === 1 ||
  row.removed === 1 ||
  row.in_feed === 0 ||
  row.file_path !== null

function episodeOf(row: ExportedEpisode, now: number) {
  const status = row.finished === 1 ? 'completed' : (row.position ?? 0) > 0 ? 'in_progress' : 'unplayed'
  return given({
    episodeStateId: row.uuid,
    subscriptionRef: { feedUrl: row.feed_url },
    status,
    updatedAt: instant(row.played_at ?? row.liked_at ?? now),
    guid: row.feed_guid,
    enclosureUrl: row.enclosure_url,
    title: row.title,
    publishedAt: instant(row.announced_at ?? row.published_at),
    durationSeconds: row.total ?? (row.duration || null),
    positionSeconds: status === 'unplayed' ? null : row.position,
    lastPlayedAt: status === 'unplayed' ? null : instant(row.played_at),
    starred: row.liked_at === null ? null : true,
  })
}

const refOf = ({ feed_guid, enclosure_url }: ExportedItem | ExportedBookmark) =>
  given({ guid: feed_guid, enclosureUrl: enclosure_url })

async function* queuePages(leaving: Leaving) {
  let position = 0
  for await (const page of queueOf(leaving))
    yield page.map(row => ({
      position: ++position,
      episodeRef: refOf(row),
      ...given({ addedAt: instant(row.added_at) }),
    }))
}

const bookmarkOf = (row: ExportedBookmark) =>
  given({
    bookmarkId: row.uuid,
    episodeRef: refOf(row),
    atSeconds: row.time,
    createdAt: instant(row.created_at),
    note: row.note,
  })

async function* preferencePages(leaving: Leaving) {
  const { store, user } = leaving
  for await (const { id, feed_url } of podcastsOf(leaving)) {
    const { speed, skipIntro, skipOutro } = store.podcastSettings.preferencesOf(user.id, id)
    const { auto_download } = store.podcastSettings.of(id)
    const preferences = given({
      playbackRate: speed,
      skipIntroSeconds: skipIntro || null,
      skipOutroSeconds: skipOutro || null,
      autoDownload: auto_download === null || !maySeeRules(leaving) ? null : auto_download === 1,
    })
    if (Object.keys(preferences).length > 0) yield [[feed_url, preferences] as const]
  }
}
