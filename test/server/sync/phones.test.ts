import { expect, test } from 'bun:test'
import { rss } from '../../support/builders'
import { appOf, fog, lamps, one, play, start, startLibrary, textOf } from '../../support/podcast-app'

const MINUTE = 60_000

/** A library with a podcast of these items; what the browser and the phone do with its first episode. */
async function startWith(items: Parameters<typeof rss>[0]['items']) {
  const running = await startLibrary()
  const { host, now, root } = running
  const feed = host.feed('/feed.xml', rss({ items: items! }))
  const { id } = await root.podcasts.add(feed)
  const episodes = async () => (await root.podcasts.episodes(id, {}, null)).data
  const [first] = await episodes()
  const { url, episode_id } = first!.podcastEpisode
  return {
    ...running,
    feed,
    id,
    url,
    playInBrowser: (time: number, total?: number) =>
      root.playback.save({ podcastEpisodeId: episode_id, time, ...(total && { total }) }),
    record: async () => (await episodes())[0]!.podcastHistoryItem,
    actionOf: (action: string, numbers: object) => ({
      podcast: feed,
      episode: url,
      device: 'phone',
      action,
      timestamp: textOf(now()),
      ...numbers,
    }),
  }
}
const all = (value: number) => ({ started: value, position: value, total: value })

for (const value of [0, -1])
  for (const [length, expected] of [
    ['600', 600],
    [undefined, 300],
  ] as const)
    test(`a phone that tells ${value} of ${value} of an episode ${length ? 'of known' : 'of unknown'} length has finished it, and lowers nothing`, async () => {
      await using running = await startWith([{ guid: 'one', ...(length && { duration: length }) }])
      const { playInBrowser, now, phone, record, actionOf } = running
      for (const report of [
        () => phone.upload([actionOf('play', all(value))]),
        () => phone.cloud('POST', 'episode_action/create', [actionOf('PLAY', all(value))]),
      ]) {
        await playInBrowser(300)
        expect(await record()).toMatchObject({ position: 300, finished: false })
        now.advance(5000)
        expect((await report()).status).toBe(200)
        expect(await record()).toMatchObject({ position: expected, finished: true })
        now.advance(5000)
        await phone.upload([actionOf('new', {})])
        expect(await record()).toMatchObject({ position: 0, finished: false })
        now.advance(5000)
      }
    })

test('what a phone finished by a length that is too short lowers no position', async () => {
  await using running = await startWith([{ guid: 'one', duration: '600' }])
  const { playInBrowser, now, phone, record, actionOf } = running
  await playInBrowser(595)
  now.advance(5000)
  await phone.upload([actionOf('play', all(580))])
  expect(await record()).toMatchObject({ position: 600, finished: true })
})

test('"finished" is told to others with the largest length that is known', async () => {
  await using running = await startWith([{ guid: 'one', duration: '600' }])
  const { now, phone, actionOf } = running
  await phone.upload([actionOf('play', { started: 0, position: 30, total: 612 })])
  now.advance(5000)
  await phone.upload([actionOf('play', all(0))])
  expect((await phone.received()).actions).toMatchObject([{ position: 612, total: 612 }])
  expect(await phone.toldByCloud()).toMatchObject([{ position: 612, total: 612 }])
  now.advance(5000)
  await phone.upload([actionOf('play', all(590))])
  expect((await phone.received()).actions).toMatchObject([{ position: 612, total: 612 }])
})

test('of a length that one app leaves out, others are told what is known', async () => {
  await using running = await startWith([{ guid: 'one', duration: '600' }])
  const { phone, actionOf } = running
  await phone.upload([actionOf('play', { started: 0, position: 30 })])
  expect((await phone.received()).actions).toMatchObject([{ position: 30, total: 600 }])
})

test('who asks from the beginning is told the newest play of every episode, in one answer', async () => {
  await using running = await start()
  const { alice, now } = running
  const episodes = Array.from({ length: 2500 }, (_, index) => `https://cdn.example/${index}.mp3`)
  for (const position of [10, 20]) {
    for (let from = 0; from < episodes.length; from += 500) {
      const part = episodes.slice(from, from + 500)
      await alice.upload(part.map(episode => play(position, { episode, timestamp: textOf(now()) })))
      now.advance(1000)
    }
  }
  for (const query of ['', 'since=0', 'since=0&device=phone']) {
    const { actions, timestamp } = await alice.received(query)
    expect(actions.map(({ position }) => position)).toEqual(episodes.map(() => 20))
    expect(timestamp).toBe(now() / 1000)
  }
  expect((await alice.toldByCloud()).length).toBe(2500)
})

test('an answer of many changes is whole, as AntennaPod never asks again for what its upload came after', async () => {
  await using running = await start()
  const { alice, now } = running
  const { timestamp } = await alice.received()
  for (let from = 0; from < 3000; from += 500) {
    now.advance(1000)
    const part = Array.from({ length: 500 }, (_, index) => `https://cdn.example/${from + index}.mp3`)
    await alice.upload(part.map(episode => play(10, { episode, device: 'laptop' })))
  }
  const answer = await alice.received(`since=${timestamp}`)
  expect(answer.actions.length).toBe(3000)
})

test('what others send while a phone uploads for many minutes is in its next answer', async () => {
  await using running = await start()
  const { alice, now } = running
  await alice.received()
  now.advance(10_000)
  await alice.upload([play(77, { episode: 'https://cdn.example/other.mp3', device: 'laptop' })])
  let since = 0
  for (let batch = 0; batch < 40; batch++) {
    now.advance(20_000)
    const body = [play(600, { episode: `https://cdn.example/${batch}.mp3`, device: 'phone' })]
    since = ((await alice.upload(body)).json as { timestamp: number }).timestamp
  }
  expect((await alice.received(`since=${since}`)).actions).toContainEqual(expect.objectContaining({ position: 77 }))
})

test('a device never seen is made when it asks, and told the list of its person', async () => {
  await using running = await start()
  const { alice } = running
  await alice.subscribe('phone', [fog])
  await alice.upload([play(5)])
  expect((await alice.changes('music')).json).toMatchObject({ add: [fog], remove: [] })
  expect((await alice.received('device=desk')).actions).toMatchObject([{ position: 5 }])
  expect((await alice.call('GET', '/api/2/updates/alice/tv.json?since=0')).json).toMatchObject({ add: [{ url: fog }] })
  expect(((await alice.devices()).json as { id: string }[]).map(({ id }) => id)).toEqual([
    'desk',
    'music',
    'phone',
    'tv',
  ])
  expect((await alice.actions('device=a%20b')).status).toBe(400)
})

test('no guid is told that the feed has not', async () => {
  await using running = await startLibrary()
  const { host, phone, root } = running
  const items = [
    { guid: null, enclosure: 'https://cdn.example/a.mp3', duration: '600' },
    { guid: 'twice', enclosure: 'https://cdn.example/b.mp3', duration: '600' },
    { guid: 'twice', enclosure: 'https://cdn.example/c.mp3', duration: '600' },
  ]
  const { id } = await root.podcasts.add(host.feed('/feed.xml', rss({ items })))
  await phone.subscribe('phone', [])
  for (const { podcastEpisode } of (await root.podcasts.episodes(id, {}, null)).data)
    await root.playback.save({ podcastEpisodeId: podcastEpisode.episode_id, time: 30 })
  const guids = new Map((await phone.received()).actions.map(({ episode, guid }) => [episode.at(-5), guid]))
  expect([guids.get('a'), guids.get('b'), guids.get('c')]).toEqual([undefined, 'twice', 'twice'])
})

test('of several addresses of one guid only the newest is told', async () => {
  await using running = await start()
  const { alice, now } = running
  const playedAt = (episode: string, position: number, at: number) =>
    play(position, { episode, guid: 'one', timestamp: textOf(now() + at) })
  await alice.upload([playedAt('https://a.example/1.mp3?sig=1', 200, -9000)])
  await alice.upload([playedAt('https://b.example/1.mp3?sig=2', 100, -8000)])
  for (const query of ['', `since=${now() / 1000 - 60}`, 'aggregated=true'])
    expect((await alice.received(query)).actions).toMatchObject([{ position: 100 }])
  expect(await alice.toldByCloud()).toMatchObject([{ position: 100 }])
})

test('a whole list may be one of objects, and is refused rather than read in part', async () => {
  await using running = await start()
  const { alice } = running
  const put = (body: unknown, format = 'json') =>
    alice.put('phone', format, typeof body === 'string' ? body : JSON.stringify(body))
  expect((await put([{ url: fog }, { feed: lamps }, { xmlUrl: one }, 'https://feeds.example/x.xml'])).status).toBe(200)
  const whole = [fog, lamps, one, 'https://feeds.example/x.xml'].toSorted()
  expect((await alice.list('phone')).toSorted()).toEqual(whole)
  for (const body of [[{ address: fog }], [fog, 7], [fog, null], [[fog]], [fog, 'ftp://feeds.example/x'], [fog, {}]])
    expect([body, (await put(body)).status]).toEqual([body, 400])
  expect((await put(`${fog}\nnone at all\n`, 'txt')).status).toBe(400)
  expect((await alice.list('phone')).toSorted()).toEqual(whole)
  // An address that this server gives out is accepted back.
  expect((await put((await alice.call('GET', '/subscriptions/alice.json')).text)).status).toBe(200)
  expect((await alice.list('phone')).toSorted()).toEqual(whole)
  expect((await put([])).status).toBe(200)
})

test('what a phone played counts as listened: from where it started to where it stopped, whatever the clock says', async () => {
  await using running = await startWith([{ guid: 'one', duration: '6000' }])
  const { playInBrowser, now, phone, root, actionOf } = running
  const listened = async () => (await root.info.stats({})).totalListenedSeconds
  const at = (ms: number, started: number, position: number) =>
    actionOf('play', { started, position, total: 6000, timestamp: textOf(now() + ms) })
  await phone.upload([at(-7_200_000, 0, 1800), at(-3_600_000, 1800, 2400)])
  expect(await listened()).toBe(2400)
  // Twice the same, a leap ahead, and a report that goes on where its last one began.
  await phone.upload([at(-3_600_000, 1800, 2400)])
  await phone.upload([at(-3_000_000, 4000, 4100), at(-2_900_000, 4000, 4160)])
  expect(await listened()).toBe(2560)
  await phone.upload([actionOf('play', all(6000))])
  expect(await listened()).toBe(2560)
  // Older than what is known: nothing moves, but it was listened to.
  now.advance(MINUTE)
  await playInBrowser(10)
  await phone.upload([at(-1_800_000, 100, 160)])
  expect(await listened()).toBe(2620)
})

test('what was played before the podcast came to the library counts once it is here', async () => {
  await using running = await startLibrary()
  const { host, now, phone, root } = running
  const enclosure = 'https://cdn.example/early.mp3'
  const feed = host.feed('/early.xml', rss({ items: [{ guid: 'early', enclosure, duration: '600' }] }))
  await phone.upload([play(90, { podcast: feed, episode: enclosure, timestamp: textOf(now()), started: 30 })])
  await root.podcasts.add(feed)
  expect((await root.info.stats({})).totalListenedSeconds).toBe(60)
})

test('"last sync" counts uploads and lists as well', async () => {
  await using running = await start()
  const { alice, now, user } = running
  const lastSync = async () => (await user.devices.list()).map(({ lastSyncAt }) => lastSyncAt)
  for (const work of [
    () => alice.subscribe('phone', [fog]),
    () => alice.upload([play(5)]),
    () => alice.put('phone', 'txt', `${fog}\n`),
    () => alice.changes('phone'),
    () => alice.received('device=phone'),
  ]) {
    now.advance(MINUTE)
    await work()
    expect(await lastSync()).toEqual([new Date(now()).toISOString()])
  }
})

test('what is put in a list by a device that only ever uploaded takes nothing of others away', async () => {
  await using running = await start()
  const { alice, now } = running
  await alice.subscribe('phone', [lamps])
  now.advance(MINUTE)
  await alice.upload([play(5, { device: 'desk' })])
  now.advance(MINUTE)
  await alice.put('desk', 'txt', `${fog}\n`)
  expect((await alice.list('phone')).toSorted()).toEqual([fog, lamps])
})

test('what a phone brought to the library is a favourite of its owner alone, until the phone drops it', async () => {
  await using running = await startLibrary()
  const { app, host, phone, root } = running
  const feed = host.feed('/new.xml', rss({ title: 'New' }))
  const alice = await app.signUp('alice', 'uploader')
  await root.devices.setWishes({ autoAdd: true })
  const added = app.event('addedPodcast')
  await phone.subscribe('phone', [feed])
  await added
  const favourites = async (person: typeof root) =>
    (await person.podcasts.list()).filter(({ favorites }) => favorites).map(({ name }) => name)
  expect(await favourites(root)).toEqual(['New'])
  expect(await favourites(alice)).toEqual([])
  await phone.subscribe('phone', [], [feed])
  expect(await favourites(root)).toEqual([])
})

test('what waits on phones becomes a favourite of everybody who is subscribed to it, when anybody adds it', async () => {
  await using running = await startLibrary()
  const { app, host, root } = running
  const feed = host.feed('/new.xml', rss({ title: 'New' }))
  const alice = await app.signUp('alice')
  await appOf(app, 'alice').subscribe('phone', [feed])
  await root.podcasts.add(feed)
  expect(await alice.podcasts.list()).toMatchObject([{ name: 'New', favorites: true }])
})

test('the address of the interface is good as that of the server', async () => {
  await using running = await start()
  const { app, alice } = running
  await alice.subscribe('phone', [fog])
  for (const [path, status] of [
    ['/ui/api/2/devices/alice.json', 200],
    ['/ui//api/2/devices/alice.json', 200],
    ['/ui/subscriptions/alice/phone.json', 200],
    ['/ui/index.php/apps/gpoddersync/subscriptions', 200],
    ['/ui//index.php/apps/gpoddersync/subscriptions', 200],
    ['/ui/toplist.json', 200],
    ['/ui/clientconfig.json', 200],
  ] as const)
    expect([path, (await alice.call('GET', path)).status]).toEqual([path, status])
  expect((await alice.call('POST', '/ui/api/2/auth/alice/login.json')).status).toBe(200)
  expect((await app.fetch('/ui/index.php/login/v2', { method: 'POST' })).status).toBe(200)
  expect((await app.fetch('/ui/api/2/devices/alice.json')).headers.get('www-authenticate')).toStartWith('Basic ')
})

test('of episodes that share an address the guid says which, and of those that share a guid the address', async () => {
  await using running = await startLibrary()
  const { host, now, phone, root } = running
  const latest = 'https://cdn.example/latest.mp3'
  const items = [
    { title: 'New', guid: 'new', enclosure: latest },
    { title: 'Old', guid: 'old', enclosure: latest },
    { title: 'One', guid: 'same', enclosure: 'https://cdn.example/one.mp3' },
    { title: 'Two', guid: 'same', enclosure: 'https://cdn.example/two.mp3' },
  ].map(item => ({ ...item, duration: '600' }))
  const feed = host.feed('/feed.xml', rss({ items }))
  const { id } = await root.podcasts.add(feed)
  const at = (guid: string, episode: string, position: number) =>
    play(position, { podcast: feed, episode, guid, timestamp: textOf(now()) })
  await phone.upload([
    at('old', latest, 10),
    at('gone', latest, 20),
    at('same', 'https://cdn.example/two.mp3', 30),
    at('same', 'https://cdn.example/one.mp3', 40),
  ])
  const positions = (await root.podcasts.episodes(id, {}, null)).data.flatMap(
    ({ podcastEpisode, podcastHistoryItem }) =>
      podcastHistoryItem ? [[podcastEpisode.name, podcastHistoryItem.position]] : [],
  )
  expect(Object.fromEntries(positions)).toEqual({ Old: 10, Two: 30, One: 40 })
})
