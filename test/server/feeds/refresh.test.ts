import { expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../support/builders'
import { refusal, startClock, startTestApp, type TestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const rowOf = (app: TestApp, id: string) => app.context.store.podcasts.findVisible(app.context.admin, id)!
const refresh = (app: TestApp, id: string) => app.context.refresh.refresh(rowOf(app, id).id, { isAsked: true })

test('an unchanged feed is asked for with its validators and sends no body', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))

  expect(await refresh(app, podcast.id)).toEqual({ result: 'unchanged' })

  const [, second] = host.requestsTo('/feed.xml')
  expect(second!.headers.get('if-none-match')).toBeTruthy()
  expect(second!.status).toBe(304)
  expect(second!.headers.get('user-agent')).toMatch(/^Castellan\//)
  expect(await app.event('refreshedPodcast')).toMatchObject({ result: 'unchanged' })
})

test('a host without validators is told by the body that nothing changed', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.on('/feed.xml', () => new Response(rss({ items: [{}] }))))
  expect(await refresh(app, podcast.id)).toEqual({ result: 'unchanged' })
})

test('new episodes arrive, edited ones change, vanished ones stay', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const before = {
    guid: 'b',
    title: 'Fog',
    enclosure: 'https://cdn.example/b.mp3',
    date: 'Wed, 01 Apr 2026 10:00:00 GMT',
  }
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [before, { guid: 'a' }] })))
  const edited = { ...before, title: 'Edited' }
  host.feed('/feed.xml', rss({ items: [{ guid: 'c', title: 'New', enclosure: 'https://cdn.example/c.mp3' }, edited] }))

  expect(await refresh(app, podcast.id)).toEqual({
    result: 'updated',
    added: 1,
    updated: 1,
    explicit: { added: 0, updated: 0 },
  })

  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  expect(data.map(({ podcastEpisode }) => podcastEpisode.guid).toSorted()).toEqual(['a', 'b', 'c'])
  expect(await app.event('addedEpisodes')).toMatchObject({ total: 1 })
  expect(await app.podcasts.find(podcast.id)).toMatchObject({ episode_count: 3, unlistened_count: 3 })
})

test('an episode dated into the future or not at all is not pinned to the top', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const items = [
    { guid: 'future', date: 'Mon, 01 Jan 2099 00:00:00 GMT' },
    { guid: 'undated', date: null },
    { guid: 'also undated', date: 'soon' },
  ]
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  expect(data.map(({ podcastEpisode: { guid, date_of_recording } }) => [guid, date_of_recording])).toEqual([
    ['future', '2026-05-01T12:00:00.000Z'],
    ['undated', '2026-05-01T11:59:59.999Z'],
    ['also undated', '2026-05-01T11:59:59.998Z'],
  ])
})

test('new episodes are downloaded automatically, the back catalogue is not', async () => {
  using host = startFeedHost()
  const clock = startClock(Date.UTC(2026, 4, 1))
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const enclosure = (name: string) => host.file(`/${name}.mp3`, silentMp3(5))
  await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ guid: 'first', enclosure: enclosure('first') }] })))
  clock.advance(2 * DAY)
  const items = [
    { guid: 'new', enclosure: enclosure('new'), date: new Date(clock() - HOUR).toUTCString() },
    { guid: 'first', enclosure: enclosure('first') },
    { guid: 'old', enclosure: enclosure('old'), date: 'Mon, 01 Jan 2024 00:00:00 GMT' },
  ]
  host.feed('/feed.xml', rss({ items }))
  await app.refreshDue()
  await app.event('downloadFinished')
  const { data } = await app.timeline.page({}, null)
  expect(data.data.filter(item => item.podcast_episode.status).map(item => item.podcast_episode.guid)).toEqual(['new'])
})

test('twenty episodes between two checks are twenty downloads', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  await app.podcasts.add(host.feed('/feed.xml', rss({})))
  clock.advance(2 * DAY)
  await app.downloads.pauseAll()
  const items = Array.from({ length: 20 }, (_, index) => ({
    guid: `n${index}`,
    date: new Date(clock() - index * 60_000).toUTCString(),
  }))
  host.feed('/feed.xml', rss({ items }))
  await app.refreshDue()
  expect((await app.downloads.page(null)).data.counts.queued).toBe(20)
})

test('a podcast that failed says why and when it is tried next, and recovers', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  host.on('/feed.xml', () => new Response('', { status: 500 }))
  clock.advance(2 * DAY)
  await app.refreshDue()

  const failing = await app.podcasts.find(podcast.id)
  expect(failing).toMatchObject({
    feed_state: 'failing',
    last_error: { errorCode: 'feed-unreachable', since: new Date(clock()).toISOString() },
  })
  expect(Date.parse(failing.next_check_at!) - clock()).toBeWithin(0.9 * HOUR, 1.1 * HOUR + 1)

  clock.advance(2 * HOUR)
  await app.refreshDue()
  expect(Date.parse((await app.podcasts.find(podcast.id)).next_check_at!) - clock()).toBeWithin(
    1.8 * HOUR,
    2.2 * HOUR + 1,
  )

  host.feed('/feed.xml', rss({ items: [{}, { guid: 'more' }] }))
  clock.advance(3 * HOUR)
  await app.refreshDue()
  expect(await app.podcasts.find(podcast.id)).toMatchObject({ feed_state: 'ok', last_error: null, episode_count: 2 })
})

test('a feed whose episodes come at odd intervals is checked in half of the mean gap', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const at = (ms: number) => new Date(clock() - DAY + ms).toUTCString()
  const items = [at(0), at(5 * HOUR + 1000), at(11 * HOUR + 2000), at(12 * HOUR + 1000)].map((date, index) => ({
    guid: String(index),
    date,
  }))
  const podcast = await app.podcasts.add(host.feed('/odd.xml', rss({ items })))
  expect(await app.podcasts.find(podcast.id)).toMatchObject({ feed_state: 'ok', last_error: null })
  const { next_check_at } = await app.podcasts.find(podcast.id)
  expect(Date.parse(next_check_at!) - clock()).toBeWithin(1.8 * HOUR, 2.2 * HOUR + 1)
})

test('Retry-After is obeyed, and a 429 spares the whole host', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock, env: { MAX_PARALLEL_REFRESHES: '1' } })
  app.prefill(0)
  const one = await app.podcasts.add(host.feed('/one.xml', rss({ title: 'One' })))
  await app.podcasts.add(host.feed('/two.xml', rss({ title: 'Two' })))
  clock.advance(2 * DAY)
  for (const path of ['/one.xml', '/two.xml'])
    host.on(path, () => new Response('', { status: 429, headers: { 'Retry-After': '18000' } }))
  host.requests.length = 0
  await app.refreshDue()
  expect(host.requests).toHaveLength(1)
  expect(Date.parse((await app.podcasts.find(one.id)).next_check_at!) - clock()).toBeWithin(4.5 * HOUR, 5.5 * HOUR + 1)
  clock.advance(HOUR)
  await app.refreshDue()
  expect(host.requests).toHaveLength(1)
})

test('410 ends the checks and keeps the episodes; activating asks again', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  host.on('/feed.xml', () => new Response('', { status: 410 }))
  clock.advance(2 * DAY)
  await app.refreshDue()
  expect(await app.podcasts.find(podcast.id)).toMatchObject({
    feed_state: 'gone',
    next_check_at: null,
    episode_count: 1,
  })

  host.requests.length = 0
  clock.advance(30 * DAY)
  await app.refreshDue()
  expect(host.requests).toHaveLength(0)

  host.feed('/feed.xml', rss({ items: [{}] }))
  await app.podcasts.setActive(podcast.id, true)
  await app.refreshDue()
  expect(await app.podcasts.find(podcast.id)).toMatchObject({ feed_state: 'ok' })
})

test('a feed moves by permanent redirects, not by temporary ones', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/old.xml', rss({ items: [{}] })))
  const home = host.feed('/new.xml', rss({ items: [{}], extra: '<!-- moved -->' }))
  host.on('/hop.xml', () => Response.redirect(home, 302))
  host.on('/old.xml', () => Response.redirect(`${host.origin}/hop.xml`, 301))
  await refresh(app, podcast.id)
  expect((await app.podcasts.find(podcast.id)).rssfeed).toBe(`${host.origin}/old.xml`)

  host.feed('/new.xml', rss({ items: [{}], extra: '<!-- moved again -->' }))
  host.on('/hop.xml', () => new Response(null, { status: 308, headers: { Location: home } }))
  await refresh(app, podcast.id)
  expect((await app.podcasts.find(podcast.id)).rssfeed).toBe(home)
  expect(await refusal(app.podcasts.add(`${host.origin}/old.xml`))).toMatchObject({ code: 'podcast-already-added' })
})

test('a feed moves by its own word once the new address proves to be the same; its own address costs no request', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const here = (address: string) => `<itunes:new-feed-url>${address}</itunes:new-feed-url>`
  const old = `${host.origin}/old.xml`
  host.feed('/old.xml', rss({ items: [{}], extra: here(old) }))
  const podcast = await app.podcasts.add(old)
  expect(host.requestsTo('/old.xml')).toHaveLength(1)

  host.feed(
    '/other.xml',
    rss({ title: 'Another podcast', items: [{ guid: 'x', title: 'X', enclosure: 'https://x.example/x.mp3' }] }),
  )
  host.feed('/old.xml', rss({ items: [{}], extra: here(`${host.origin}/other.xml`) }))
  await refresh(app, podcast.id)
  expect((await app.podcasts.find(podcast.id)).rssfeed).toBe(old)

  const home = host.feed('/new.xml', rss({ items: [{}, { guid: 'more' }], extra: here(`${host.origin}/new.xml`) }))
  host.feed('/old.xml', rss({ items: [{}], extra: here(home) }))
  await refresh(app, podcast.id)
  expect(await app.podcasts.find(podcast.id)).toMatchObject({ rssfeed: home, episode_count: 2 })
})

test('one hanging feed delays none of fifty', async () => {
  using host = startFeedHost()
  const clock = startClock()
  const limits = { maxBytes: 1e6, headersMs: 60_000, idleMs: 60_000, totalMs: 60_000 }
  await using app = await startTestApp({ now: clock, feedLimits: limits })
  app.prefill(0)
  for (let index = 0; index < 50; index++)
    await app.podcasts.add(host.feed(`/${index}.xml`, rss({ title: `P${index}`, items: [{}] })))
  const hanging = Promise.withResolvers<Response>()
  host.on('/7.xml', () => hanging.promise)
  host.on('/8.xml', () => new Response('', { status: 500 }))
  host.feed('/9.xml', 'no feed any more')
  clock.advance(2 * DAY)
  host.requests.length = 0

  const round = app.refreshDue()
  const checked = () => app.context.store.podcasts.due(clock(), true, 100).length
  while (checked() > 1) await Bun.sleep(5)
  expect(checked()).toBe(1)

  hanging.resolve(new Response('', { status: 503 }))
  await round
  const podcasts = await app.podcasts.list()
  expect(podcasts.filter(podcast => podcast.feed_state === 'failing').map(podcast => podcast.name)).toEqual([
    'P7',
    'P8',
    'P9',
  ])
  expect(host.requests.filter(request => request.status === 304)).toHaveLength(47)
})

test('a second check of the same podcast joins the first', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  host.requests.length = 0
  await Promise.all([refresh(app, podcast.id), refresh(app, podcast.id), refresh(app, podcast.id)])
  expect(host.requests).toHaveLength(1)
})

test('a podcast with its own name keeps it through refreshes', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({})))
  await app.podcasts.rename(podcast.id, 'Ours')
  host.feed('/feed.xml', rss({ title: 'Theirs', items: [{}] }))
  await refresh(app, podcast.id)
  expect(await app.podcasts.find(podcast.id)).toMatchObject({ name: 'Ours', episode_count: 1 })
})

test('a podcast whose updates are stopped is not checked', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({})))
  expect(await app.podcasts.setActive(podcast.id, false)).toMatchObject({
    active: false,
    feed_state: 'inactive',
    next_check_at: null,
  })
  clock.advance(9 * DAY)
  host.requests.length = 0
  await app.refreshDue()
  expect(host.requests).toHaveLength(0)
})

test('a first reading interrupted by a crash is completed at the next start, prefill included', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(2)
  await app.downloads.pauseAll()
  const url = host.feed('/feed.xml', rss({ items: [{}, {}, {}] }))
  // The state left by a process that was killed right after it wrote the podcast's own row.
  app.context.store.podcasts.add({
    title: 'Cut',
    folder: 'Cut',
    feedUrl: url,
    privacy: 1,
    userId: app.context.admin.id,
    now: 0,
  })
  await app.refreshDue()
  expect((await app.podcasts.list())[0]).toMatchObject({ name: 'Lighthouse Radio', episode_count: 3 })
  expect((await app.downloads.page(null)).data.counts.queued).toBe(2)
})

test('a person who asks during a check is told the result, even if nothing changed', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const scheduled = app.context.refresh.refresh(1)
  const asked = app.context.refresh.refresh(1, { isAsked: true })
  await Promise.all([scheduled, asked])
  expect(app.events.filter(event => event.type === 'refreshedPodcast')).toMatchObject([{ result: 'unchanged' }])
})

test('stopping in the middle of a check is no failure of the feed', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const asked = Promise.withResolvers<void>()
  host.on('/feed.xml', () => {
    asked.resolve()
    return Promise.withResolvers<Response>().promise
  })
  void app.context.refresh.refresh(1)
  await asked.promise
  await app.context.refresh.stop()
  expect(app.context.store.podcasts.find(1)).toMatchObject({ failures: 0, error_code: null })
})

test('a check that comes due while a podcast is being added joins it, and no page is lost', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  host.on('/older.xml', async () => {
    reached.resolve()
    await gate.promise
    return new Response(rss({ items: [{ guid: 'old', title: 'Old', enclosure: 'https://cdn.example/old.mp3' }] }))
  })
  const next = `<atom:link rel="next" href="${host.origin}/older.xml"/>`
  const adding = app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}], extra: next })))
  await reached.promise
  await app.refreshDue()
  gate.resolve()
  expect(await adding).toMatchObject({ episode_count: 2 })
})

test('a password stays behind when a feed moves to another origin', async () => {
  using host = startFeedHost()
  using other = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const url = host.feed('/feed.xml', rss({ items: [{}] }))
  await app.podcasts.add(url.replace('http://', 'http://u:p@'))
  const home = other.feed('/feed.xml', rss({ items: [{}, { guid: 'more' }] }))
  host.on('/feed.xml', () => Response.redirect(home, 301))
  await app.context.refresh.refresh(1)
  await app.context.refresh.refresh(1)
  expect(app.context.store.podcasts.find(1)).toMatchObject({ feed_url: home, has_credentials: 0 })
  expect(other.requests.map(request => request.headers.get('authorization'))).toEqual([null, null])
})

test('a feed may move back to where it was', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const [a, b] = ['/a.xml', '/b.xml'].map(path => `${host.origin}${path}`)
  host.feed('/a.xml', rss({ items: [{}] }))
  await app.podcasts.add(a!)
  host.on('/a.xml', () => Response.redirect(b!, 301))
  host.feed('/b.xml', rss({ items: [{}], extra: '<!-- b -->' }))
  await app.context.refresh.refresh(1)
  expect(app.context.store.podcasts.find(1)!.feed_url).toBe(b!)
  host.feed('/a.xml', rss({ items: [{}], extra: '<!-- a again -->' }))
  host.on('/b.xml', () => Response.redirect(a!, 301))
  await app.context.refresh.refresh(1)
  expect(app.context.store.podcasts.find(1)!.feed_url).toBe(a!)
})

test('a host that answered 429 is asked again when a person wants it', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  host.on('/feed.xml', () => new Response('', { status: 429, headers: { 'Retry-After': '18000' } }))
  await app.context.refresh.refresh(1)
  host.requests.length = 0
  await app.context.refresh.refresh(1)
  expect(host.requests).toHaveLength(0)
  await app.context.refresh.refresh(1, { isAsked: true })
  expect(host.requests).toHaveLength(1)
})
