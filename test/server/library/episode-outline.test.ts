import { expect, test } from 'bun:test'
import type { EpisodeQuery } from '../../../src/ui/api/calls'
import { podcastListApi } from '../../../src/ui/api/library'
import { startTestApp, type TestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const DAY = 86_400_000

/** A podcast whose episodes are a day apart, the newest first, of which each names what `extraOf` gives. */
async function plant(titles: readonly string[], extraOf: (title: string) => string = () => '', apart = DAY) {
  const host = startFeedHost()
  const app = await startTestApp()
  app.prefill(0)
  const items = titles.map((title, at) => ({
    title,
    guid: title,
    duration: '60',
    extra: extraOf(title),
    date: new Date(Date.UTC(2026, 0, 1) - at * apart).toUTCString(),
  }))
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  return {
    app,
    id,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}

const seasonOf = (title: string) => (title.startsWith('-') ? '' : `<itunes:season>${title[0]}</itunes:season>`)

async function list(app: TestApp, id: string, query: EpisodeQuery, size = 2) {
  const titles: string[] = []
  for (let offset = 0; ; offset += size) {
    const rows = await podcastListApi(app.client).page(id, { ...query, limit: size }, offset)
    titles.push(...rows.map(({ podcastEpisode }) => podcastEpisode.name))
    if (rows.length < size) return titles.join(' ')
  }
}
const groupsOf = async (app: TestApp, id: string, query: EpisodeQuery = {}) => {
  const { by, total, groups } = await podcastListApi(app.client).outline(id, query, null)
  return [by, total, groups.map(({ key, count }) => `${key}: ${count}`).join(', ')]
}

test('seasons are together, the one with the newest episode first, and read from any place on', async () => {
  await using world = await plant(['2c', '-x', '1z', '2b', '2a', '1b', '1a'], seasonOf)
  const { app, id } = world
  expect(await groupsOf(app, id)).toEqual(['season', 7, '2: 3, null: 1, 1: 3'])
  expect(await list(app, id, {})).toBe('2c 2b 2a -x 1z 1b 1a')
  expect(await groupsOf(app, id, { order: 'oldest' })).toEqual(['season', 7, '1: 3, 2: 3, null: 1'])
  expect(await list(app, id, { order: 'oldest' })).toBe('1a 1b 1z 2a 2b 2c -x')
})

test('the outline sums up what a filter leaves, and knows the place of an episode in that', async () => {
  await using world = await plant(['2b', '1b', '2a', '1a'], seasonOf)
  const { app, id } = world
  const [first] = await podcastListApi(app.client).page(id, { limit: 1 }, 2)
  const oldest = first!.podcastEpisode
  expect(oldest.name).toBe('1b')
  expect((await podcastListApi(app.client).outline(id, {}, oldest.id)).place).toBe(2)
  await app.episodes.batch.mark({ podcast: id, season: 2 }, true)
  expect((await podcastListApi(app.client).outline(id, {}, null)).groups).toEqual([
    { key: 2, count: 2, seconds: 120, finished: 2 },
    { key: 1, count: 2, seconds: 120, finished: 0 },
  ])
  expect(await podcastListApi(app.client).outline(id, { unlistened: true }, oldest.id)).toMatchObject({
    total: 2,
    place: 0,
  })
  expect(await podcastListApi(app.client).outline(id, { text: 'nothing' }, oldest.id)).toEqual({
    by: 'season',
    total: 0,
    groups: [],
    place: null,
  })
})

test('a long podcast without seasons is divided by years, a short one is not', async () => {
  await using short = await plant(['b', 'a'], undefined, 400 * DAY)
  expect(await groupsOf(short.app, short.id)).toEqual([null, 2, ''])
  const titles = Array.from({ length: 100 }, (_, at) => String(at))
  await using long = await plant(titles, undefined, 10 * DAY)
  const { app, id } = long
  expect(await groupsOf(app, id)).toEqual(['year', 100, '2026: 1, 2025: 36, 2024: 37, 2023: 26'])
  expect((await app.episodes.batch.mark({ podcast: id, year: 2024 }, true)).affected).toBe(37)
  expect((await podcastListApi(app.client).outline(id, {}, null)).groups.map(({ finished }) => finished)).toEqual([
    0, 0, 37, 0,
  ])
})

test('seasons that few episodes name divide nothing', async () => {
  await using world = await plant(['2a', '1a', '-a', '-b', '-c'], seasonOf)
  expect(await groupsOf(world.app, world.id)).toEqual([null, 5, ''])
})

test('a season is queued in the order of the list', async () => {
  await using world = await plant(['2b', '2a', '1b', '1a'], seasonOf)
  const { app, id } = world
  await app.queue.addAll({ podcast: id, season: 1, oldest_first: true }, 'last')
  const { items } = await app.queue.find()
  expect(items.map(({ podcastEpisode }) => podcastEpisode.name)).toEqual(['1a', '1b'])
})
