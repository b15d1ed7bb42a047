import { expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/server/platform/clock'
import type { News } from '../../../../src/server/notify/news'
import { startClock, startTestApp, temporaryFolder } from '../../../support/app'
import { deliver, episodesOf, startNews, webhookAt, wishes } from '../../../support/destinations'
import { createSubscription } from '../../../support/push-subscription'
import { startReceiver } from '../../../support/receiver'

const signedIn = (device: string): News => ({
  types: ['signedInElsewhere'],
  facts: { at: 0, device, address: '192.0.2.1' },
})

const failing = (...titles: string[]): News => ({
  types: ['feedFailing'],
  facts: {
    feedCount: titles.length,
    feeds: titles.map(title => ({ podcastId: title, title, since: 0, reason: 'It is away' })),
  },
})

test('news of one type that comes together is one message, with every podcast counted', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  const { record } = app.context.destinations
  record(rootId, episodesOf('Lighthouse', 'Fog', 'Tea'))
  record(rootId, episodesOf('Harbour', 'Crane'))
  await news.pass(5 * SECOND)
  record(rootId, episodesOf('Lighthouse', 'Rum'))
  expect(receiver.received).toEqual([])
  await news.pass(5 * SECOND)
  const [message, ...others] = receiver.jsonTo('/hook')
  expect(others).toEqual([])
  expect(message).toMatchObject({
    title: '4 new episodes',
    text: 'Lighthouse (3)\nHarbour',
    url: 'http://localhost/ui/timeline',
    data: { episodeCount: 4, podcastCount: 2, podcasts: [{ episodeCount: 3 }, { episodeCount: 1 }] },
  })
  expect(message!.data.episodes.map(({ title }: { title: string }) => title)).toEqual(['Rum', 'Crane', 'Fog', 'Tea'])
})

test('a message names at most twenty episodes and counts all of them', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  for (let index = 0; index < 30; index++)
    app.context.destinations.record(rootId, episodesOf('Lighthouse', `a${index}`, `b${index}`))
  await news.pass(10 * SECOND)
  const [{ data, text } = { data: null, text: '' }] = receiver.jsonTo('/hook')
  expect([data.episodeCount, data.episodes.length]).toEqual([60, 20])
  expect(text).toBe('60 new episodes\na29\nb29\na28\nb28\na27\nand 55 more')
})

test('a destination gets a message a minute at most, but for what is urgent', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  const { record } = app.context.destinations
  record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  record(rootId, episodesOf('Lighthouse', 'Tea'))
  record(rootId, signedIn('Phone'))
  record(rootId, signedIn('Desk'))
  await news.pass(30 * SECOND)
  expect(receiver.jsonTo('/hook').map(({ type, text }) => `${type} ${text}`)).toEqual([
    'newEpisodes New episode: Fog',
    'signedInElsewhere Phone, 192.0.2.1. If this was not you, change your password.',
    'signedInElsewhere Desk, 192.0.2.1. If this was not you, change your password.',
  ])
  await news.pass(30 * SECOND)
  expect(receiver.jsonTo('/hook').at(-1)).toMatchObject({ type: 'newEpisodes', text: 'New episode: Tea' })
})

test('a message that was not taken is sent again with growing pauses for a day, with the same key and body', async () => {
  await using news = await startNews()
  const { root, rootId, app, clock, receiver } = news
  const { id } = await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  receiver.answer('/hook', () => new Response('', { status: 503 }))
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  const startedAt = clock() + 10 * SECOND
  const times: number[] = []
  for (let step = 0; step < (26 * HOUR) / (10 * SECOND); step++) {
    const before = receiver.received.length
    await news.pass(10 * SECOND)
    if (receiver.received.length > before) times.push((clock() - startedAt) / SECOND)
  }
  const pauses = times.slice(1).map((at, index) => at - times[index]!)
  expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 10800, 10800, 10800, 10800, 10800, 10800])
  expect(times.at(-1)! * SECOND).toBeLessThanOrEqual(DAY)
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
  expect(new Set(receiver.received.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  const [shown] = await root.destinations.list()
  expect(shown).toMatchObject({ id, lastFailure: 'refused', lastStatus: 503, lastSuccessAt: null, waiting: 0 })
})

test('news that comes while a message is tried again is another message', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  receiver.answer('/hook', () => new Response('', { status: 500 }))
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Tea'))
  receiver.answer('/hook', () => new Response('', { status: 204 }))
  await news.pass(30 * SECOND)
  const texts = receiver.jsonTo('/hook').map(({ text }) => text)
  expect(texts.toSorted()).toEqual(['New episode: Fog', 'New episode: Fog', 'New episode: Tea'])
  const [shown] = await root.destinations.list()
  expect(shown).toMatchObject({ waiting: 0, nextAt: null })
  expect(shown!.lastSuccessAt! > shown!.lastFailureAt!).toBe(true)
})

test('the pause that a receiver asks for is kept, up to three hours', async () => {
  await using news = await startNews()
  const { root, rootId, app, clock, receiver } = news
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  const busy = (seconds: string) => () => new Response('', { status: 429, headers: { 'Retry-After': seconds } })
  receiver.answer('/hook', busy('600'))
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  const [waiting] = await root.destinations.list()
  expect(Date.parse(waiting!.nextAt!) - clock()).toBe(600 * SECOND)
  await news.pass(599 * SECOND)
  expect(receiver.received).toHaveLength(1)
  receiver.answer('/hook', busy('9999999'))
  await news.pass(SECOND)
  expect(receiver.received).toHaveLength(2)
  await news.pass(3 * HOUR + MINUTE)
  expect(receiver.received).toHaveLength(3)
})

test('a destination that hangs delays no other, and gets one message at a time', async () => {
  await using news = await startNews()
  const { root, rootId, app, clock, receiver } = news
  receiver.hang('/slow')
  await root.destinations.create(webhookAt(`${receiver.origin}/slow`))
  for (const path of ['a', 'b']) await root.destinations.create(webhookAt(`${receiver.origin}/${path}`))
  const { record, pump } = app.context.destinations
  record(rootId, signedIn('Phone'))
  record(rootId, signedIn('Desk'))
  pump()
  await Promise.all([receiver.count('/slow', 1), receiver.count('/a', 2), receiver.count('/b', 2)])
  clock.advance(SECOND)
  record(rootId, signedIn('Tablet'))
  pump()
  await Promise.all([receiver.count('/a', 3), receiver.count('/b', 3)])
  expect(receiver.to('/slow')).toHaveLength(1)
})

test('a message that is on its way when the server stops is sent again at the next start, with the same key', async () => {
  using receiver = startReceiver()
  const clock = startClock()
  const folder = temporaryFolder()
  receiver.hang('/hook')
  {
    await using app = await startTestApp({ folder, now: clock })
    await app.destinations.create(webhookAt(`${receiver.origin}/hook`))
    app.context.destinations.record(app.context.admin.id, episodesOf('Lighthouse', 'Fog'))
    clock.advance(10 * SECOND)
    app.context.destinations.pump()
    await receiver.count('/hook', 1)
  }
  receiver.answer('/hook', () => new Response('ok'))
  await using again = await startTestApp({ folder, now: clock })
  await deliver(again)
  const [first, second] = receiver.to('/hook')
  expect(second!.text).toBe(first!.text)
  expect((await again.destinations.list())[0]).toMatchObject({ waiting: 0, lastFailure: null })
})

test('a subscription that its push service has forgotten ends, and renewing it begins anew', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const [lost, renewed] = await Promise.all(['/lost', '/new'].map(path => createSubscription(receiver.origin + path)))
  const { id } = await root.destinations.create({
    kind: 'push',
    subscription: lost!.subscription,
    ...wishes,
    events: ['newEpisodes'],
  })
  receiver.answer('/lost', () => new Response('', { status: 410 }))
  const { record } = app.context.destinations
  record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  record(rootId, episodesOf('Lighthouse', 'Tea'))
  await news.pass(DAY)
  expect(receiver.received).toHaveLength(1)
  const [shown] = await root.destinations.list()
  expect(shown).toMatchObject({ hasEnded: true, lastFailure: 'ended', lastStatus: 410, waiting: 0 })

  const edited = await root.destinations.edit(id, { subscription: renewed!.subscription })
  expect(edited.hasEnded).toBe(false)
  record(rootId, episodesOf('Lighthouse', 'Rum'))
  await news.pass(10 * SECOND)
  const [sent] = receiver.to('/new')
  expect(JSON.parse(await renewed!.decrypt(sent!.body)).text).toBe('New episode: Rum')
})

test('a subscription that takes a test message after all has not ended', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const { subscription, decrypt } = await createSubscription(`${receiver.origin}/push`)
  const { id } = await root.destinations.create({ kind: 'push', subscription, ...wishes, events: ['newEpisodes'] })
  receiver.answer('/push', () => new Response('', { status: 404 }))
  expect(await root.destinations.test(id)).toEqual({ failure: 'ended', status: 404 })
  expect((await root.destinations.list())[0]!.hasEnded).toBe(true)
  receiver.answer('/push', () => new Response('', { status: 201 }))
  expect(await root.destinations.test(id)).toEqual({ failure: null, status: null })
  expect((await root.destinations.list())[0]!.hasEnded).toBe(false)
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(60 * SECOND)
  expect(JSON.parse(await decrypt(receiver.to('/push').at(-1)!.body)).text).toBe('New episode: Fog')
})

test('an answer for an old subscription does not end one that was renewed meanwhile', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const [lost, renewed] = await Promise.all(['/lost', '/new'].map(path => createSubscription(receiver.origin + path)))
  const events = ['newEpisodes' as const]
  const { id } = await root.destinations.create({ kind: 'push', subscription: lost!.subscription, ...wishes, events })
  receiver.answer('/lost', async () => {
    await root.destinations.edit(id, { subscription: renewed!.subscription })
    return new Response('', { status: 410 })
  })
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  expect((await root.destinations.list())[0]).toMatchObject({ hasEnded: false, lastFailure: null, waiting: 0 })
  expect(JSON.parse(await renewed!.decrypt(receiver.to('/new')[0]!.body)).text).toBe('New episode: Fog')
})

test('410 ends a subscription alone: a webhook is tried again', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  receiver.answer('/hook', () => new Response('', { status: 410 }))
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  await news.pass(30 * SECOND)
  expect(receiver.to('/hook')).toHaveLength(2)
})

test('in quiet hours messages are held back, and then told together; a sign-in is told at once', async () => {
  await using news = await startNews()
  const { root, rootId, app, clock, receiver } = news
  // It is 14:00 in Berlin.
  const quietHours = { from: '13:30', to: '06:15' }
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`, { quietHours }))
  const { record } = app.context.destinations
  record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(8 * HOUR)
  record(rootId, episodesOf('Lighthouse', 'Tea'))
  record(rootId, signedIn('Phone'))
  await news.pass(0)
  expect(receiver.jsonTo('/hook').map(({ type }) => type)).toEqual(['signedInElsewhere'])
  expect((await root.destinations.list())[0]!.waiting).toBe(1)
  await news.pass(8 * HOUR + 14 * MINUTE)
  expect(receiver.received).toHaveLength(1)
  await news.pass(MINUTE)
  expect(new Date(clock()).toISOString()).toBe('2026-05-02T04:15:00.000Z')
  expect(receiver.jsonTo('/hook')[1]).toMatchObject({ type: 'newEpisodes', data: { episodeCount: 2 } })
})

test('other quiet hours count for what waits already', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const { id } = await root.destinations.create(
    webhookAt(`${receiver.origin}/hook`, { quietHours: { from: '00:00', to: '23:59' } }),
  )
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(MINUTE)
  expect(receiver.received).toEqual([])
  await root.destinations.edit(id, { quietHours: null })
  await deliver(app)
  expect(receiver.received).toHaveLength(1)
})

test('a message to a receiver that redirects goes nowhere else', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  receiver.answer('/hook', () => Response.redirect(`${receiver.origin}/elsewhere`, 307))
  const { id } = await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  app.context.destinations.record(rootId, episodesOf('Lighthouse', 'Fog'))
  await news.pass(10 * SECOND)
  expect(receiver.to('/elsewhere')).toEqual([])
  expect(await root.destinations.test(id)).toEqual({ failure: 'redirected', status: 307 })
})

test('a receiver that sends without an end keeps nobody', async () => {
  await using news = await startNews()
  const { root, receiver } = news
  const endless = () => new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(65_536)) })
  receiver.answer('/hook', () => new Response(endless()))
  const { id } = await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  expect(await root.destinations.test(id)).toEqual({ failure: null, status: null })
})

test('at most a hundred messages of a type wait for a destination, the newest', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  for (let index = 0; index < 130; index++) app.context.destinations.record(rootId, signedIn(String(index)))
  expect((await root.destinations.list())[0]!.waiting).toBe(100)
  await news.pass(0)
  expect(receiver.jsonTo('/hook')[0]!.data.device).toBe('30')
})

test('what waits for a destination that is turned off or removed is never sent, and rows that are stuck go', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  const [off, gone, kept] = await Promise.all(
    ['off', 'gone', 'kept'].map(path => root.destinations.create(webhookAt(`${receiver.origin}/${path}`))),
  )
  const { record, removeOld } = app.context.destinations
  record(rootId, episodesOf('Lighthouse', 'Fog'))
  await root.destinations.edit(off!.id, { isOn: false })
  await root.destinations.remove(gone!.id)
  await news.pass(10 * SECOND)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/kept'])
  await root.destinations.edit(off!.id, { isOn: true })
  await deliver(app)
  expect(receiver.to('/off')).toEqual([])

  await root.destinations.restore(gone!.id)
  await deliver(app)
  expect(receiver.to('/gone')).toHaveLength(1)
  expect((await root.destinations.list()).map(({ id }) => id)).toContain(kept!.id)

  record(rootId, episodesOf('Lighthouse', 'Tea'))
  news.clock.advance(4 * DAY)
  removeOld()
  expect((await root.destinations.list()).map(({ waiting }) => waiting)).toEqual([0, 0, 0])
})

test('however much news of episodes comes in quiet hours, all of it is counted and no other news is lost', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(
    webhookAt(`${receiver.origin}/hook`, {
      events: ['newEpisodes', 'diskFull', 'feedFailing'],
      quietHours: { from: '13:30', to: '06:15' },
    }),
  )
  const { record } = app.context.destinations
  record(rootId, { types: ['diskFull'], facts: { freeBytes: 1 } })
  record(rootId, failing('Harbour'))
  for (let index = 0; index < 150; index++) record(rootId, episodesOf('Lighthouse', `a${index}`))
  expect((await root.destinations.list())[0]!.waiting).toBe(3)
  await news.pass(17 * HOUR)
  const told = receiver.jsonTo('/hook')
  expect(told.map(({ type }) => type).toSorted()).toEqual(['diskFull', 'feedFailing', 'newEpisodes'])
  expect(told.find(({ type }) => type === 'newEpisodes')!.data.episodeCount).toBe(150)
})

test('episodes that a receiver refuses do not push out other news that waits', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`, { events: ['newEpisodes', 'diskFull'] }))
  receiver.answer('/hook', () => new Response('', { status: 503 }))
  const { record } = app.context.destinations
  record(rootId, { types: ['diskFull'], facts: { freeBytes: 1 } })
  for (let index = 0; index < 110; index++) {
    await news.pass(10 * SECOND)
    record(rootId, episodesOf('Lighthouse', `a${index}`))
  }
  expect((await root.destinations.list())[0]!.waiting).toBe(101)
  receiver.answer('/hook', () => new Response(''))
  const before = receiver.received.length
  await news.pass(3 * HOUR)
  expect(
    receiver
      .jsonTo('/hook')
      .slice(before)
      .map(({ type }) => type),
  ).toContain('diskFull')
})

test('messages that are older than three days, as in a restored backup, are not sent', async () => {
  await using news = await startNews()
  const { root, rootId, app, receiver } = news
  await root.destinations.create(webhookAt(`${receiver.origin}/hook`))
  const { record } = app.context.destinations
  record(rootId, episodesOf('Lighthouse', 'Fog'))
  record(rootId, signedIn('Phone'))
  news.clock.advance(4 * DAY)
  await deliver(app)
  expect(receiver.received).toEqual([])
  record(rootId, episodesOf('Lighthouse', 'Fog'))
  news.clock.advance(4 * DAY)
  record(rootId, episodesOf('Lighthouse', 'Tea'))
  await news.pass(10 * SECOND)
  expect(receiver.jsonTo('/hook').map(({ text }) => text)).toEqual(['New episode: Tea'])
  expect((await root.destinations.list())[0]!.waiting).toBe(0)
})
