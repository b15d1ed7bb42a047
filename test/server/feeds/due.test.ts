import { expect, test } from 'bun:test'
import { rss } from '../../support/builders'
import { startClock, startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { DAY, HOUR } from '../../support/refreshing'

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

test('a podcast whose updates are stopped is not checked', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({})))
  expect(await app.podcasts.setActive(podcast.id, false)).toMatchObject({ active: false, feed_state: 'inactive' })
  expect(await app.podcasts.checks()).toMatchObject([{ id: podcast.id, next_check_at: null }])
  clock.advance(9 * DAY)
  host.requests.length = 0
  await app.refreshDue()
  expect(host.requests).toHaveLength(0)
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
