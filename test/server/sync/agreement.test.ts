import { expect, test } from 'bun:test'
import { basic, startClock, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const media = 'https://cdn.example/one.mp3'
const noon = Date.UTC(2026, 4, 1, 12)
const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 19)

/** A library with one episode, and what apps and the browser say of it. */
async function start() {
  const host = startFeedHost()
  const now = startClock(noon)
  const app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }, now })
  app.prefill(0)
  const browser = app.as('root', 'Sup3rSecret')
  const feed = host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure: media, duration: '600' }] }))
  const { id } = await browser.podcasts.add(feed)
  const episode = (await browser.podcasts.episodes(id, {}, null)).data[0]!.podcastEpisode

  async function call<T>(path: string, body?: unknown): Promise<T> {
    const response = await app.fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: basic('root', 'Sup3rSecret') },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as T
  }
  type Listed = { timestamp: number; actions: { action: string; position: number }[] }
  const listed = async (path: string) => (await call<Listed>(path)).actions
  return {
    now,
    browser,
    feed,
    call,
    play: (device: string, position: number, at: number) => ({
      podcast: feed,
      episode: media,
      action: 'play',
      device,
      timestamp: textOf(at),
      started: 0,
      position,
      total: 600,
    }),
    upload: (actions: unknown[]) => call<{ timestamp: number }>('/api/2/episodes/root.json', actions),
    positions: async (since: number) => (await listed(`/api/2/episodes/root.json?since=${since}`)).map(a => a.position),
    inCloud: () => listed('/index.php/apps/gpoddersync/episode_action'),
    report: (time: number) => browser.playback.save({ podcastEpisodeId: episode.episode_id, time, total: 600 }),
    record: async () => (await browser.playback.find(episode.episode_id))!,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('of two devices that tell of the same second, the last to arrive counts, in the record and in every list', async () => {
  await using running = await start()
  const { now, play, upload, positions, inCloud, record, report } = running
  await upload([play('phone', 100, noon - 9000)])
  await upload([play('laptop', 200, noon - 9000)])
  // The same again is no news.
  await upload([play('phone', 100, noon - 9000)])
  expect(await record()).toMatchObject({ position: 200 })
  expect(await inCloud()).toMatchObject([{ position: 200 }])
  expect((await positions(0)).at(-1)).toBe(200)

  now.advance(500)
  await report(300)
  await upload([play('phone', 400, noon)])
  expect(await record()).toMatchObject({ position: 400 })
  expect(await inCloud()).toMatchObject([{ position: 400 }])
})

test('of several actions by a clock that is ahead, the last counts', async () => {
  await using running = await start()
  const { play, upload, inCloud, record } = running
  await upload([100, 200, 300].map((position, index) => play('phone', position, noon + (index + 1) * 3_600_000)))
  expect(await record()).toMatchObject({ position: 300, timestamp: new Date(noon).toISOString() })
  expect(await inCloud()).toMatchObject([{ position: 300 }])
})

test('after the clock of the server has gone back, the newest still counts and not the last to arrive', async () => {
  await using running = await start()
  const { now, play, upload, inCloud, record } = running
  await upload([])
  now.advance(-3_600_000)
  await upload([play('phone', 300, noon - 60_000)])
  await upload([play('laptop', 100, noon - 120_000)])
  expect(await record()).toMatchObject({ position: 300, timestamp: new Date(noon - 60_000).toISOString() })
  expect(await inCloud()).toMatchObject([{ position: 300 }])
})

test("what was marked as not played is told in Nextcloud's way as well", async () => {
  await using running = await start()
  const { play, upload, inCloud, record } = running
  await upload([play('phone', 600, noon - 2000), { ...play('phone', 0, noon - 1000), action: 'new' }])
  expect(await record()).toMatchObject({ position: 0, finished: false })
  expect(await inCloud()).toMatchObject([{ action: 'PLAY', started: 0, position: 0, timestamp: textOf(noon - 1000) }])
})

test('what others send between what an app fetches and what it sends is in its next answer', async () => {
  await using running = await start()
  const { now, play, upload, positions, call } = running
  await positions(0)
  now.advance(2000)
  await upload([play('laptop', 200, noon)])
  await call('/api/2/subscriptions/root/laptop.json', { add: ['https://feeds.example/fog.xml'], remove: [] })
  now.advance(2000)
  // An app that asks from the time of its upload on, and one that has no name of its own.
  const actions = await upload([play('phone', 100, noon - 5000)])
  expect(await positions(actions.timestamp)).toContain(200)
  for (const path of ['api/2/subscriptions/root/phone.json', 'index.php/apps/gpoddersync/subscription_change/create']) {
    const { timestamp } = await call<{ timestamp: number }>(`/${path}`, { add: [], remove: [] })
    const { add } = await call<{ add: string[] }>(`/api/2/subscriptions/root/phone.json?since=${timestamp}`)
    expect(add).toContain('https://feeds.example/fog.xml')
  }
  // Its own actions are not sent back.
  now.advance(400_000)
  const first = await upload([play('phone', 300, noon + 60_000)])
  now.advance(2000)
  expect(await upload([play('phone', 400, noon + 70_000)])).toEqual({
    ...first,
    timestamp: Math.floor(now() / 1000),
  })
})
