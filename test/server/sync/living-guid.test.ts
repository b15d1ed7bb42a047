import { expect, test } from 'bun:test'
import { startClock, startTestApp, withPasswords } from '../../support/app'
import { rss, type ItemSpec } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { appOf } from '../../support/podcast-app'

const DAY = 86_400_000
const start = Date.UTC(2026, 0, 1, 6)
const itemOf = (title: string, day: number, more: Partial<ItemSpec> = {}): ItemSpec => ({
  guid: `guid-${title}`,
  title,
  date: new Date(start + day * DAY).toUTCString(),
  enclosure: `https://cdn.example/${title}.mp3`,
  length: 1_000_000 + day,
  ...more,
})
const six = ['Fog', 'Rain', 'Snow', 'Wind', 'Hail', 'Sun'].map((title, index) => itemOf(title, 20 - index))

/** A podcast, an app that follows the publisher's feed, and another one that follows ours. */
async function startWorld(items: ItemSpec[]) {
  const host = startFeedHost()
  const clock = startClock(start + 30 * DAY)
  const app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }, now: clock })
  app.prefill(0)
  const root = app.as('root', withPasswords.PASSWORD)
  const feed = host.on('/feed.xml', () => new Response(rss({ items })))
  const { id } = await root.podcasts.add(feed)
  const phone = appOf(app, 'root', withPasswords.PASSWORD)
  const { store, refresh } = app.context
  const podcastId = store.podcasts.allIds()[0]!
  const rows = async () => (await root.podcasts.episodes(id, {}, null)).data.map(({ podcastEpisode }) => podcastEpisode)
  return {
    root,
    phone,
    rows,
    find: async (name: string) => (await rows()).find(row => row.name === name)!,
    async read(next: ItemSpec[]) {
      items = next
      clock.advance(DAY)
      return refresh.refresh(podcastId, { isAsked: true })
    },
    /** Plays by the publisher's guid, at an address that nobody knows. */
    play: (guid: string, position: number) =>
      phone.upload([
        {
          podcast: feed,
          episode: `https://elsewhere.example/${position}.mp3?token=1`,
          guid,
          action: 'play',
          timestamp: new Date(clock()).toISOString().slice(0, 19),
          started: 0,
          position,
          total: 600,
        },
      ]),
    positionOf: async (eid: string) => (await root.episodes.find(eid)).podcastHistoryItem?.position ?? null,
    async feedItems() {
      const { feedKey } = await root.users.me()
      const text = await (await app.fetch(`/rss/apiKey/${feedKey}/${id}`)).text()
      return Object.fromEntries(
        [...text.matchAll(/<item>[^]*?<\/item>/g)].map(([item]) => [
          /<title>([^<]*)/.exec(item)![1]!,
          /<guid[^>]*>([^<]*)/.exec(item)![1]!,
        ]),
      )
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('after a move of the feed, private feeds and apps know every episode by its new guid', async () => {
  await using world = await startWorld(six)
  const rain = await world.find('Rain')
  await world.read(
    six.map(item => ({ ...item, guid: `new-${item.title}`, enclosure: `https://new.example/${item.title}.mp3` })),
  )
  expect(await world.feedItems()).toEqual(Object.fromEntries(six.map(({ title }) => [title, `new-${title}`])))
  await world.play('new-Rain', 111)
  expect(await world.positionOf(rain.episode_id)).toBe(111)
  const told = (await world.phone.toldByCloud()).find(({ position }) => position === 111)
  expect(told).toMatchObject({ guid: 'new-Rain' })
})

test('a split leaves the guid with the episode that the feed lists, and a merge finds the one by both guids', async () => {
  await using world = await startWorld(six)
  const rain = await world.find('Rain')
  await world.read(
    six.map(item =>
      item.title === 'Rain' ? itemOf('Rain, live', 29, { guid: 'guid-Rain', length: 5_000_000 }) : item,
    ),
  )
  const { podcastEpisode: live } = await world.root.episodes.split(rain.episode_id)
  expect(await world.feedItems()).toMatchObject({ 'Rain, live': 'guid-Rain' })
  await world.play('guid-Rain', 112)
  expect([await world.positionOf(live.episode_id), await world.positionOf(rain.episode_id)]).toEqual([112, null])

  const [snow, wind] = [await world.find('Snow'), await world.find('Wind')]
  const { podcastEpisode: one } = await world.root.episodes.join(snow.episode_id, wind.episode_id)
  await world.play('guid-Snow', 113)
  expect(await world.positionOf(one.episode_id)).toBe(113)
  await world.play('guid-Wind', 114)
  expect(await world.positionOf(one.episode_id)).toBe(114)
})

test('of two episodes with one guid, an app means the one that the feed still lists', async () => {
  const twice = ['Fog', 'Rain', 'Snow'].map((title, index) => itemOf(title, 20 - index, { guid: 'same' }))
  await using world = await startWorld(twice)
  const holder = (await world.rows()).find(({ guid }) => guid === 'same')!
  await world.play('same', 115)
  expect(await world.positionOf(holder.episode_id)).toBe(115)
  const other = twice.find(({ title }) => title !== holder.name)!
  await world.read([other])
  await world.play('same', 116)
  expect(await world.positionOf((await world.find(other.title!)).episode_id)).toBe(116)
})
