import { expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../support/builders'
import { startClock, startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { DAY, HOUR, refresh } from '../../support/refreshing'

test('an unchanged feed is asked for with its validators and sends no body', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))

  const { id } = app.context.store.podcasts.findVisible(app.context.admin, podcast.id)!
  expect(await app.context.refresh.refresh(id)).toEqual({ result: 'unchanged' })

  const [, second] = host.requestsTo('/feed.xml')
  expect(second!.headers.get('if-none-match')).toBeTruthy()
  expect(second!.status).toBe(304)
  expect(second!.headers.get('user-agent')).toMatch(/^Castellan\//)
})

test('a person who refreshes asks for the whole feed, and is told that nothing changed if it is the same', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  expect(await refresh(app, podcast.id)).toEqual({ result: 'unchanged' })
  const second = host.requestsTo('/feed.xml')[1]!
  expect(second.headers.get('if-none-match')).toBeNull()
  expect(second.status).toBe(200)
  expect(await app.event('refreshedPodcast')).toMatchObject({ result: 'unchanged' })
})

test('a refresh of all podcasts sends the validators of each, and fetches none whole', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const paths = ['/a.xml', '/b.xml', '/c.xml']
  for (const path of paths) await app.podcasts.add(host.feed(path, rss({ title: path, items: [{}] })))
  const checked = paths.map((_, index) => app.event('refreshedPodcast', ({ podcastId }) => podcastId === index + 1))
  expect(await app.podcasts.refreshAll()).toEqual({ queued: 3 })
  await Promise.all(checked)
  expect(paths.map(path => host.requestsTo(path).map(({ status }) => status))).toEqual(paths.map(() => [200, 304]))

  await app.podcasts.refresh(app.context.store.podcasts.find(2)!.uuid)
  // Joins it, or comes after it.
  await app.context.refresh.refresh(2)
  expect(host.requestsTo('/b.xml')[2]).toMatchObject({ status: 200 })
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
  expect(data.map(({ podcastEpisode: e }) => [e.guid, e.date_of_recording, e.undated])).toEqual([
    ['future', '2026-05-01T12:00:00.000Z', false],
    ['undated', '2026-05-01T11:59:59.999Z', true],
    ['also undated', '2026-05-01T11:59:59.998Z', true],
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
