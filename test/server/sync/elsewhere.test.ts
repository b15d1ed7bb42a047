import { expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../support/builders'
import { appOf, fog, lamps, one, play, start, startLibrary, textOf } from '../../support/podcast-app'

// Mistakes that other servers once made.

const DAY = 86_400_000

test('a cookie is good for a year', async () => {
  await using running = await start()
  const { alice, now } = running
  const headers = { Cookie: `sessionid=${(await alice.devices()).cookie}` }
  now.advance(364 * DAY)
  expect((await alice.devices({ headers })).status).toBe(200)
  now.advance(2 * DAY)
  expect((await alice.devices({ headers })).status).toBe(401)
})

test('a device is there as soon as somebody names it, by subscribing, by a list, or by what was played', async () => {
  await using running = await start()
  const { alice } = running
  await alice.subscribe('phone', [])
  await alice.put('laptop', 'txt', '')
  await alice.upload([play(5, { device: 'desk' })])
  expect((await alice.devices()).json).toMatchObject([{ id: 'desk' }, { id: 'laptop' }, { id: 'phone' }])
})

test('addresses outside the library come back as they were spelled, podcast and episode', async () => {
  await using running = await start()
  const { alice } = running
  const podcast = 'HTTPS://Feeds.Example/Ebb%20and%20flow.xml?token=A%3Ab'
  const episode = 'https://CDN.example/Ebb%20and%20flow.mp3?key=1%2F2'
  await alice.upload([play(5, { podcast, episode })])
  expect((await alice.received()).actions).toMatchObject([{ podcast, episode }])
  expect(await alice.toldByCloud()).toMatchObject([{ podcast, episode }])
})

test('many calls at once, the first of all, are all answered, and nothing that they tell is lost', async () => {
  await using running = await start()
  const { app, alice } = running
  const phones = Array.from({ length: 30 }, (_, index) => ({ name: `phone-${index}`, app: appOf(app, 'alice') }))
  const answers = await Promise.all(
    phones.flatMap(({ name, app }, index) => [
      app.subscribe(name, [`https://feeds.example/${index}.xml`]),
      app.upload([play(index + 1, { device: name, episode: `https://cdn.example/${index}.mp3` })]),
      app.actions('since=0'),
    ]),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await alice.received()).actions.length).toBe(30)
  expect((await alice.list('phone-0')).length).toBe(30)
})

test('times with zones, as Nextcloud gives them out itself, are taken from its apps', async () => {
  await using running = await start()
  const { alice } = running
  const at = (timestamp: string, position: number) => play(position, { action: 'PLAY', timestamp })
  const spelled = [at('2026-05-01T10:00:00+00:00', 5), at('2026-05-01T13:00:00+0200', 6)]
  expect((await alice.cloud('POST', 'episode_action/create', spelled)).status).toBe(200)
  expect(await alice.toldByCloud()).toMatchObject([{ position: 6, timestamp: '2026-05-01T11:00:00' }])
})

test('that a file was deleted or downloaded again leaves the position where it is', async () => {
  await using running = await startLibrary()
  const { host, now, phone, root } = running
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const feed = host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure, duration: '600' }] }))
  const { id } = await root.podcasts.add(feed)
  const report = (action: string, numbers: object) =>
    phone.cloud('POST', 'episode_action/create', [
      play(0, { podcast: feed, episode: enclosure, guid: 'one', timestamp: textOf(now()), action, ...numbers }),
    ])
  await report('PLAY', { position: 250 })
  for (const action of ['DELETE', 'DOWNLOAD']) {
    now.advance(60_000)
    await report(action, { started: -1, position: -1, total: -1 })
  }
  expect(await phone.toldByCloud()).toMatchObject([{ position: 250, total: 600 }])
  const [episode] = (await root.podcasts.episodes(id, {}, null)).data
  expect(episode!.podcastHistoryItem).toMatchObject({ position: 250 })
})

test('a user whose name is an e-mail address can sync', async () => {
  await using running = await start()
  const { app } = running
  await app.signUp('mara+pod@post.example')
  const mara = appOf(app, 'mara+pod@post.example')
  expect((await mara.subscribe('phone', [fog])).status).toBe(200)
  // Written out, as some apps do.
  expect((await mara.call('GET', '/api/2/subscriptions/mara+pod@post.example/phone.json?since=0')).json).toMatchObject({
    add: [fog],
  })
})

/** A podcast that was at `old` and is at `present` now; the app on the phone knows the old address alone. */
async function startMoved(
  before: (feed: string, running: Awaited<ReturnType<typeof startLibrary>>) => Promise<unknown>,
) {
  const running = await startLibrary()
  const { app, host, root } = running
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const items = [{ guid: 'one', enclosure, duration: '600' }]
  const old = host.feed('/old.xml', rss({ items }))
  const podcast = await root.podcasts.add(old)
  await before(old, running)
  const present = host.feed('/present.xml', rss({ items, extra: '<!-- moved -->' }))
  host.on('/old.xml', () => Response.redirect(present, 301))
  await app.context.refresh.refresh(1)
  expect(app.context.store.podcasts.find(1)!.feed_url).toBe(present)
  return { ...running, old, present, podcast, enclosure }
}

test('actions under the old address of a moved feed count', async () => {
  await using running = await startMoved((old, { phone }) => phone.subscribe('phone', [old]))
  const { enclosure, old, phone, podcast, root } = running
  await phone.upload([play(99, { podcast: old, episode: enclosure })])
  const [episode] = (await root.podcasts.episodes(podcast.id, {}, null)).data
  expect(episode!.podcastHistoryItem).toMatchObject({ position: 99 })
  expect(await root.podcasts.available()).toEqual([])
})

test('a feed that moved is one subscription, whichever of its addresses is used', async () => {
  await using running = await startMoved((old, { phone }) => phone.subscribe('phone', [old, lamps]))
  const { app, old, phone, podcast, present, root } = running
  await root.podcasts.favour(podcast.id, false)
  expect(await phone.list('phone')).toEqual([lamps])
  await phone.subscribe('phone', [old])
  await root.podcasts.favour(podcast.id, true)
  expect((await phone.list('phone')).toSorted()).toEqual([old, lamps].toSorted())

  const alice = await app.signUp('alice')
  const other = appOf(app, 'alice')
  await alice.podcasts.favour(podcast.id, true)
  await other.subscribe('phone', [old])
  expect(await other.list('phone')).toEqual([present])
  await other.subscribe('phone', [], [old])
  expect(await other.list('phone')).toEqual([])
  expect((await alice.podcasts.list()).filter(({ favorites }) => favorites)).toEqual([])
})

test('an app that goes along with a move has the new address from then on', async () => {
  await using running = await startMoved((old, { phone }) => phone.subscribe('phone', [old]))
  const { now, old, phone, podcast, present, root } = running
  now.advance(60_000)
  await phone.subscribe('laptop', [present], [old])
  expect(await phone.list('phone')).toEqual([present])
  expect((await phone.changes('phone', now() / 1000)).json).toMatchObject({ add: [present], remove: [old] })
  expect(await root.podcasts.list()).toMatchObject([{ id: podcast.id, favorites: true }])
})

test('one episode at one address is one episode', async () => {
  await using running = await start()
  const { alice } = running
  await alice.upload([play(5), play(6, { episode: one.replace('https', 'http'), timestamp: '2026-05-01T11:00:00' })])
  expect((await alice.received('aggregated=true')).actions).toMatchObject([{ position: 6 }])
})
