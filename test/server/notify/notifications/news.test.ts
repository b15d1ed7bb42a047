import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src/server/platform/clock'
import { json } from '../../../support/access'
import { rss, silentMp3 } from '../../../support/builders'
import { startNews, webhookAt } from '../../../support/destinations'
import { startFeedHost } from '../../../support/feed-host'
import { bellOf, endDownloads } from '../../../support/notices'

const everything = [
  'newEpisodes',
  'downloadFinished',
  'downloadFailed',
  'feedFailing',
  'signedInElsewhere',
  'accountAttacked',
  'diskFull',
  'backupFailed',
] as const

const first = { guid: 'first', title: 'First', enclosure: 'https://cdn.example/first.mp3' }

/** A webhook of root for each of these types alone, and one for all. */
async function startHooks(env: Record<string, string> = {}) {
  const news = await startNews(env)
  const { root, receiver } = news
  for (const type of everything)
    await root.destinations.create(webhookAt(`${receiver.origin}/${type}`, { events: [type] }))
  await root.destinations.create(webhookAt(`${receiver.origin}/all`, { events: everything }))
  /** `newEpisodes 3` for a message about three episodes, of the one that wants this type. */
  const said = (path: string) =>
    receiver.jsonTo(`/${path}`).map(({ type, data }) => `${type}${data.episodeCount ? ` ${data.episodeCount}` : ''}`)
  return { ...news, said, [Symbol.asyncDispose]: () => news[Symbol.asyncDispose]() }
}

test('a refresh with twenty new episodes is one message, to whom the bell tells of it', async () => {
  using host = startFeedHost()
  await using news = await startHooks({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { app, root, receiver, said, clock } = news
  app.prefill(0)
  app.context.store.settings.edit({ autoDownload: false })
  const other = await app.signUp('other')
  await other.destinations.create(webhookAt(`${receiver.origin}/other`))
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items: [first] })))
  const date = new Date(clock()).toUTCString()
  const items = Array.from({ length: 20 }, (_, index) => ({ guid: `new-${index}`, title: `New ${index}`, date }))
  host.feed('/feed.xml', rss({ items: [...items, first] }))
  await app.context.refresh.refresh(app.context.store.podcasts.allIds()[0]!)
  expect(await bellOf(root)).toEqual(['NewEpisodes Lighthouse Radio × 20'])
  await news.pass(10 * SECOND)

  expect([said('newEpisodes'), said('all')]).toEqual([['newEpisodes 20'], ['newEpisodes 20']])
  expect([said('downloadFinished'), said('other')]).toEqual([[], []])
  const [message] = receiver.jsonTo('/all')
  expect(message!.url).toBe(`http://localhost/ui/podcasts/${podcast.id}/episodes`)
  const { data } = await root.podcasts.episodes(podcast.id, { limit: 50 }, null)
  const ids = new Set(data.map(({ podcastEpisode }) => podcastEpisode.id))
  expect(message!.data.episodes.filter(({ id }: { id: string }) => ids.has(id))).toHaveLength(20)
})

test('a new episode that is downloaded is told once its file is here, and once to those who want to hear of both', async () => {
  using host = startFeedHost()
  await using news = await startHooks()
  const { app, root, said, clock } = news
  app.prefill(0)
  app.context.store.settings.edit({ autoDownload: true })
  const podcast = await root.podcasts.add(
    host.feed(
      '/feed.xml',
      rss({ items: [{ guid: 'old', title: 'Old', enclosure: host.file('/old.mp3', silentMp3(1)) }] }),
    ),
  )
  const date = new Date(clock()).toUTCString()
  const fog = { guid: 'fog', title: 'Fog', date, enclosure: host.file('/fog.mp3', silentMp3(1)) }
  host.feed('/feed.xml', rss({ items: [fog, { guid: 'old', title: 'Old', enclosure: `${host.origin}/old.mp3` }] }))
  await app.context.refresh.refresh(app.context.store.podcasts.allIds()[0]!)
  await endDownloads(app, clock)
  await news.pass(10 * SECOND)
  expect([said('newEpisodes'), said('downloadFinished'), said('all')]).toEqual([
    ['newEpisodes 1'],
    ['downloadFinished 1'],
    ['newEpisodes 1'],
  ])

  const { data } = await root.podcasts.episodes(podcast.id, {}, null)
  const old = data.find(({ podcastEpisode }) => podcastEpisode.name === 'Old')!
  await root.episodes.download(old.podcastEpisode.episode_id)
  await endDownloads(app, clock)
  await news.pass(MINUTE)
  expect([said('newEpisodes'), said('downloadFinished').length, said('all').length]).toEqual([['newEpisodes 1'], 2, 2])
})

test('a download that is given up is told', async () => {
  using host = startFeedHost()
  await using news = await startHooks()
  const { app, root, said, clock } = news
  app.prefill(0)
  const podcast = await root.podcasts.add(
    host.feed('/feed.xml', rss({ items: [{ enclosure: `${host.origin}/gone.mp3` }] })),
  )
  const { data } = await root.podcasts.episodes(podcast.id, {}, null)
  await root.episodes.download(data[0]!.podcastEpisode.episode_id)
  await endDownloads(app, clock)
  await news.pass(MINUTE)
  expect([said('downloadFailed'), said('all'), said('downloadFinished')]).toEqual([
    ['downloadFailed 1'],
    ['downloadFailed 1'],
    [],
  ])
})

test('an episode that is hidden while it waits is left out', async () => {
  using host = startFeedHost()
  await using news = await startNews({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { app, root, receiver } = news
  app.prefill(0)
  app.context.store.settings.edit({ autoDownload: false })
  const explicit = '<itunes:explicit>true</itunes:explicit>'
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items: [first] })))
  const fan = await app.signUp('fan', 'user', true)
  await fan.podcasts.favour(podcast.id, true)
  const quietHours = { from: '13:00', to: '15:00' }
  await fan.destinations.create(webhookAt(`${receiver.origin}/fan`, { quietHours }))
  const items = [
    { guid: 'rum', title: 'Rum', extra: explicit },
    { guid: 'gin', title: 'Gin', extra: explicit },
    { guid: 'tea', title: 'Tea' },
  ]
  host.feed('/feed.xml', rss({ items: [...items, first] }))
  await app.context.refresh.refresh(app.context.store.podcasts.allIds()[0]!)
  await root.users.change('fan', { role: 'user', explicitConsent: false })
  await news.pass(HOUR)
  expect(receiver.jsonTo('/fan').map(({ text }) => text)).toEqual(['New episode: Tea'])
})

test('a feed that fails for a day is told once, to those who added or favour it, until it has worked again', async () => {
  using host = startFeedHost()
  await using news = await startHooks({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { app, root, receiver, said, clock } = news
  app.prefill(0)
  await root.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const other = await app.signUp('other')
  await other.destinations.create(webhookAt(`${receiver.origin}/other`))
  const id = app.context.store.podcasts.allIds()[0]!
  const isUp = { value: false }
  host.on('/feed.xml', () => (isUp.value ? new Response(rss({ items: [{}] })) : new Response('', { status: 500 })))
  const check = async () => {
    await app.context.refresh.refresh(id)
    await app.context.troubles.check()
    await news.pass(MINUTE)
  }
  await check()
  clock.advance(DAY - 2 * MINUTE)
  await check()
  expect(said('feedFailing')).toEqual([])
  clock.advance(MINUTE)
  await check()
  await check()
  clock.advance(DAY)
  await check()
  expect(said('feedFailing')).toEqual(['feedFailing'])
  expect(receiver.jsonTo('/feedFailing')[0]).toMatchObject({
    title: '1 feed has failed for a day',
    text: 'Lighthouse Radio: The host answered 500',
    data: { feedCount: 1, feeds: [{ title: 'Lighthouse Radio', since: expect.stringMatching(/^2026-05-01T/) }] },
  })
  expect(app.events.filter(({ type }) => type === 'feedFailing')).toHaveLength(1)

  isUp.value = true
  await check()
  isUp.value = false
  await check()
  clock.advance(DAY)
  await check()
  expect(said('feedFailing')).toHaveLength(2)
  expect([said('other'), said('newEpisodes')]).toEqual([[], []])
})

test('a failing feed that is hidden while the message waits is left out and not counted', async () => {
  using host = startFeedHost()
  await using news = await startNews({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { app, root, receiver, clock } = news
  app.prefill(0)
  const fan = await app.signUp('fan', 'user', true)
  const extras = ['', '<itunes:explicit>true</itunes:explicit>']
  for (const [index, extra] of extras.entries()) {
    const title = ['Tea', 'Gin'][index]!
    const podcast = await root.podcasts.add(host.feed(`/${title}.xml`, rss({ title, extra, items: [{}] })))
    await fan.podcasts.favour(podcast.id, true)
    host.on(`/${title}.xml`, () => new Response('', { status: 500 }))
  }
  await fan.destinations.create(webhookAt(`${receiver.origin}/fan`))
  for (const id of app.context.store.podcasts.allIds()) await app.context.refresh.refresh(id)
  clock.advance(DAY)
  await app.context.troubles.check()
  await root.users.change('fan', { role: 'user', explicitConsent: false })
  await news.pass(MINUTE)
  const [message] = receiver.jsonTo('/fan')
  expect(message).toMatchObject({ text: 'Tea: The host answered 500', data: { feedCount: 1 } })
  expect(JSON.stringify(message)).not.toContain('Gin')
})

test('a feed that failed long enough while nobody looked is told by the next look', async () => {
  using host = startFeedHost()
  await using news = await startHooks()
  const { app, root, said, clock } = news
  app.prefill(0)
  await root.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  host.on('/feed.xml', () => new Response('', { status: 500 }))
  await app.context.refresh.refresh(app.context.store.podcasts.allIds()[0]!)
  clock.advance(DAY)
  await app.context.troubles.check()
  await news.pass(MINUTE)
  expect(said('feedFailing')).toEqual(['feedFailing'])
})

test('a full disk is told to admins once, until there is room again', async () => {
  await using news = await startHooks({ ALLOWED_NETWORKS: '127.0.0.0/8', DISK_RESERVE: '999999999' })
  const { app, root, receiver, said } = news
  const alice = await app.signUp('alice')
  await alice.destinations.create(webhookAt(`${receiver.origin}/alice`))
  for (let times = 0; times < 3; times++) {
    await app.context.troubles.check()
    await news.pass(MINUTE)
  }
  app.context.publish({ type: 'diskFull', freeBytes: 5 })
  await news.pass(MINUTE)
  expect([said('diskFull'), said('all'), said('alice')]).toEqual([['diskFull'], ['diskFull'], []])
  expect(receiver.jsonTo('/all')[0]).toMatchObject({
    title: 'The disk of the server is full',
    data: { freeBytes: expect.any(Number) },
  })
  expect((await root.destinations.list()).every(({ waiting }) => waiting === 0)).toBe(true)
})

test('a disk that is full again after it had room is told again', async () => {
  await using news = await startHooks()
  const { app, said } = news
  mkdirSync(app.context.config.podcastFolder, { recursive: true })
  app.context.publish({ type: 'diskFull', freeBytes: null })
  await news.pass(MINUTE)
  await app.context.troubles.check()
  app.context.publish({ type: 'diskFull', freeBytes: null })
  await news.pass(MINUTE)
  expect(said('diskFull')).toEqual(['diskFull', 'diskFull'])
})

test('backups that fail are told to admins once, until one was made', async () => {
  await using news = await startHooks()
  const { app, receiver, said } = news
  const fail = () => app.context.publish({ type: 'backupFailed', reason: 'The disk has 5 bytes free' })
  fail()
  fail()
  await news.pass(MINUTE)
  expect(receiver.jsonTo('/backupFailed')).toMatchObject([
    { title: 'The backup failed', text: 'The disk has 5 bytes free', data: { reason: 'The disk has 5 bytes free' } },
  ])
  await app.context.backups.create('manual')
  fail()
  await news.pass(MINUTE)
  expect([said('backupFailed').length, said('all').length]).toEqual([2, 2])
})

test('a sign-in from a new place is told at once, to that user alone', async () => {
  await using news = await startHooks({ ALLOWED_NETWORKS: '127.0.0.0/8' })
  const { app, receiver, said } = news
  const alice = await app.signUp('alice')
  await alice.destinations.create(webhookAt(`${receiver.origin}/alice`))
  const signIn = (browser: string) =>
    app.fetch('/api/v1/session', {
      method: 'POST',
      headers: { ...json, Authorization: alice.authorization!, 'User-Agent': browser },
      body: JSON.stringify({ remember: true }),
    })
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'
  for (let times = 0; times < 2; times++) expect((await signIn(firefox)).status).toBe(204)
  await app.context.destinations.settled()
  expect(said('alice')).toEqual([])
  await signIn(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
  )
  await app.context.destinations.settled()
  const [message, ...others] = receiver.jsonTo('/alice')
  expect(others).toEqual([])
  expect(message).toMatchObject({
    type: 'signedInElsewhere',
    title: 'Sign-in from a new place',
    text: 'Safari, iPhone. If this was not you, change your password.',
    data: { device: 'Safari, iPhone', address: '', at: '2026-05-01T12:00:00.000Z' },
  })
  expect([said('all'), said('signedInElsewhere')]).toEqual([[], []])
})
