import { expect, test } from 'bun:test'
import { DAY } from '../../../src/server/platform/clock'
import { startClock, startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { refresh } from '../../support/refreshing'

/** A podcast whose part 0 is the oldest. `publish` adds the next part to its feed. */
function startWorld({ parts = 8, serial = false } = {}) {
  const host = startFeedHost()
  const [now, folder] = [startClock(), temporaryFolder()]
  const fetched: string[] = []
  const sound = Buffer.from(silentMp3(10))
  const first = now()
  const itemOf = (index: number) => ({
    title: `Part ${index}`,
    guid: `${index}`,
    date: new Date(first - (parts - index) * DAY).toUTCString(),
    enclosure: host.on(`/${index}.mp3`, () => {
      fetched.push(`Part ${index}`)
      return new Response(sound, { headers: { 'Content-Type': 'audio/mpeg' } })
    }),
  })
  const extra = serial ? '<itunes:type>serial</itunes:type>' : ''
  const items = Array.from({ length: parts }, (_, index) => itemOf(index))
  const write = () => host.feed('/feed.xml', rss({ title: 'Fog', extra, items: items.toReversed() }))
  const publish = () => {
    items.push(itemOf(items.length))
    write()
  }
  const start = () => startTestApp({ env: withPasswords, now, folder })
  return { now, fetched, feed: write(), publish, start, [Symbol.dispose]: () => host[Symbol.dispose]() }
}

const settle = async ({ context: { downloads } }: TestApp) => {
  downloads.pump()
  await downloads.settled()
}
const work = async (app: TestApp) => {
  await app.context.keptDownloads.queueMissing()
  await settle(app)
}
const dueIn = ({ context: { retention } }: TestApp) =>
  retention
    .due()
    .map(({ title }) => title)
    .toSorted()
type Client = ReturnType<TestApp['as']>
const rowsOf = async (client: Client, id: string) => (await client.podcasts.episodes(id, {}, null)).data
/** The parts on the server, the newest first. */
const here = async (client: Client, id: string) =>
  (await rowsOf(client, id))
    .flatMap(({ podcastEpisode: { name, status } }) => (status ? [name.slice(5)] : []))
    .join(' ')
async function eidOf(client: Client, id: string, part: number) {
  const rows = await rowsOf(client, id)
  return rows.find(({ podcastEpisode }) => podcastEpisode.name === `Part ${part}`)!.podcastEpisode.episode_id
}
const finish = async (client: Client, id: string, part: number) =>
  client.playback.save({ podcastEpisodeId: await eidOf(client, id, part), time: 10, total: 10, finished: true })

async function begin(app: TestApp, feed: string, keepNext: number) {
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const { id } = await root.podcasts.add(feed)
  await root.podcasts.editSettings(id, { autoDownloadMode: 'off', keepNext })
  return { root, id }
}

test('the newest unplayed episodes stay downloaded: a played one and a new one bring the next at once', async () => {
  using world = startWorld()
  await using app = await world.start()
  const { root, id } = await begin(app, world.feed, 2)
  await work(app)
  expect(await here(root, id)).toBe('7 6')
  await finish(root, id, 7)
  await settle(app)
  expect(await here(root, id)).toBe('7 6 5')
  world.publish()
  await refresh(app, id)
  await settle(app)
  expect(await here(root, id)).toBe('8 7 6 5')
  await work(app)
  expect(world.fetched.toSorted()).toEqual(['Part 5', 'Part 6', 'Part 7', 'Part 8'])
})

test('a serial is kept from where each listener is, and what one has played stays for the other', async () => {
  using world = startWorld({ serial: true })
  await using app = await world.start()
  const { root, id } = await begin(app, world.feed, 2)
  const alice = await app.signUp('alice')
  await work(app)
  expect(await here(root, id)).toBe('1 0')
  await finish(alice, id, 4)
  await finish(root, id, 0)
  await work(app)
  expect(await here(root, id)).toBe('6 5 2 1 0')
})

test('an episode that was removed by hand is not downloaded again, also after a kill', async () => {
  using world = startWorld()
  let id = ''
  {
    await using app = await world.start()
    const { root, id: added } = await begin(app, world.feed, 2)
    id = added
    await work(app)
    await root.episodes.removeDownload(await eidOf(root, id, 7))
    await app.context.downloads.pauseAll()
    await finish(root, id, 6)
  }
  await using app = await world.start()
  const root = app.as('root', 'Sup3rSecret')
  app.context.downloads.resumeAll()
  await work(app)
  expect(await here(root, id)).toBe('6 5')
  expect(world.fetched.toSorted()).toEqual(['Part 5', 'Part 6', 'Part 7'])
})

test('retention spares what is next, and deletes it once it is played; without a number nothing is kept', async () => {
  using world = startWorld()
  await using app = await world.start()
  const { root, id } = await begin(app, world.feed, 2)
  await work(app)
  world.now.advance(40 * DAY)
  await root.podcasts.editSettings(id, { autoCleanupMode: 'on', autoCleanupDays: 30 })
  expect(app.context.retention.due()).toEqual([])
  await finish(root, id, 7)
  await settle(app)
  expect(dueIn(app)).toEqual(['Part 7'])
  expect((await root.podcasts.settings(id)).keepNext).toBe(2)
  await root.podcasts.editSettings(id, { keepNext: null })
  expect(app.context.keptDownloads.ids()).toEqual([])
  expect(dueIn(app)).toEqual(['Part 6', 'Part 7'])
})
