import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, startClock, startTestApp, temporaryFolder } from '../../support/app'
import { utf16 } from '../../support/encode'
import { startFeedHost } from '../../support/feed-host'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { dumpOf, moreOf, reportOf } from '../../support/foreign/dump'
import { writeGpodder } from '../../support/foreign/gpodder'
import { writePodfetch } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { moveIn, openWorld } from './world'

async function startMoving(env: Record<string, string> = {}) {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ env, now: startClock() })
  app.prefill(0)
  return {
    host,
    app,
    path: join(temporaryFolder(), 'Database'),
    dump: () => dumpOf(app.folder, host.origin),
    more: () => moreOf(app.folder, host.origin),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('a second run changes nothing, and says that everything is here', async () => {
  for (const write of [
    writeGpodder,
    writeAntennapod,
    (path: string, origin: string) => writePodfetch(path, origin, 'C'),
  ]) {
    await using world = await startMoving()
    await world.app.signUp('alice')
    const path = write(world.path, world.host.origin)
    await moveIn(world.app, path)
    const [before, more, first] = [world.dump(), world.more(), reportOf(world.app.folder)]
    await moveIn(world.app, path)
    expect(world.dump()).toEqual(before)
    expect(world.more()).toEqual(more)
    const taken = first.filter(line => line.includes(' taken'))
    expect(taken.length).toBeGreaterThan(3)
    expect(reportOf(world.app.folder).filter(line => line.includes(' taken'))).toEqual([])
  }
}, 120_000)

test('the newest report wins, whether it was made here or there', async () => {
  await using world = await startMoving()
  const { context } = world.app
  const feed = `${world.host.origin}/alpha.xml`
  const podcast = await context.subscribe(context.admin, feed)
  const known = context.store.episodes.knownOf(podcast.id)
  const report = (guid: string, at: number) => {
    const episode = context.store.episodes.find(known.find(one => one.guid === guid)!.id)!
    context.playback.record(context.admin.id, episode, { position: 5, at })
  }
  report('a1', Date.UTC(2026, 3, 1))
  report('a2', Date.UTC(2026, 0, 20))
  await moveIn(world.app, writeGpodder(world.path, world.host.origin))
  const { positions } = world.dump()
  expect(positions.slice(0, 2)).toEqual([
    'admin | /alpha.xml | a1 | 5 | - | 0 | 1775001600000 | webview',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1772409600000 | import-gpodder',
  ])
})

test('an episode that was made of the source is found again when the feed lists it once more', async () => {
  await using world = await startMoving()
  await moveIn(world.app, writeGpodder(world.path, world.host.origin))
  expect(world.dump().episodes).toContain('/gone.xml | same | One | 0 | 0')
  const item = `<item><title>One</title><guid>same</guid><enclosure url="${world.host.origin}/g1.mp3" type="audio/mpeg"/>
    <pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate></item>`
  world.host.feed('/gone.xml', `<rss version="2.0"><channel><title>Back</title>${item}</channel></rss>`)
  const { store, refresh } = world.app.context
  await refresh.refresh(store.podcasts.findByFeed(`${world.host.origin}/gone.xml`)!.id, { isAsked: true })
  expect(world.dump().episodes).toContain('/gone.xml | same | One | 1 | 0')
  expect(world.dump().positions).toContain('admin | /gone.xml | same | 30 | - | 0 | 1772409600000 | import-gpodder')
})

test('what the log beside a database holds comes as well, and the original is not touched', async () => {
  await using world = await startMoving()
  writeGpodder(world.path, world.host.origin)
  const db = new Database(world.path)
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA wal_autocheckpoint = 0')
  db.run('UPDATE episode SET current_position = 900 WHERE id = 11')
  const [before, log] = [readFileSync(world.path), readFileSync(`${world.path}-wal`)]
  expect(log.length).toBeGreaterThan(0)
  await moveIn(world.app, world.path)
  expect(readFileSync(world.path).equals(before)).toBe(true)
  expect(readFileSync(`${world.path}-wal`).equals(log)).toBe(true)
  db.close()
  expect(world.dump().positions[0]).toStartWith('admin | /alpha.xml | a1 | 900')
})

test('what another program has begun to write and not yet finished does not come', async () => {
  await using world = await startMoving()
  writeGpodder(world.path, world.host.origin)
  const db = new Database(world.path)
  // So little memory that the pages of a change go into the file before its end.
  for (const setting of ['cache_size = 1', 'cache_spill = 1', 'journal_mode = DELETE']) db.run(`PRAGMA ${setting}`)
  db.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
     INSERT INTO episode (podcast_id, url, guid, link)
     SELECT 1, 'https://cdn.example/' || i || '.mp3', i, printf('%.500c', 'x') FROM n`,
  )
  db.run('BEGIN')
  db.run('UPDATE episode SET current_position = 7, is_new = 0')
  await moveIn(world.app, world.path)
  db.run('ROLLBACK')
  db.close()
  expect(world.dump().positions[0]).toStartWith('admin | /alpha.xml | a1 | 600')
})

test('views and triggers of a file stand for nothing, and values of any type do no harm', async () => {
  await using world = await startMoving()
  writeAntennapod(world.path, world.host.origin)
  changeForeign(
    world.path,
    `DROP TABLE Favorites;
     CREATE VIEW Favorites AS SELECT 1 AS id, id AS feeditem FROM FeedItems;
     CREATE TRIGGER t AFTER INSERT ON Feeds BEGIN DELETE FROM FeedItems; END;
     UPDATE Queue SET feeditem = 'four' WHERE id = 0;
     UPDATE FeedMedia SET position = x'00ff', duration = 'long' WHERE feeditem = 1;
     UPDATE FeedMedia SET position = 9e300 WHERE feeditem = 5;
     UPDATE FeedItems SET title = zeroblob(3000000), pubDate = -1 WHERE id = 2`,
  )
  await moveIn(world.app, world.path)
  const { likes, positions, queue } = world.dump()
  expect(likes).toEqual([])
  expect(queue).toEqual(['admin | 0 | /beta.xml | dropped', 'admin | 1 | /alpha.xml | a3'])
  expect(positions).toEqual(['admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1773187200000 | import-antennapod'])
})

test('a virtual table stands for nothing either: its own code would read it', async () => {
  await using world = await startMoving()
  writeAntennapod(world.path, world.host.origin)
  changeForeign(
    world.path,
    'DROP TABLE Favorites; CREATE VIRTUAL TABLE Favorites USING fts5(id, feeditem); INSERT INTO Favorites VALUES (0, 3)',
  )
  await moveIn(world.app, world.path)
  expect(world.dump()).toMatchObject({ likes: [], queue: { length: 3 } })
})

test('files that cannot be read are refused, with the reason, and leave nothing behind', async () => {
  await using world = await startMoving()
  const { context } = world.app
  const start = (path: string, from: string | null = null) =>
    refusal(context.moves.start(context.admin, path, { from }))
  writeGpodder(world.path, world.host.origin)
  const torso = join(temporaryFolder(), 'torso')
  copyFileSync(world.path, torso)
  truncateSync(torso, 6000)
  const text = join(temporaryFolder(), 'text')
  writeFileSync(text, 'hello')
  expect(await start(`${world.path}-nothing`)).toMatchObject({ message: expect.stringContaining('There is no') })
  expect(await start(temporaryFolder())).toMatchObject({ message: expect.stringContaining('is not a file') })
  expect(await start(torso)).toMatchObject({ message: expect.stringMatching(/damaged|cannot be read/) })
  expect(await start(text)).toMatchObject({ message: expect.stringContaining('is not one of') })
  expect(await start(world.path, 'antennapod')).toMatchObject({ message: 'This is not a file of AntennaPod' })
  changeForeign(world.path, 'ALTER TABLE episode RENAME COLUMN url TO address')
  expect(await start(world.path)).toMatchObject({
    message: 'The table episode has no column url: this version is not known.',
  })
  expect(context.store.moves.running()).toEqual([])
  const folder = join(world.app.folder, 'moving')
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
})

test('a list of feeds comes with its folders as tags', async () => {
  await using world = await startMoving()
  const { origin } = world.host
  writeFileSync(
    world.path,
    `<opml version="2.0"><body><outline text="Coast"><outline xmlUrl="${origin}/alpha.xml" text="A"/></outline>
     <outline xmlUrl="${origin}/gone.xml" text="Lost"/><outline xmlUrl="ftp://x.example/f" text="F"/></body></opml>`,
  )
  await moveIn(world.app, world.path)
  const { podcasts, favourites, tags } = world.dump()
  expect(podcasts).toEqual(['/alpha.xml | Alpha | 1 | 0', '/gone.xml | Lost | 1 | 0'])
  expect(favourites).toEqual(['admin | /alpha.xml', 'admin | /gone.xml'])
  expect(tags).toEqual(['admin | Coast | Green | /alpha.xml'])
})

test.each([{}, { isBigEndian: true }, { hasMark: false }])(
  'a list of feeds in UTF-16 is recognised and read: %p',
  async form => {
    await using world = await startMoving()
    const list = `<?xml version="1.0" encoding="utf-16"?>
    <opml version="2.0"><body><outline text="Küste"><outline xmlUrl="${world.host.origin}/alpha.xml" text="A"/></outline></body></opml>`
    writeFileSync(world.path, utf16(list, form))
    await moveIn(world.app, world.path)
    expect(world.dump().tags).toEqual(['admin | Küste | Green | /alpha.xml'])
  },
)

test('a list of feeds with the schemes of apps, or none, comes over http where https cannot be reached', async () => {
  await using world = await startMoving()
  const bare = world.host.origin.replace('http://', '')
  writeFileSync(
    world.path,
    `<opml version="2.0"><body><outline xmlUrl="feed://${bare}/alpha.xml" text="A"/><outline xmlUrl="${bare}/beta.xml" text="B"/>
     <outline xmlUrl="itpc:${world.host.origin}/gone.xml" text="Lost"/><outline xmlUrl="itpc://${bare}/alpha.xml"/></body></opml>`,
  )
  await moveIn(world.app, world.path)
  const { podcasts, favourites } = world.dump()
  expect(podcasts).toEqual(['/alpha.xml | Alpha | 1 | 0', '/beta.xml | Beta | 1 | 0', '/gone.xml | Lost | 1 | 0'])
  expect(favourites).toEqual(['admin | /alpha.xml', 'admin | /beta.xml', 'admin | /gone.xml'])
})

test('a plain account adds what it may: the rest is left out, with the reason', async () => {
  await using world = await startMoving({ USER_PODCAST_LIMIT: '0' })
  const { row } = await world.app.signUp('carol', 'user')
  await moveIn(world.app, writeGpodder(world.path, world.host.origin), row)
  expect(world.dump().podcasts).toEqual([])
  expect(reportOf(world.app.folder)).toContain('podcasts left-out podcast-limit-reached: 3')
})

test('what a move made or changed is noted in order, with what was there before', async () => {
  await using world = await startMoving()
  const { context } = world.app
  const podcast = await context.subscribe(context.admin, `${world.host.origin}/alpha.xml`)
  const a2 = context.store.episodes.knownOf(podcast.id).find(({ guid }) => guid === 'a2')!
  context.playback.record(context.admin.id, context.store.episodes.find(a2.id)!, {
    position: 5,
    at: Date.UTC(2026, 0, 20),
  })
  await moveIn(world.app, writeGpodder(world.path, world.host.origin))
  const [move] = [context.store.moves.find(1)!]
  const changes = context.store.moves.changesSince(move.id, 0, 1000)
  expect(
    Map.groupBy(changes, ({ kind }) => kind)
      .entries()
      .map(([kind, list]) => `${kind} ${list.length}`)
      .toArray(),
  ).toEqual(['podcast 2', 'subscription 3', 'tag 1', 'tagged 1', 'position 7', 'episode 3', 'like 1', 'removed 1'])
  const changed = changes.filter(({ before }) => before !== null)
  expect(changed).toMatchObject([{ kind: 'position', episode_id: a2.id }])
  expect(JSON.parse(changed[0]!.before!)).toMatchObject({ position: 5, device: 'webview' })
})
