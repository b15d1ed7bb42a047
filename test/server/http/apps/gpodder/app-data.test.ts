import { expect, test } from 'bun:test'
import { basic, goodPassword, startClock, startTestApp, withPasswords, type TestApp } from '../../../../support/app'
import { rss, silentMp3 } from '../../../../support/builders'
import { startFeedHost } from '../../../../support/feed-host'

const fog = 'https://feeds.example/fog.xml'
const lamps = 'https://feeds.example/lamps.xml'
const env = { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }

function caller(app: TestApp, username: string, password = goodPassword) {
  return async (method: string, path: string, body?: unknown) => {
    const response = await app.fetch(path, {
      method,
      headers: { Authorization: basic(username, password) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as unknown, headers: response.headers }
  }
}

test('apps keep settings of the account, a device, a podcast and an episode, each for itself and its user', async () => {
  await using app = await startTestApp({ env })
  await app.signUp('alice')
  await app.signUp('bob')
  const alice = caller(app, 'alice')
  const path = '/api/2/settings/alice'
  await alice('POST', '/api/2/devices/alice/phone.json', {})
  const places = [
    'account.json',
    'device.json?device=phone',
    `podcast.json?podcast=${fog}`,
    `episode.json?podcast=${fog}&episode=https://cdn.example/1.mp3`,
  ]
  for (const [index, place] of places.entries()) {
    const saved = await alice('POST', `${path}/${place}`, { set: { speed: index, deep: { a: [1] }, old: 'x' } })
    expect([saved.status, saved.body]).toEqual([200, { speed: index, deep: { a: [1] }, old: 'x' }])
    await alice('POST', `${path}/${place}`, { remove: ['old'] })
  }
  for (const [index, place] of places.entries())
    expect((await alice('GET', `${path}/${place}`)).body).toEqual({ speed: index, deep: { a: [1] } })
  expect((await caller(app, 'bob')('GET', '/api/2/settings/bob/account.json')).body).toEqual({})

  for (const place of ['device.json', 'podcast.json', `episode.json?podcast=${fog}`, 'house.json'])
    expect((await alice('GET', `${path}/${place}`)).status).toBe(400)
  expect((await alice('GET', `${path}/device.json?device=toaster`)).status).toBe(404)
  for (const bad of [
    'no json',
    [],
    { set: 5 },
    { remove: 'x' },
    { set: { '': 1 } },
    { set: { x: 'y'.repeat(70_000) } },
  ])
    expect((await alice('POST', `${path}/account.json`, bad)).status).toBe(400)
  // All of it, or nothing.
  const many = Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`n${index}`, 1]))
  expect((await alice('POST', `${path}/account.json`, { set: many })).status).toBe(400)
  expect((await alice('GET', `${path}/account.json`)).body).toEqual({ speed: 0, deep: { a: [1] } })
})

test('lists are made, read, replaced and removed by their owner alone', async () => {
  await using app = await startTestApp({ env })
  await app.signUp('alice')
  await app.signUp('bob')
  const alice = caller(app, 'alice')
  const made = await alice('POST', '/api/2/lists/alice/create.txt?title=Fog%20%26%20L%C3%A4mps', `${fog}\n${lamps}\n`)
  expect([made.status, made.headers.get('location')]).toEqual([
    201,
    'http://localhost/api/2/lists/alice/list/fog-lamps.txt',
  ])
  expect((await alice('POST', '/api/2/lists/alice/create.txt?title=fog%20lamps', fog)).status).toBe(409)
  expect((await alice('POST', '/api/2/lists/alice/create.txt', fog)).status).toBe(400)
  expect((await alice('GET', '/api/2/lists/alice.json')).body).toEqual([
    { title: 'Fog & Lämps', name: 'fog-lamps', web: 'http://localhost/api/2/lists/alice/list/fog-lamps.opml' },
  ])
  const path = '/api/2/lists/alice/list/fog-lamps'
  expect((await alice('GET', `${path}.txt`)).body).toBe(`${fog}\n${lamps}\n`)
  expect((await alice('GET', `${path}.json`)).body).toMatchObject([{ url: fog }, { url: lamps }])
  expect((await alice('PUT', `${path}.json`, [lamps])).status).toBe(204)
  expect((await alice('GET', `${path}.opml`)).body).toContain(`xmlUrl="${lamps}"`)
  // It is no subscription, and nobody else's.
  expect((await alice('GET', '/subscriptions/alice.json')).body).toEqual([])
  const bob = caller(app, 'bob')
  expect((await bob('GET', `${path}.txt`)).status).toBe(400)
  expect((await bob('GET', '/api/2/lists/bob/list/fog-lamps.txt')).status).toBe(404)
  expect((await alice('DELETE', `${path}.txt`)).status).toBe(204)
  expect((await alice('DELETE', `${path}.txt`)).status).toBe(404)
})

async function plant() {
  const host = startFeedHost()
  const now = startClock()
  const app = await startTestApp({ env, now })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const enclosure = host.file('/fog.mp3', silentMp3(2))
  const feed = host.feed('/fog.xml', rss({ title: 'Harbour Fog', items: [{ guid: 'one', title: 'One', enclosure }] }))
  const other = host.feed(
    '/lamps.xml',
    rss({ title: 'Harbour Lamps', extra: '<itunes:explicit>true</itunes:explicit>' }),
  )
  const added = await root.podcasts.add(feed)
  const rude = await root.podcasts.add(other)
  await app.signUp('alice')
  return {
    app,
    root,
    now,
    feed,
    other,
    enclosure,
    added,
    rude,
    mara: caller(app, 'root', 'Sup3rSecret'),
    alice: caller(app, 'alice'),
    [Symbol.asyncDispose]: async () => {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}

test('search, toplist and suggestions know the own library, as far as its user may see it, and strangers nothing', async () => {
  await using world = await plant()
  const { app, alice, mara, feed, other, added } = world
  expect((await mara('GET', '/search.json?q=harbour')).body).toMatchObject([
    { url: feed, title: 'Harbour Fog', mygpo_link: `http://localhost/ui/podcasts/${added.id}/episodes` },
    { url: other },
  ])
  expect((await mara('GET', '/search.txt?q=harbour%20fog')).body).toBe(`${feed}\n`)
  expect((await alice('GET', '/search.opml?q=harbour')).body).not.toContain(other)
  expect((await alice('GET', '/search.json?q=%20')).status).toBe(400)

  await app.as('alice', goodPassword).podcasts.favour(added.id, true)
  expect((await mara('GET', '/toplist/50.json')).body).toMatchObject([
    { url: feed, subscribers: 1 },
    { url: other, subscribers: 0 },
  ])
  expect((await mara('GET', '/toplist/1.txt')).body).toBe(`${feed}\n`)
  expect((await mara('GET', '/toplist.opml')).body).toContain('Harbour Lamps')
  for (const path of ['/toplist/0.json', '/toplist/101.json', '/toplist/10.yaml', '/suggestions/x.json'])
    expect([400, 404]).toContain((await mara('GET', path)).status)
  // The user who added them has both; without consent the explicit one is hidden.
  expect((await mara('GET', '/suggestions/10.json')).body).toEqual([])
  expect((await alice('GET', '/suggestions/10.json')).body).toEqual([])
  for (const path of ['/search.json?q=harbour', '/toplist/10.json', '/suggestions/10.json']) {
    const refused = await app.fetch(path)
    expect([refused.status, refused.headers.has('www-authenticate')]).toEqual([401, true])
  }
})

test('clients are told where the service is, before they sign in', async () => {
  await using app = await startTestApp({
    env: { ...env, SERVER_URL: 'https://pod.example/castellan', SUB_DIRECTORY: '/castellan' },
  })
  const answer = await app.fetch('/clientconfig.json')
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      mygpo: { baseurl: 'https://pod.example/castellan/' },
      'mygpo-feedservice': { baseurl: 'https://pod.example/castellan/' },
      update_timeout: 604_800,
    },
  ])
})

test('updates tell a device what came and went, and what became of the newest episodes', async () => {
  await using world = await plant()
  const { mara, feed, other, enclosure, now } = world
  await mara('POST', '/api/2/devices/root/phone.json', {})
  const path = '/api/2/updates/root/phone.json'
  expect((await mara('GET', path)).status).toBe(400)
  const first = (await mara('GET', `${path}?since=0`)).body as { add: unknown[]; updates: unknown[]; timestamp: number }
  expect(first.add).toMatchObject([{ url: feed, title: 'Harbour Fog' }, { url: other }])
  expect(first.updates).toMatchObject([{ title: 'One', url: enclosure, podcast_url: feed, status: 'new' }])
  expect(first.timestamp).toBe(now() / 1000)

  now.advance(5000)
  await mara('POST', '/api/2/subscriptions/root/phone.json', { add: [], remove: [other] })
  const play = { podcast: feed, episode: enclosure, action: 'play', device: 'phone', started: 0, position: 5, total: 9 }
  await mara('POST', '/api/2/episodes/root.json', [play])
  expect((await mara('GET', `${path}?since=${now() / 1000}`)).body).toMatchObject({
    add: [],
    remove: [other],
    rem: [other],
    updates: [],
  })
  expect((await mara('GET', `${path}?since=0&include_actions=true`)).body).toMatchObject({
    updates: [{ status: 'play', action: { position: 5, device: 'phone' } }],
  })
})

test('without consent the library tells nothing explicit to devices; what they told themselves they get back', async () => {
  await using world = await plant()
  const { app, root, alice, other, enclosure } = world
  const { id: loud } = await root.podcasts.find(world.rude.id)
  const user = (consent: boolean) => root.users.change('alice', { role: 'user', explicitConsent: consent })
  await user(true)
  const browser = app.as('alice', goodPassword)
  await alice('POST', '/api/2/devices/alice/phone.json', {})
  await browser.podcasts.favour(loud, true)
  const subscribed = async () =>
    ((await alice('GET', '/api/2/subscriptions/alice/phone.json?since=0')).body as { add: string[] }).add
  expect(await subscribed()).toEqual([other])
  await user(false)
  expect(await subscribed()).toEqual([])
  expect((await alice('GET', '/subscriptions/alice.txt')).body).toBe('')
  expect((await alice('GET', '/api/2/devices/alice.json')).body).toMatchObject([{ subscriptions: 0 }])
  // A whole list that leaves out what is hidden does not take it away.
  await alice('PUT', '/subscriptions/alice/phone.txt', `${fog}\n`)
  await user(true)
  expect(await subscribed()).toEqual([other, fog])
  await user(false)
  await alice('POST', '/api/2/subscriptions/alice/phone.json', { add: [other.replace('http:', 'HTTP:')] })
  const played = { podcast: other, episode: enclosure, action: 'play', device: 'phone', position: 4 }
  await alice('POST', '/api/2/episodes/alice.json', [played])
  expect((await alice('GET', '/api/2/episodes/alice.json')).body).toMatchObject({ actions: [{ position: 4 }] })
})
