import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { EpisodeRef, Item } from '../item'
import { isOnTheWeb, isTrue, seconds, type Source, type SourceFile, text, time } from './source'

/** The Mac app's library; an iPhone's is in its backup under the same name. Times count from 2001. */
export const applePodcasts: Source = {
  name: 'apple-podcasts',
  title: 'Apple Podcasts',
  isFile: true,
  recognise: ({ db }) => db?.hasTables('ZMTPODCAST', 'ZMTEPISODE') ?? false,
  read,
}

async function* read({ db, now }: SourceFile): AsyncGenerator<Item> {
  use(db!)
  yield* readPodcasts(db!)
  yield* readFeeds(db!)
  for (const row of db!.rows(`${episodes} WHERE ${wasPlayed} ${inOrder}`)) {
    const [position, total] = [seconds(row.ZPLAYHEAD) ?? 0, seconds(row.ZDURATION)]
    // Plays on other devices come by iCloud without a date.
    const at = time(row.ZLASTDATEPLAYED, 'cocoa', now) ?? time(row.ZLASTUSERMARKEDASPLAYEDDATE, 'cocoa', now)
    const finished = isTrue(row.finished)
    yield { is: 'position', user: null, episode: refOf(row, now), position, total, finished, at }
  }
  for (const row of db!.rows(`${episodes} WHERE e.ZSAVED = 1 ${inOrder}`))
    yield { is: 'like', user: null, episode: refOf(row, now), at: null }
}

const use = (db: ForeignDatabase) =>
  db.use({
    ZMTPODCAST: { keys: ['Z_PK'], must: ['ZFEEDURL', 'ZTITLE'], may: ['ZUPDATEDFEEDURL', 'ZSUBSCRIBED'] },
    ZMTEPISODE: {
      keys: ['Z_PK', 'ZPODCAST'],
      must: ['ZTITLE', 'ZENCLOSUREURL', 'ZPLAYHEAD'],
      may: `ZGUID ZPUBDATE ZDURATION ZPLAYSTATE ZPLAYSTATESOURCE ZPLAYCOUNT ZHASBEENPLAYED ZLASTDATEPLAYED
        ZLASTUSERMARKEDASPLAYEDDATE ZSAVED ZITEMDESCRIPTION ZWEBPAGEURL`.split(/\s+/),
    },
  })

/**
 * At the end of an episode the app sets its state and position back to 0 and counts a play. A state alone, of source 6,
 * is what following a show gives to its old episodes.
 */
const wasFinished = `(e.ZPLAYCOUNT > 0 OR e.ZHASBEENPLAYED = 1 OR coalesce(e.ZLASTUSERMARKEDASPLAYEDDATE, 0) > 0
  OR (e.ZPLAYSTATE = 2 AND coalesce(e.ZPLAYSTATESOURCE, 0) <> 6))`
const isPlayedAgain = '(e.ZPLAYSTATE = 1 AND e.ZPLAYHEAD > 0)'
const wasPlayed = `(e.ZPLAYHEAD > 0 OR e.ZPLAYCOUNT > 0 OR e.ZHASBEENPLAYED = 1
  OR coalesce(e.ZLASTUSERMARKEDASPLAYEDDATE, 0) > 0)`

const address = `coalesce(nullif(p.ZUPDATEDFEEDURL, ''), p.ZFEEDURL)`
const episodes = `
  SELECT e.*, ${address} AS feed, coalesce(${wasFinished}, 0) AND NOT coalesce(${isPlayedAgain}, 0) AS finished
    FROM ZMTEPISODE e JOIN ZMTPODCAST p ON p.Z_PK = e.ZPODCAST`
const inOrder = 'ORDER BY e.ZPODCAST, e.Z_PK'
const podcasts = `
  SELECT p.*, ${address} AS feed,
         p.Z_PK IN (SELECT e.ZPODCAST FROM ZMTEPISODE e WHERE ${wasPlayed} OR e.ZSAVED = 1) AS used
    FROM ZMTPODCAST p ORDER BY p.Z_PK`

function* readPodcasts(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows(podcasts)) {
    const feed = text(row.feed)
    if (feed === null || !isOnTheWeb(feed) || !(isTrue(row.ZSUBSCRIBED) || isTrue(row.used))) continue
    yield { is: 'podcast', feed, title: text(row.ZTITLE), active: isTrue(row.ZSUBSCRIBED) }
  }
}

/** Paid shows have no address, or one that only Apple's programs can open. */
function* readFeeds(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows(podcasts)) {
    const feed = text(row.feed)
    if (feed === null || !isOnTheWeb(feed)) yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
    else if (isTrue(row.ZSUBSCRIBED)) yield { is: 'subscription', user: null, feed }
    else if (!isTrue(row.used)) yield { is: 'left-out', kind: 'podcasts', reason: 'not-subscribed', feed }
  }
}

const refOf = (row: ForeignRow, now: number): EpisodeRef => ({
  feed: text(row.feed) ?? '',
  guid: text(row.ZGUID),
  address: text(row.ZENCLOSUREURL),
  title: text(row.ZTITLE),
  publishedAt: time(row.ZPUBDATE, 'cocoa', now),
  duration: seconds(row.ZDURATION),
  notes: text(row.ZITEMDESCRIPTION, 20_000),
  link: text(row.ZWEBPAGEURL),
})
