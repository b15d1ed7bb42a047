import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { EpisodeRef, Item } from '../item'
import { isOnTheWeb, isTrue, number, seconds, type Source, type SourceFile, text, time } from './source'

const PREFERENCES = 'com.bambuna.podcastaddict_preferences.xml'
const MAX_PREFERENCES = 50_000

/** The backup of the Android app, a zip file, or the database in it. */
export const podcastAddict: Source = {
  name: 'podcast-addict',
  title: 'Podcast Addict',
  isFile: true,
  recognise: ({ db }) =>
    (db?.hasColumn('podcasts', 'feed_url') ?? false) && db!.hasColumn('episodes', 'position_to_resume'),
  read,
}

async function* read({ db, now, readBeside }: SourceFile): AsyncGenerator<Item> {
  use(db!)
  const preferences = parsePreferences((await readBeside(PREFERENCES)) ?? '')
  yield* readPodcasts(db!)
  yield* readFeeds(db!, preferences)
  for (const row of db!.rows(`${episodes} AND (e.seen_status = 1 OR e.position_to_resume > 0) ${inOrder}`)) {
    const [position, total] = [seconds(row.position_to_resume, 'ms') ?? 0, seconds(row.duration_ms, 'ms')]
    const [finished, at] = [number(row.seen_status) === 1, time(row.playbackDate, 'ms', now)]
    yield { is: 'position', user: null, episode: refOf(row, now), position, total, finished, at }
  }
  for (const row of db!.rows(`${episodes} AND e.favorite = 1 ${inOrder}`))
    yield { is: 'like', user: null, episode: refOf(row, now), at: null }
}

const use = (db: ForeignDatabase) =>
  db.use({
    podcasts: { keys: ['_id'], must: ['feed_url', 'name'], may: ['custom_name', 'subscribed_status'] },
    episodes: {
      keys: ['_id', 'podcast_id'],
      must: ['name', 'download_url', 'position_to_resume', 'seen_status'],
      may: 'guid url content publication_date duration_ms favorite playbackDate'.split(' '),
    },
  })

/** Negative ids are files that were opened by hand. */
const podcasts = `
  SELECT p.*, p._id IN (SELECT podcast_id FROM episodes
           WHERE position_to_resume > 0 OR favorite = 1 OR (seen_status = 1 AND playbackDate > 0)) AS used
    FROM podcasts p WHERE p._id > 0 ORDER BY p._id`
const episodes = `SELECT e.*, p.feed_url AS feed FROM episodes e JOIN podcasts p ON p._id = e.podcast_id WHERE p._id > 0`
const inOrder = 'ORDER BY e.podcast_id, e._id'

type Feed = { row: ForeignRow; feed: string | null; isWeb: boolean; isSubscribed: boolean }

function* listFeeds(db: ForeignDatabase): Generator<Feed> {
  for (const row of db.rows(podcasts)) {
    const feed = text(row.feed_url)
    const isSubscribed = row.subscribed_status === null || (number(row.subscribed_status) ?? 0) > 0
    yield { row, feed, isWeb: feed !== null && isOnTheWeb(feed) && !isYoutube(feed), isSubscribed }
  }
}

const isYoutube = (feed: string) => /^(?:www\.|m\.)?youtube\.com$/.test(URL.parse(feed)?.hostname ?? '')

function* readPodcasts(db: ForeignDatabase): Generator<Item> {
  for (const { row, feed, isWeb, isSubscribed } of listFeeds(db)) {
    if (!isWeb || !(isSubscribed || isTrue(row.used))) continue
    yield { is: 'podcast', feed: feed!, title: text(row.name), ownTitle: text(row.custom_name), active: isSubscribed }
  }
}

function* readFeeds(db: ForeignDatabase, preferences: Map<string, string>): Generator<Item> {
  for (const { row, feed, isWeb, isSubscribed } of listFeeds(db)) {
    if (!isWeb || !(isSubscribed || isTrue(row.used))) {
      yield { is: 'left-out', kind: 'podcasts', reason: isWeb ? 'not-subscribed' : 'not-on-the-web', feed }
      continue
    }
    if (isSubscribed) yield { is: 'subscription', user: null, feed: feed! }
    const of = (name: string) => preferences.get(`pref_${name}_${String(row._id)}`)
    const given = of('speedPlaybackOn') === 'true' ? number(of('speedAdjustment')) : null
    const speed = given !== null && given > 0 ? given : null
    const [skipIntro, skipOutro] = [seconds(of('podcastOffset')) ?? 0, seconds(of('podcastOutroOffset')) ?? 0]
    if (speed !== null || skipIntro > 0 || skipOutro > 0)
      yield { is: 'preference', user: null, feed: feed!, speed, volume: null, skipIntro, skipOutro }
  }
}

/** Reads Android's preferences: `<float name="…" value="…" />`, and `<string name="…">…</string>`. */
export function parsePreferences(xml: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const element of xml.split('<', MAX_PREFERENCES)) {
    const [, name, value] = /^[a-z]{1,10} name="(pref_\w{1,100})"(?: value="([^"<>]{0,100})")?/.exec(element) ?? []
    if (name) found.set(name, value ?? element.slice(element.indexOf('>') + 1, element.indexOf('>') + 101))
  }
  return found
}

const refOf = (row: ForeignRow, now: number): EpisodeRef => ({
  feed: text(row.feed) ?? '',
  guid: text(row.guid),
  address: text(row.download_url),
  title: text(row.name),
  publishedAt: time(row.publication_date, 'ms', now),
  duration: seconds(row.duration_ms, 'ms'),
  notes: text(row.content, 20_000),
  link: text(row.url),
})
