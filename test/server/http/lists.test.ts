import { expect, test } from 'bun:test'
import { rss, type ItemSpec } from '../../support/builders'
import { refusal, startClock, startTestApp, type TestApp, withPasswords } from '../../support/app'
import { startFeedHost, type FeedHost } from '../../support/feed-host'

const add = async (app: TestApp, host: FeedHost, title: string, items: ItemSpec[]) => {
  app.prefill(0)
  return app.podcasts.add(host.feed(`/${encodeURIComponent(title)}.xml`, rss({ title, items })))
}
const many = (count: number, date?: string) =>
  Array.from({ length: count }, (_, index) => ({
    guid: `g${index}`,
    title: `Number ${index}`,
    enclosure: `https://cdn.example/n${index}.mp3`,
    date: date ?? new Date(Date.UTC(2026, 0, 300 - index)).toUTCString(),
  }))
const get = async <T>(app: TestApp, path: string) => {
  const response = await app.fetch(`/api/v1${path}`)
  return { status: response.status, next: response.headers.get('x-next-cursor'), body: (await response.json()) as T }
}
type Row = { podcastEpisode: { id: string; guid: string; date_of_recording: string } }

test('a long list is paged by cursor: each row once, none skipped, though rows arrive meanwhile', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const podcast = await add(app, host, 'Long', many(200))
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page = await app.podcasts.episodes(podcast.id, { limit: 30 }, cursor)
    seen.push(...page.data.map(({ podcastEpisode }) => podcastEpisode.guid))
    if (seen.length === 60) {
      host.feed(
        '/Long.xml',
        rss({
          title: 'Long',
          items: [
            {
              guid: 'fresh',
              title: 'Fresh',
              enclosure: 'https://cdn.example/fresh.mp3',
              date: 'Fri, 01 Jan 2027 00:00:00 GMT',
            },
            ...many(200),
          ],
        }),
      )
      await app.context.refresh.refresh(1, { isAsked: true })
    }
    cursor = page.nextCursor
  } while (cursor)
  expect(seen).toHaveLength(200)
  expect(new Set(seen).size).toBe(200)
})

test('older clients page by date alone: a run of equal instants is never cut', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const podcast = await add(app, host, 'Equal', [
    ...many(200, 'Thu, 01 Jan 2026 00:00:00 GMT'),
    { guid: 'last', date: 'Wed, 31 Dec 2025 00:00:00 GMT' },
  ])
  const first = await get<Row[]>(app, `/podcasts/${podcast.id}/episodes`)
  expect(first.body).toHaveLength(200)
  const date = first.body.at(-1)!.podcastEpisode.date_of_recording
  const second = await get<Row[]>(app, `/podcasts/${podcast.id}/episodes?last_podcast_episode=${date}`)
  expect(second.body.map(row => row.podcastEpisode.guid)).toEqual(['last'])
  expect(
    (
      await get<Row[]>(
        app,
        `/podcasts/${podcast.id}/episodes?last_podcast_episode=${second.body[0]!.podcastEpisode.date_of_recording}`,
      )
    ).body,
  ).toEqual([])
})

test('beyond five hundred rows of one instant the cursor goes on', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const podcast = await add(app, host, 'Flood', many(1200, 'Thu, 01 Jan 2026 00:00:00 GMT'))
  const first = await get<Row[]>(app, `/podcasts/${podcast.id}/episodes`)
  expect(first.body).toHaveLength(500)
  let { next } = first
  let total = 500
  while (next) {
    const page: { next: string | null; body: Row[] } = await get<Row[]>(
      app,
      `/podcasts/${podcast.id}/episodes?limit=200&cursor=${next}`,
    )
    total += page.body.length
    next = page.next
  }
  expect(total).toBe(1200)
})

test('episodes come oldest first, only unlistened, only downloaded, or by words', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const podcast = await add(app, host, 'Filters', [
    { title: 'Fog 100%' },
    { title: 'Rain', notes: '<p>about fog</p>' },
    { title: 'Sun_day' },
  ])
  const list = (query: string) =>
    get<Row[]>(app, `/podcasts/${podcast.id}/episodes?${query}`).then(({ body }) =>
      body.map(row => row.podcastEpisode.guid),
    )
  expect(await list('order=oldest')).toEqual(['guid-2', 'guid-1', 'guid-0'])
  expect(await list('q=fog')).toEqual(['guid-0', 'guid-1'])
  expect(await list('q=%25')).toEqual(['guid-0'])
  expect(await list('q=_')).toEqual(['guid-2'])
  expect(await list('downloaded=true')).toEqual([])
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  await app.playback.save({ podcastEpisodeId: data[0]!.podcastEpisode.episode_id, time: 0, finished: true })
  expect(await list('only_unlistened=1')).toEqual(['guid-1', 'guid-2'])
})

test('the timeline joins all podcasts, newest first, and its total comes from counters', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  const one = await add(app, host, 'One', [
    { guid: 'a', date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
    { guid: 'b', date: 'Sat, 03 Jan 2026 00:00:00 GMT' },
  ])
  const two = await add(app, host, 'Two', [{ guid: 'c', date: 'Fri, 02 Jan 2026 00:00:00 GMT' }])
  const shown = async (query = {}) => {
    const { data } = await app.timeline.page(query, null)
    return [data.data.map(item => item.podcast_episode.guid).join(''), data.totalElements]
  }
  expect(await shown()).toEqual(['bca', 3])
  await app.podcasts.favour(two.id, true)
  expect(await shown({ favoredOnly: true })).toEqual(['c', 1])
  const { data } = await app.podcasts.episodes(one.id, {}, null)
  const [b, a] = data.map(({ podcastEpisode }) => podcastEpisode)
  await app.playback.save({ podcastEpisodeId: b!.episode_id, time: 5 })
  expect(await shown({ notListened: true })).toEqual(['ca', 2])
  expect(await app.podcasts.find(one.id)).toMatchObject({ unlistened_count: 2 })
  await app.playback.save({ podcastEpisodeId: b!.episode_id, time: 5, finished: true })
  expect(await app.podcasts.find(one.id)).toMatchObject({ unlistened_count: 1 })
  await app.playback.save({ podcastEpisodeId: b!.episode_id, time: 0 })
  expect(await shown({ notListened: true })).toEqual(['bca', 3])
  await app.episodes.like(a!.id, true)
  expect(await shown({ favoredEpisodes: true })).toEqual(['a', 1])
  await app.podcasts.remove(one.id, false)
  expect(await shown()).toEqual(['c', 1])
  expect(await shown({ favoredEpisodes: true })).toEqual(['', 0])
})

test('marking all as played, or all up to an episode, returns how many changed', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const podcast = await add(app, host, 'Marks', many(10))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  expect(
    await app.podcasts.markListened(podcast.id, { until: data[6]!.podcastEpisode.id, finished: true }),
  ).toMatchObject({
    affected: 4,
  })
  expect(await app.podcasts.find(podcast.id)).toMatchObject({ unlistened_count: 6 })
  expect(await app.podcasts.markListened(podcast.id, { finished: true })).toMatchObject({ affected: 6 })
  expect(await app.podcasts.markListened(podcast.id, { finished: false })).toMatchObject({ affected: 10 })
  expect(await refusal(app.podcasts.markListened(podcast.id, { until: 'nobody', finished: true }))).toMatchObject({
    status: 404,
  })
})

test('undoing a marking restores every episode that was not played since', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  const root = app.as('root', 'Sup3rSecret')
  app.prefill(0)
  const podcast = await root.podcasts.add(host.feed('/undo.xml', rss({ items: many(4) })))
  const { data } = await alice.podcasts.episodes(podcast.id, {}, null)
  const [first, second, third] = data.map(({ podcastEpisode }) => podcastEpisode.episode_id) as [string, string, string]
  await alice.playback.save({ podcastEpisodeId: first, time: 42, total: 600 })
  await alice.playback.save({ podcastEpisodeId: second, time: 600, total: 600 })
  const { affected, undo } = await alice.podcasts.markListened(podcast.id, { finished: true })
  expect(affected).toBe(3)
  clock.advance(1000)
  await alice.playback.save({ podcastEpisodeId: third, time: 7, total: 600 })
  expect(await bob.podcasts.undoListened(podcast.id, undo)).toEqual({ affected: 0 })
  expect(await alice.podcasts.undoListened(podcast.id, undo)).toEqual({ affected: 2 })
  const now = (await alice.podcasts.episodes(podcast.id, {}, null)).data.map(
    ({ podcastHistoryItem: heard }) => heard && [heard.position, heard.finished],
  )
  expect(now).toEqual([
    [42, false],
    [600, true],
    [7, false],
    [0, false],
  ])
  expect(await alice.podcasts.find(podcast.id)).toMatchObject({ unlistened_count: 3 })
  expect(await alice.podcasts.undoListened(podcast.id, undo)).toEqual({ affected: 0 })
})

test('podcasts are found by name without case or accents, and sorted by name or newest episode', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  await add(app, host, 'Äther', [{ guid: 'x', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }])
  await add(app, host, 'zebra', [{ guid: 'x', date: 'Fri, 02 Jan 2026 00:00:00 GMT' }])
  await add(app, host, 'Beta', [])
  const names = async (query: string) =>
    (await get<{ name: string }[]>(app, `/podcasts/search?${query}`)).body.map(podcast => podcast.name)
  expect(await names('')).toEqual(['Äther', 'Beta', 'zebra'])
  expect(await names('order=DESC&orderOption=PUBLISHEDDATE')).toEqual(['zebra', 'Äther', 'Beta'])
  expect(await names('title=ATH')).toEqual(['Äther'])
})

test('episodes with one guid in two podcasts are two episodes', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  await add(app, host, 'First', [{ guid: '1' }])
  await add(app, host, 'Second', [{ guid: '1' }])
  expect((await app.timeline.page({}, null)).data.totalElements).toBe(2)
})

test('lists are served by an index, not by sorting everything', async () => {
  await using app = await startTestApp()
  const { store } = app.context
  const { timelineQuery } = await import('../../../src/server/store/timeline')
  const { pageQuery } = await import('../../../src/server/store/episode-lists')
  const filter = { favouritesOnly: false, likedOnly: false, unplayedOnly: false }
  const bound = (sql: string) => sql.replace(/\$\w+/g, '1')
  const everyone = [0, 1].map(explicit_consent => ({ id: 1, explicit_consent }))
  for (const sql of everyone.flatMap(viewer => [
    timelineQuery(filter, viewer),
    timelineQuery({ ...filter, after: { publishedAt: 1, id: 1 } }, viewer),
    timelineQuery({ ...filter, unplayedOnly: true }, viewer),
    pageQuery({}, viewer),
    pageQuery({ after: { publishedAt: 1, id: 1 }, oldestFirst: true }, viewer),
    pageQuery({ downloaded: true }, viewer),
  ])) {
    const plan = store.explain(bound(sql)).join('\n')
    expect(plan).toMatch(/(SCAN|SEARCH) e USING INDEX/)
    expect(plan).not.toContain('TEMP B-TREE')
  }
})

test('a place deep in the timeline is found without reading the rows before it', async () => {
  await using app = await startTestApp()
  const { placesQuery } = await import('../../../src/server/store/timeline')
  const filter = { favouritesOnly: true, likedOnly: false, unplayedOnly: true, downloadedOnly: true, shorterThan: 9 }
  for (const explicit_consent of [0, 1])
    for (const undatedLast of [true, false]) {
      const sql = placesQuery({ ...filter, shownOnly: true, undatedLast }, { id: 1, explicit_consent })
      const plan = app.context.store.explain(sql.replace(/\$\w+/g, '1'))
      const episodes = plan.filter(line => /^(SCAN|SEARCH) e /.test(line))
      expect(episodes).toHaveLength(undatedLast ? 2 : 1)
      for (const line of episodes) expect(line).toContain('USING COVERING INDEX')
      expect(plan.join('\n')).not.toContain('TEMP B-TREE')
    }
})
