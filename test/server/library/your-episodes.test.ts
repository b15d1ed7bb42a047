import { expect, test } from 'bun:test'
import { yourLists, type YourList } from '../../../src/shared/choices'
import { refusal, startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { callsOf } from '../../../src/ui/api/calls'
import { startFeedHost } from '../../support/feed-host'

const DAY = 86_400_000
type Asking = Pick<TestApp, 'yourEpisodes'>

async function plant() {
  const host = startFeedHost()
  const clock = startClock()
  const app = await startTestApp({ env: withPasswords, now: clock })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const items = [...'abcde'].map(guid => ({ guid, duration: '600' }))
  const podcast = await root.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  const { data } = await alice.podcasts.episodes(podcast.id, {}, null)
  const episode = (guid: string) => data.find(row => row.podcastEpisode.guid === guid)!.podcastEpisode
  return { host, clock, app, root, podcast, alice, bob, episode }
}

/** The guids of a list, read in pages of one. */
async function guids({ yourEpisodes }: Asking, list: YourList) {
  const found: string[] = []
  let cursor: string | null = null
  do {
    const page = await yourEpisodes.page(list, cursor, 1)
    found.push(...page.data.map(row => row.podcastEpisode.guid))
    cursor = page.nextCursor
  } while (cursor)
  return found.join('')
}

test('each list has its own order, the latest first, page by page', async () => {
  const { host, clock, app, alice, bob, episode } = await plant()
  using _ = host
  await using __ = app
  for (const guid of ['b', 'a', 'c']) {
    await alice.episodes.like(episode(guid).id, true)
    await alice.playback.save({ podcastEpisodeId: episode(guid).episode_id, time: guid === 'a' ? 600 : 60, total: 600 })
    clock.advance(1000)
  }
  const { store } = app.context
  for (const [now, guid] of ['d', 'b'].entries()) {
    const { id } = store.episodes.require(alice.row, episode(guid).id)
    store.episodes.keepFile(id, { path: guid, size: 1, type: 'audio/mpeg', duration: null, now })
  }
  expect(await guids(alice, 'liked')).toBe('cab')
  expect(await guids(alice, 'in-progress')).toBe('cb')
  expect(await guids(alice, 'history')).toBe('cab')
  expect(await guids(alice, 'downloaded')).toBe('bd')
  expect(await alice.yourEpisodes.counts()).toEqual({ liked: 3, bookmarked: 0, 'in-progress': 2, downloaded: 2 })
  expect(await bob.yourEpisodes.counts()).toEqual({ liked: 0, bookmarked: 0, 'in-progress': 0, downloaded: 2 })
  for (const list of yourLists)
    expect([list, await guids(bob, list)]).toEqual([list, list === 'downloaded' ? 'bd' : ''])
})

test('the days of a list are counted in the time zone of its reader, any place of it can be read, and all of it acted on', async () => {
  const { host, clock, app, alice, bob, episode } = await plant()
  using _ = host
  await using __ = app
  clock.advance(DAY - (clock() % DAY) - 1000)
  for (const guid of 'abc') {
    await alice.episodes.like(episode(guid).id, true)
    clock.advance(1000)
  }
  const calls = callsOf(alice.client)
  const outline = (tz: string) => calls.get('/episodes/yours/:list/outline')('liked', { tz })
  const day = new Date(clock()).toISOString().slice(0, 10)
  const before = new Date(clock() - DAY).toISOString().slice(0, 10)
  expect(await outline('UTC')).toEqual({
    total: 3,
    days: [
      { day, count: 2 },
      { day: before, count: 1 },
    ],
  })
  expect((await outline('America/New_York')).days).toEqual([{ day: before, count: 3 }])
  expect(await refusal(outline('Nowhere'))).toMatchObject({ code: 'invalid-field' })
  const page = await calls.get('/episodes/yours/:list')('liked', { offset: 1, limit: 5 })
  expect(page.map(({ podcastEpisode }) => podcastEpisode.guid).join('')).toBe('ba')

  const marked = await alice.episodes.batch.mark({ yours: 'liked', except: [episode('b').id] }, true)
  expect([marked.affected, [...(await guids(alice, 'history'))].toSorted()]).toEqual([2, ['a', 'c']])
  expect((await bob.episodes.batch.mark({ yours: 'liked' }, true)).affected).toBe(0)
})

test('episodes that were liked or marked at the same moment are neither skipped nor repeated', async () => {
  const { host, app, podcast, alice, episode } = await plant()
  using _ = host
  await using __ = app
  for (const guid of 'abcde') await alice.episodes.like(episode(guid).id, true)
  await alice.podcasts.markListened(podcast.id, { finished: true })
  expect([...(await guids(alice, 'liked'))].sort().join('')).toBe('abcde')
  expect([...(await guids(alice, 'history'))].sort().join('')).toBe('abcde')
})

test('a bookmarked episode is listed once for each bookmark, with its moment and note', async () => {
  const { host, clock, app, alice, bob, episode } = await plant()
  using _ = host
  await using __ = app
  const first = await alice.bookmarks.add({ episode: episode('a').id, time: 60, note: 'the lamp' })
  clock.advance(1000)
  await alice.bookmarks.add({ episode: episode('b').id, time: 5 })
  clock.advance(1000)
  await alice.bookmarks.add({ episode: episode('a').id, time: 90 })
  expect(await guids(alice, 'bookmarked')).toBe('aba')
  const { data } = await alice.yourEpisodes.page('bookmarked', null)
  expect(data.at(-1)).toMatchObject({ at: first.createdAt, bookmark: first })
  expect(await guids(bob, 'bookmarked')).toBe('')
})

test('strangers and unknown lists are refused', async () => {
  const { host, app, alice } = await plant()
  using _ = host
  await using __ = app
  const stranger = app.withHeader(null)
  expect(await refusal(stranger.yourEpisodes.counts())).toMatchObject({ status: 401 })
  expect(await refusal(stranger.yourEpisodes.page('liked', null))).toMatchObject({ status: 401 })
  expect(await refusal(alice.yourEpisodes.page('loved' as YourList, null))).toMatchObject({ code: 'invalid-field' })
})
