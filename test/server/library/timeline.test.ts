import { expect, test } from 'bun:test'
import { timelineListApi } from '../../../src/ui/api/library'
import { refusal, startClock, startTestApp, type TestApp, withPasswords } from '../../support/app'
import { type ItemSpec, rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const DAY = 86_400_000
/** A Friday. */
const NOON = Date.UTC(2026, 4, 1, 12)

const daysAgo = (days: number, guid: string, duration = '600'): ItemSpec => ({
  guid,
  duration,
  date: new Date(NOON - days * DAY).toUTCString(),
})

/** Two podcasts with episodes of today, yesterday, a week ago and two years ago, and one without a date. */
async function plant() {
  const host = startFeedHost()
  const app = await startTestApp({ env: withPasswords, now: startClock(NOON) })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const fog = await root.podcasts.add(
    host.feed('/fog.xml', rss({ items: [daysAgo(0, 'a'), daysAgo(1, 'b', '3600'), { guid: 'none', date: null }] })),
  )
  const sea = await root.podcasts.add(
    host.feed('/sea.xml', rss({ title: 'Sea', items: [daysAgo(0, 'c'), daysAgo(7, 'd'), daysAgo(720, 'e', '')] })),
  )
  const alice = await app.signUp('alice')
  const bob = await app.signUp('bob')
  return { app, root, fog, sea, alice, bob, host }
}

type Asking = Pick<TestApp, 'timeline'>
type Query = Parameters<TestApp['timeline']['page']>[0]

async function guids({ timeline }: Asking, query: Query = {}) {
  const { data } = await timeline.page({ undatedLast: true, ...query }, null)
  return data.data.map(item => item.podcast_episode.guid).join('')
}
async function played({ timeline }: Asking) {
  const { data } = await timeline.page({ undatedLast: true }, null)
  return data.data.flatMap(({ podcast_episode, history }) => (history?.finished ? [podcast_episode.guid] : [])).join('')
}

test('episodes without a date stand behind all others, page by page, and say that they have none', async () => {
  const { app, host, alice } = await plant()
  using _ = host
  await using __ = app
  const found: [string, boolean][] = []
  let cursor: string | null = null
  do {
    const page = await alice.timeline.page({ undatedLast: true, limit: 2 }, cursor)
    found.push(
      ...page.data.data.map(row => [row.podcast_episode.guid, row.podcast_episode.undated] as [string, boolean]),
    )
    cursor = page.nextCursor
  } while (cursor)
  expect(found.map(([guid]) => guid)).toEqual(['c', 'a', 'b', 'd', 'e', 'none'])
  expect(found.filter(([, undated]) => undated)).toEqual([['none', true]])
})

test('the timeline is filtered by length, file, tag and time', async () => {
  const { app, host, alice, bob, sea, fog } = await plant()
  using _ = host
  await using __ = app
  const tag = await alice.tags.create({ name: 'Water', color: 'Blue' })
  await alice.tags.assign(tag.id, sea.id)
  const { store } = app.context
  const [first] = store.episodes.pageFor(alice.row, store.podcasts.require(alice.row, fog.id).id, {}, 1)
  store.episodes.keepFile(first!.id, { path: 'a', size: 1, type: 'audio/mpeg', duration: null, now: 1 })

  expect(await guids(alice, { shorterThan: 1800 })).toBe('cad')
  expect(await guids(alice, { tag: tag.id })).toBe('cde')
  expect(await guids(alice, { tag: tag.id, shorterThan: 1800 })).toBe('cd')
  expect(await guids(alice, { downloaded: true })).toBe('a')
  expect(await guids(alice, { from: new Date(NOON - DAY).toISOString(), to: new Date(NOON).toISOString() })).toBe('b')
  expect(await refusal(guids(bob, { tag: tag.id }))).toMatchObject({ code: 'tag-not-found' })
  const { totalElements } = (await alice.timeline.page({ shorterThan: 1800 }, null)).data
  expect(totalElements).toBe(3)
  expect((await alice.timeline.page({ tag: tag.id }, null)).data.totalElements).toBe(3)
})

test('days are summed up whole, in the time zone of the listener, and months after a year', async () => {
  const { app, host, alice } = await plant()
  using _ = host
  await using __ = app
  const groups = async (tz: string, limit: number) =>
    (await alice.timeline.page({ undatedLast: true, tz, limit }, null)).data.groups
  // One of the two episodes of today.
  expect(await groups('Europe/Copenhagen', 1)).toEqual([{ group: '2026-05-01', count: 2, seconds: 1200 }])
  expect(await groups('Europe/Copenhagen', 9)).toEqual([
    { group: '2026-05-01', count: 2, seconds: 1200 },
    { group: '2026-04-30', count: 1, seconds: 3600 },
    { group: '2026-04-24', count: 1, seconds: 600 },
    { group: '2024-05', count: 1, seconds: 0 },
  ])
  expect((await groups('Pacific/Kiritimati', 1))[0]!.group).toBe('2026-05-02')
  expect((await alice.timeline.page({}, null)).data.groups).toEqual([])
  expect(await refusal(groups('Nowhere', 1))).toMatchObject({ code: 'invalid-field' })
})

test('everything since a moment is marked as played for its listener alone, and that is undone', async () => {
  const { app, host, alice, bob } = await plant()
  using _ = host
  await using __ = app
  const { affected, undo } = await alice.timeline.mark({ from: new Date(NOON - DAY).toISOString() }, true)
  expect([affected, await played(alice), await played(bob)]).toEqual([3, 'cab', ''])
  const marked = app.events.filter(event => event.type === 'episodesMarked')
  expect(marked).toHaveLength(2)
  expect(await bob.timeline.undoMark(undo)).toEqual({ affected: 0 })
  expect(await alice.timeline.undoMark(undo)).toEqual({ affected: 3 })
  expect(await played(alice)).toBe('')
})

test('a marking of a day keeps to the day and to the filters', async () => {
  const { app, host, alice, sea } = await plant()
  using _ = host
  await using __ = app
  await alice.podcasts.favour(sea.id, true)
  const day = { from: new Date(NOON - DAY / 2).toISOString(), to: new Date(NOON + DAY / 2).toISOString() }
  expect((await alice.timeline.mark({ ...day, favoredOnly: true }, true)).affected).toBe(1)
  expect(await played(alice)).toBe('c')
  expect((await alice.timeline.mark(day, true)).affected).toBe(1)
  expect((await alice.timeline.mark(day, false)).affected).toBe(2)
  expect(await played(alice)).toBe('')
})

test('a day is queued in its order, behind what is queued already, without what was played', async () => {
  const { app, host, alice, bob } = await plant()
  using _ = host
  await using __ = app
  const { data } = (await alice.timeline.page({ undatedLast: true }, null)).data
  const idOf = (guid: string) => data.find(row => row.podcast_episode.guid === guid)!.podcast_episode
  await alice.queue.add({ episode: idOf('d').id })
  await alice.playback.save({ podcastEpisodeId: idOf('b').episode_id, time: 3600, total: 3600 })
  expect(await alice.timeline.queue({ from: new Date(NOON - 30 * DAY).toISOString() })).toEqual({ affected: 2 })
  expect((await alice.queue.find()).items.map(item => item.podcastEpisode.guid).join('')).toBe('dca')
  expect((await bob.queue.find()).items).toEqual([])
})

test('a podcast that a person takes out of the timeline is in none of its pages, sums and actions, and stays on its own page', async () => {
  const { app, host, fog, sea, alice, bob } = await plant()
  using _ = host
  await using __ = app
  await alice.podcasts.editPreferences(sea.id, { inTimeline: false })
  for (const query of [{}, { notListened: true }, { from: new Date(NOON - 30 * DAY).toISOString() }]) {
    const { data } = await alice.timeline.page({ undatedLast: true, tz: 'UTC', ...query }, null)
    const shown = data.data.map(item => item.podcast_episode.guid)
    expect(shown).toEqual('from' in query ? ['a', 'b'] : ['a', 'b', 'none'])
    expect(data.totalElements).toBe(shown.length)
    expect(data.groups.reduce((sum, { count }) => sum + count, 0)).toBe(2)
  }
  await alice.podcasts.favour(sea.id, true)
  expect(await guids(alice, { favoredOnly: true })).toBe('')
  expect(await guids(bob)).toBe('cabdenone')
  expect((await alice.podcasts.episodes(sea.id, {}, null)).data.length).toBe(3)
  expect((await alice.timeline.mark({}, true)).affected).toBe(3)
  await alice.podcasts.editPreferences(sea.id, { inTimeline: true })
  await alice.podcasts.editPreferences(fog.id, { inTimeline: false })
  expect(await guids(alice)).toBe('cde')
})

test('everything in the timeline that its filters leave is liked, except for what is named', async () => {
  const { app, host, alice } = await plant()
  using _ = host
  await using __ = app
  const { data } = await timelineListApi(alice.client).page({}, 0, 9)
  const ids = data.map(({ podcast_episode }) => podcast_episode.id)
  const all = await alice.episodes.batch.like({ timeline: {}, except: [ids[1]!] }, true)
  expect(all.episodes).toEqual(ids.toSpliced(1, 1))
  const liked = await alice.episodes.batch.like({ timeline: { favoredEpisodes: true } }, false)
  expect(liked.affected).toBe(ids.length - 1)
})

test('the outline counts every day and month of the timeline in order, and any place of it can be read', async () => {
  const { app, host, alice } = await plant()
  using _ = host
  await using __ = app
  const { outline, page } = timelineListApi(alice.client)
  const whole = await outline({}, 'UTC')
  expect([whole.total, ...whole.groups.map(({ group, count, seconds }) => `${group}: ${count}, ${seconds} s`)]).toEqual(
    [
      6,
      '2026-05-01: 2, 1200 s',
      '2026-04-30: 1, 3600 s',
      '2026-04-24: 1, 600 s',
      '2024-05: 1, 0 s',
      expect.stringMatching(/^undated: 1,/),
    ],
  )
  const at = async (offset: number, filter = {}) =>
    (await page(filter, offset, 2)).data.map(item => item.podcast_episode.guid).join('')
  expect(await Promise.all([at(0), at(1), at(3), at(5), at(6)])).toEqual(['ca', 'ab', 'de', 'none', ''])

  await alice.podcasts.favour((await alice.podcasts.list()).find(({ name }) => name === 'Sea')!.id, true)
  const favourites = { favoredOnly: true }
  expect((await outline(favourites, 'UTC')).groups.map(({ count }) => count)).toEqual([1, 1, 1])
  expect(await Promise.all([at(0, favourites), at(1, favourites)])).toEqual(['cd', 'de'])
  expect(await refusal(outline({}, 'Nowhere'))).toMatchObject({ code: 'invalid-field' })
})
