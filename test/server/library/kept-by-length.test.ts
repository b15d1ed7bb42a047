import { expect, test } from 'bun:test'
import type { SmartRules } from '../../../src/shared/api/playlist'
import { DAY } from '../../../src/server/platform/clock'
import { startClock, startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { startRandom } from '../../support/random'

const titles = Array.from({ length: 10 }, (_, index) => `Part ${index}`)

/** A podcast of ten episodes, a day after each other, whose files have other lengths than its feed says. */
async function startWorld(lengths: readonly { said: number; real: number }[]) {
  const host = startFeedHost()
  const [now, folder] = [startClock(), temporaryFolder()]
  const fetched: string[] = []
  const items = titles.map((title, index) => {
    const sound = Buffer.from(silentMp3(lengths[index]!.real))
    return {
      title,
      guid: title,
      duration: String(lengths[index]!.said),
      date: new Date(now() - (index + 1) * DAY).toUTCString(),
      enclosure: host.on(`/${index}.mp3`, () => {
        fetched.push(title)
        return new Response(sound, { headers: { 'Content-Type': 'audio/mpeg' } })
      }),
    }
  })
  const feed = host.feed('/feed.xml', rss({ title: 'Fog', items }))
  const start = () => startTestApp({ env: withPasswords, now, folder })
  return { host, now, folder, fetched, feed, start, [Symbol.dispose]: () => host[Symbol.dispose]() }
}

const asRoot = (app: TestApp) => app.as('root', 'Sup3rSecret')
const work = async ({ context: { keptDownloads, downloads } }: TestApp) => {
  await keptDownloads.queueMissing()
  downloads.pump()
  await downloads.settled()
}
const short = (keepDownloaded: number, more: Partial<SmartRules> = {}): SmartRules => ({
  match: 'all',
  rules: [
    { field: 'played', is: 'unplayed' },
    { field: 'duration', op: 'at-most', seconds: 10 },
    { field: 'age', op: 'within', days: 30 },
  ],
  order: 'newest',
  limit: 50,
  keepDownloaded,
  ...more,
})
type Row = { podcastEpisode: { id: string; episode_id: string; name: string; status: boolean } }
const here = (rows: readonly Row[]) =>
  rows.filter(({ podcastEpisode }) => podcastEpisode.status).map(({ podcastEpisode }) => podcastEpisode.name)

test('what is fresh and short stays downloaded, and a file that is longer than its feed says makes room for none', async () => {
  using world = await startWorld(titles.map(() => ({ said: 5, real: 20 })))
  await using app = await world.start()
  app.prefill(0)
  const root = asRoot(app)
  await root.podcasts.add(world.feed)
  await root.playlists.create({ name: 'Short', items: [], rules: short(2) })
  for (const _ of [1, 2, 3]) await work(app)
  expect(world.fetched.toSorted()).toEqual(['Part 0', 'Part 1'])
  expect(app.context.keptDownloads.ids()?.length).toBe(2)
})

test('what is played, removed or too old makes room for one more', async () => {
  using world = await startWorld(titles.map(() => ({ said: 5, real: 20 })))
  await using app = await world.start()
  app.prefill(0)
  const root = asRoot(app)
  const podcast = await root.podcasts.add(world.feed)
  await root.playlists.create({ name: 'Short', items: [], rules: short(2) })
  await work(app)
  const rows = async () => (await root.podcasts.episodes(podcast.id, {}, null)).data
  const eidOf = async (name: string) =>
    (await rows()).find(({ podcastEpisode }) => podcastEpisode.name === name)!.podcastEpisode.episode_id
  await root.playback.save({ podcastEpisodeId: await eidOf('Part 0'), time: 20, total: 20, finished: true })
  await work(app)
  expect(here(await rows())).toEqual(['Part 0', 'Part 1', 'Part 2'])
  await root.episodes.removeDownload(await eidOf('Part 1'))
  await work(app)
  expect(here(await rows())).toEqual(['Part 0', 'Part 2', 'Part 3'])
  world.now.advance(30 * DAY)
  await work(app)
  expect(app.context.keptDownloads.ids()).toEqual([])
  await work(app)
  expect(world.fetched.toSorted()).toEqual(['Part 0', 'Part 1', 'Part 2', 'Part 3'])
})

test.each([1, 2, 3, 4, 5, 6])(
  'whatever the files turn out to be, and whenever the server is killed, no more is kept and nothing fetched twice (seed %p)',
  async seed => {
    const { below: draw } = startRandom(seed)
    using world = await startWorld(titles.map(() => ({ said: 1 + draw(20), real: 1 + draw(20) })))
    const most = 1 + draw(4)
    const order = (['newest', 'oldest', 'shortest', 'longest', 'podcast', 'played'] as const)[draw(6)]!
    const match = draw(2) === 0 ? 'all' : 'any'
    let [plays, podcastId] = [0, '']
    const check = (app: TestApp) => {
      expect(world.fetched).toEqual([...new Set(world.fetched)])
      expect(world.fetched.length).toBeLessThanOrEqual(most + plays)
      expect(app.context.keptDownloads.ids()!.length).toBeLessThanOrEqual(most)
    }
    for (let round = 0; round < 8; round++) {
      await using app = await world.start()
      const root = asRoot(app)
      if (round === 0) {
        app.prefill(0)
        podcastId = (await root.podcasts.add(world.feed)).id
        await root.playlists.create({ name: 'Kept', items: [], rules: short(most, { order, match }) })
      }
      await app.context.downloads.pauseAll()
      await app.context.keptDownloads.queueMissing()
      // Every other time the server ends before it has downloaded anything.
      if (draw(2) === 0) {
        app.context.downloads.resumeAll()
        await work(app)
        const rows = (await root.podcasts.episodes(podcastId, {}, null)).data
        const played = rows.find(
          ({ podcastEpisode, podcastHistoryItem }) => podcastEpisode.status && !podcastHistoryItem,
        )
        if (played && draw(3) === 0) {
          plays++
          const { episode_id: podcastEpisodeId } = played.podcastEpisode
          await root.playback.save({ podcastEpisodeId, time: 20, total: 20, finished: true })
        }
      }
      check(app)
    }
    await using app = await world.start()
    app.context.downloads.resumeAll()
    await work(app)
    const settled = world.fetched.length
    for (const _ of [1, 2, 3]) await work(app)
    check(app)
    expect(world.fetched.length).toBe(settled)
  },
)
