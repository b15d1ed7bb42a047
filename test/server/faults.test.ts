import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { truncateSync } from 'node:fs'
import { jobsOf } from '../../src/server/jobs'
import type { Overrides } from '../../src/server/context'
import { refusal, startClock, startTestApp, withPasswords, type TestApp } from '../support/app'
import { rss, silentMp3 } from '../support/builders'
import { startFeedHost } from '../support/feed-host'

const DAY = 86_400_000

/** The connection that the application works on, to make it fail as a disk would. */
function connectionOf(app: TestApp): Database {
  const found: Database[] = []
  const query = Database.prototype.query
  Database.prototype.query = function (this: Database, sql: string) {
    found.push(this)
    return query.call(this, sql)
  } as typeof query
  app.context.store.dataVersion()
  Database.prototype.query = query
  return found[0]!
}

async function plant(overrides: Overrides = {}) {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ env: withPasswords, now, ...overrides })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const bytes = silentMp3(5)
  const enclosure = host.file('/one.mp3', bytes)
  const feed = host.feed('/fog.xml', rss({ title: 'Fog', items: [{ title: 'One', enclosure }] }))
  const podcast = await root.podcasts.add(feed)
  const [item] = (await root.podcasts.episodes(podcast.id, {}, null)).data
  return {
    host,
    now,
    app,
    root,
    podcast,
    bytes,
    eid: item!.podcastEpisode.episode_id,
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('on a full disk writes are refused with the reason, reads continue, and writes work again once there is room', async () => {
  await using world = await plant()
  const { app, root, eid } = world
  const db = connectionOf(app)
  const { pages } = db.query<{ pages: number }, []>('SELECT page_count AS pages FROM pragma_page_count').get()!
  await root.playback.save({ podcastEpisodeId: eid, time: 2 })
  db.run(`PRAGMA max_page_count = ${pages}`)
  const long = { items: [], name: 'x'.repeat(100) }
  let refused: unknown = null
  for (let turn = 0; turn < 2000 && !refused; turn++)
    refused = await refusal(root.playlists.create({ ...long, name: `${long.name}${turn}` }))
  expect(refused).toMatchObject({ status: 507, code: 'disk-full' })
  expect((await root.podcasts.list()).map(({ name }) => name)).toEqual(['Fog'])
  expect(await root.playback.find(eid)).toMatchObject({ position: 2 })
  db.run('PRAGMA max_page_count = 1073741823')
  await root.playlists.create({ name: 'There is room', items: [] })
  expect(app.context.store.health.damage()).toBeNull()
})

test('the log says once that the disk is full, and not again with each request and job that meets it', async () => {
  let free = 1e9
  await using world = await plant({ measureFree: () => free })
  const { app, root } = world
  const { events, room } = app.context
  const job = jobsOf(app.context).find(({ name }) => name === 'record refused sign-ins')!
  const db = connectionOf(app)
  const { pages } = db.query<{ pages: number }, []>('SELECT page_count AS pages FROM pragma_page_count').get()!
  db.run(`PRAGMA max_page_count = ${pages}`)
  for (let at = 0; at < 500; at++)
    events.publish({
      type: 'signInRefused',
      way: 'password',
      reason: 'wrong-password',
      name: `somebody ${at}`,
      address: '203.0.113.7',
      isRepeated: false,
    })
  const errors = () => app.lines.filter(line => line.includes(' error '))
  const add = (at: number) => refusal(root.playlists.create({ items: [], name: 'x'.repeat(100) + at }))
  let last: unknown = null
  for (let at = 0; at < 2000 && !last; at++) last = await add(at)
  // Nobody looked at the disk yet.
  expect(errors()).toEqual([expect.stringContaining('database cannot be used')])
  expect(await refusal(job.run())).toMatchObject({ code: 'SQLITE_FULL' })

  free = 0
  room.check()
  const before = errors()
  expect(before.at(-1)).toContain('The disk of the data folder is full')
  for (let at = 3000; at < 3005; at++) expect(await add(at)).toMatchObject({ status: 507, code: 'disk-full' })
  await job.run()
  expect(errors()).toEqual(before)

  db.run('PRAGMA max_page_count = 1073741823')
  await job.run()
  expect(db.query('SELECT count(*) AS rows FROM audit WHERE reason = ?').get('unknown-name')).toEqual({ rows: 500 })
})

test('on a read-only disk changes are refused with the reason, and work again once it is writable', async () => {
  await using world = await plant()
  const { app, root, eid } = world
  const db = connectionOf(app)
  db.run('PRAGMA query_only = ON')
  expect(await refusal(root.playback.save({ podcastEpisodeId: eid, time: 2 }))).toMatchObject({
    status: 503,
    code: 'storage-failed',
  })
  // Jobs fail as well, and come round again.
  await refusal(Promise.resolve().then(() => app.context.downloads.pump()))
  await refusal(app.refreshDue())
  expect((await root.podcasts.list()).length).toBe(1)
  db.run('PRAGMA query_only = OFF')
  await root.playback.save({ podcastEpisodeId: eid, time: 2 })
  expect(await root.playback.find(eid)).toMatchObject({ position: 2 })
})

test('work planned by a clock that was years ahead is done once the clock is right again, and positions move on', async () => {
  await using world = await plant()
  const { app, host, now, root, eid } = world
  now.advance(3650 * DAY)
  await app.refreshDue()
  await root.playback.save({ podcastEpisodeId: eid, time: 1 })
  now.advance(-3650 * DAY)
  await root.playback.save({ podcastEpisodeId: eid, time: 2 })
  expect(await root.playback.find(eid)).toMatchObject({ position: 2 })
  now.advance(DAY)
  await app.refreshDue()
  const asked = host.requestsTo('/fog.xml').length
  app.context.store.times.pullBack(now(), 9)
  await app.refreshDue()
  expect(host.requestsTo('/fog.xml').length).toBe(asked + 1)
  // A browser says the time of its own clock, which was right all along.
  const timestamp = new Date(now()).toISOString()
  await root.playback.save({ podcastEpisodeId: eid, time: 3, timestamp })
  expect(await root.playback.find(eid)).toMatchObject({ position: 3 })
})

test('while every host is down, each podcast shows that and its next check, and the server keeps answering', async () => {
  await using world = await plant()
  const { app, host, now, root } = world
  const feeds = Array.from({ length: 40 }, (_, index) => host.feed(`/${index}.xml`, rss({ title: `No ${index}` })))
  await root.opml.start({
    content: `<opml version="2.0"><body>${feeds.map(url => `<outline xmlUrl="${url}"/>`).join('')}</body></opml>`,
  })
  await app.event('opmlProgress', event => event.finished)
  host.stop()
  now.advance(2 * DAY)
  const refreshing = app.refreshDue()
  expect((await app.fetch('/healthz')).status).toBe(200)
  await refreshing
  const podcasts = await root.podcasts.list()
  expect(podcasts.length).toBe(41)
  for (const podcast of podcasts) expect(podcast).toMatchObject({ last_error: { errorCode: 'feed-unreachable' } })
  const figures = app.context.store.figures.all(now())
  expect([figures.podcasts_failing, figures.podcasts_overdue]).toEqual([41, 0])
})

test('a file that was cut short on the disk is played from its host, and from the disk where the host is gone', async () => {
  await using world = await plant()
  const { app, host, root, eid, bytes } = world
  await root.episodes.download(eid)
  await app.context.downloads.settled()
  const [file] = app.context.store.health.files()
  truncateSync(app.context.files.folder.pathOf(file!.file_path), 1000)
  const play = async () => {
    const answer = await app.fetch(`/media/${eid}`, { headers: { Authorization: root.authorization! } })
    return [answer.status, (await answer.arrayBuffer()).byteLength]
  }
  expect(await play()).toEqual([200, bytes.byteLength])
  expect(app.lines.join('\n')).toContain('Media file is shorter than recorded')
  host.stop()
  expect(await play()).toEqual([200, 1000])
})
