import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import { type EpisodeRef, type Item, MoveRefused } from '../item'
import { isOnTheWeb, isTrue, seconds, type Source, type SourceFile, text, time } from './source'

/** Before this version its tables were joined by addresses and guids. */
const OLDEST = 12

/** KDE's program, which stores no time with a position. */
export const kasts: Source = {
  name: 'kasts',
  title: 'Kasts',
  isFile: true,
  recognise: ({ db }) => db?.hasTables('Feeds', 'Entries', 'Enclosures') ?? false,
  read,
}

async function* read({ db, now }: SourceFile): AsyncGenerator<Item> {
  if (db!.userVersion() < OLDEST)
    throw new MoveRefused('move-version', 'An older Kasts made this file. Open it once with a newer Kasts.')
  use(db!)
  yield* readPodcasts(db!)
  yield* readSubscriptions(db!)
  for (const row of db!.rows(`${entries} WHERE e.read = 1 OR c.playposition > 0 OR e.playposition > 0 ${inOrder}`)) {
    const [position, total] = [seconds(row.position, 'ms') ?? 0, seconds(row.duration)]
    yield {
      is: 'position',
      user: null,
      episode: refOf(row, now),
      position,
      total,
      finished: isTrue(row.read),
      at: null,
    }
  }
  for (const row of db!.rows(`${entries} WHERE e.favorite = 1 ${inOrder}`))
    yield { is: 'like', user: null, episode: refOf(row, now), at: null }
  for (const row of db!.rows(`${entries} JOIN Queue q ON q.entryuid = e.entryuid ORDER BY q.listnr, e.entryuid`))
    yield { is: 'queued', user: null, episode: refOf(row, now) }
  yield* readFiles(db!, now)
}

/** Its files have the beginning of a checksum in their names, after a title without some of its characters. */
function* readFiles(db: ForeignDatabase, now: number): Generator<Item> {
  const isHere = `c.downloaded = ${db.userVersion() < 14 ? 3 : 4}`
  for (const row of db.rows(`${entries} WHERE ${isHere} ${inOrder}`)) {
    const address = text(row.address)
    if (address !== null)
      yield { is: 'file', episode: refOf(row, now), path: pathOf(address, row), size: null, at: null }
  }
}

function pathOf(address: string, { dirname }: ForeignRow): string {
  const sum = new Bun.CryptoHasher('md5').update(address).digest('hex').slice(0, 6)
  const [extension = ''] = /\.[^./]+$/.exec(URL.parse(address)?.pathname ?? '') ?? []
  const folder = text(dirname)
  return `${folder === null ? '' : `${folder}/`}*.${sum}${extension}`
}

const use = (db: ForeignDatabase) =>
  db.use({
    Feeds: { keys: ['feeduid'], must: ['url'], may: ['name', 'dirname'] },
    Entries: {
      keys: ['entryuid', 'feeduid'],
      must: ['id', 'title', 'read'],
      may: ['content', 'created', 'link', 'favorite', 'playposition'],
    },
    Enclosures: { keys: ['entryuid'], must: ['url'], may: ['duration', 'type', 'playposition', 'downloaded'] },
    Queue: { keys: ['entryuid'], must: ['listnr'] },
  })

/** Older versions kept the position with the entry. */
const entries = `
  SELECT f.url AS feed, e.id, e.title, e.content, e.created, e.link, e.read, c.url AS address, c.duration, c.type, f.dirname,
         max(coalesce(c.playposition, 0), coalesce(e.playposition, 0)) AS position
    FROM Entries e JOIN Feeds f ON f.feeduid = e.feeduid LEFT JOIN Enclosures c ON c.entryuid = e.entryuid`
const inOrder = 'ORDER BY e.feeduid, e.entryuid, c.url'

function* readPodcasts(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows('SELECT * FROM Feeds ORDER BY feeduid')) {
    const feed = text(row.url)
    if (feed !== null && isOnTheWeb(feed)) yield { is: 'podcast', feed, title: text(row.name), active: true }
  }
}

function* readSubscriptions(db: ForeignDatabase): Generator<Item> {
  for (const row of db.rows('SELECT * FROM Feeds ORDER BY feeduid')) {
    const feed = text(row.url)
    if (feed !== null && isOnTheWeb(feed)) yield { is: 'subscription', user: null, feed }
    else yield { is: 'left-out', kind: 'podcasts', reason: 'not-on-the-web', feed }
  }
}

const refOf = (row: ForeignRow, now: number): EpisodeRef => ({
  feed: text(row.feed) ?? '',
  guid: text(row.id),
  address: text(row.address),
  title: text(row.title),
  publishedAt: time(row.created, 's', now),
  duration: seconds(row.duration),
  notes: text(row.content, 20_000),
  link: text(row.link),
  type: text(row.type),
})
