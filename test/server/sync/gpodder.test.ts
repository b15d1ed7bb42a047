import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { syncCookie } from '../../../src/server/http/gpodder/cookie'
import { basic, goodPassword, refusal, startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const fog = 'https://feeds.example/fog.xml'
const lamps = 'https://feeds.example/lamps.xml'

type Answer = { status: number; text: string; json: never; headers: Headers; cookie: string | null }

/** A podcast app: its calls, with a password, with the cookie that it was given, or with nothing. */
function appOf(app: TestApp, username: string, password = goodPassword) {
  async function call(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const { body, headers = { Authorization: basic(username, password) } } = options
    const response = await app.fetch(path, {
      method,
      headers,
      ...(body !== undefined && {
        body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
      }),
    })
    const text = await response.text()
    const answer: Answer = {
      status: response.status,
      text,
      get json() {
        return JSON.parse(text) as never
      },
      headers: response.headers,
      cookie: /sessionid=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? null,
    }
    return answer
  }
  const changes = (device: string, since = 0) =>
    call('GET', `/api/2/subscriptions/${username}/${device}.json?since=${since}`)
  return {
    call,
    changes,
    subscribe: (device: string, add: string[], remove: string[] = []) =>
      call('POST', `/api/2/subscriptions/${username}/${device}.json`, { body: { add, remove } }),
    upload: (actions: unknown) => call('POST', `/api/2/episodes/${username}.json`, { body: actions }),
    actions: (query = '') => call('GET', `/api/2/episodes/${username}.json?${query}`),
  }
}

const play = (position: number, more: object = {}) => ({
  podcast: fog,
  episode: 'https://cdn.example/one.mp3',
  action: 'play',
  device: 'phone',
  timestamp: '2026-05-01T10:00:00',
  started: 0,
  position,
  total: 600,
  ...more,
})

async function start() {
  const now = startClock()
  const app = await startTestApp({ env: withPasswords, now })
  await app.signUp('alice')
  return { app, now, alice: appOf(app, 'alice'), [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('who shows nothing, or something wrong, is asked to sign in; what cannot be read is said to be unreadable', async () => {
  await using running = await start()
  const { alice } = running
  const devices = '/api/2/devices/alice.json'
  for (const headers of [{}, { Authorization: basic('alice', 'wrong') }, { Cookie: 'sessionid=nothing' }]) {
    const refused = await alice.call('GET', devices, { headers: headers as Record<string, string> })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="Castellan", charset="UTF-8"',
    ])
  }
  expect((await alice.call('GET', devices, { headers: { Authorization: 'Basic ###' } })).status).toBe(400)
})

test("another user's path is a mistake, the own one in any case; colons and letters of all kinds are fine in passwords", async () => {
  await using running = await start()
  const { app, alice } = running
  expect((await alice.call('GET', '/api/2/devices/bob.json')).status).toBe(400)
  expect((await alice.call('GET', '/api/2/devices/ALICE.json')).status).toBe(200)
  const { id } = app.context.invites.create('user', false)
  await app.context.invites.accept({ username: 'björn', password: 'Pass:w0rd:Żółć', inviteId: id })
  const other = appOf(app, 'björn', 'Pass:w0rd:Żółć')
  expect((await other.call('GET', `/api/2/devices/${encodeURIComponent('björn')}.json`)).json).toEqual([] as never)
})

test('a cookie is given with the first answer, is good alone, not secure on plain http, and ends by signing out', async () => {
  await using running = await start()
  const { alice } = running
  const login = await alice.call('POST', '/api/2/auth/alice/login.json', { body: 'null' })
  expect([login.status, login.text]).toEqual([200, ''])
  expect(login.headers.get('set-cookie')).toMatch(
    /^sessionid=[^;]+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=31536000$/,
  )
  const secure = await alice.call('POST', '/api/2/auth/alice/login.json', {
    headers: { Authorization: basic('alice', goodPassword) },
  })
  // The same password has the same session.
  expect(secure.cookie).toBe(login.cookie)
  const Cookie = `sessionid=${login.cookie}`
  expect((await alice.call('GET', '/api/2/devices/alice.json', { headers: { Cookie } })).status).toBe(200)
  // It is good for sync and nothing else.
  expect(
    (await alice.call('GET', '/api/v1/podcasts', { headers: { Cookie: `castellan=${login.cookie}` } })).status,
  ).toBe(401)
  expect((await alice.call('POST', '/api/2/auth/alice/logout.json', { headers: { Cookie } })).status).toBe(200)
  expect((await alice.call('GET', '/api/2/devices/alice.json', { headers: { Cookie } })).status).toBe(401)
  // What the address of the request decides: https, and the path that we lie below.
  expect(syncCookie('https://pod.example/castellan/', 'x')).toBe(
    'sessionid=x; HttpOnly; SameSite=Lax; Path=/castellan/; Max-Age=31536000; Secure',
  )
})

test('an API key is good as a password', async () => {
  await using running = await start()
  const { app } = running
  const apiKey = '0123456789abcdef0123456789abcd3e'
  await app.as('alice', goodPassword).users.edit('alice', { apiKey })
  expect((await appOf(app, 'alice', apiKey).call('GET', '/api/2/devices/alice.json')).status).toBe(200)
})

test('a device is made and changed with an empty answer; an empty caption and an unknown type are refused, a tablet is mobile', async () => {
  await using running = await start()
  const { alice } = running
  const save = (body: unknown, method = 'POST') => alice.call(method, '/api/2/devices/alice/my.phone-1.json', { body })
  const made = await save({ caption: 'Phone', type: 'tablet' })
  expect([made.status, made.text]).toEqual([200, ''])
  expect((await save({}, 'PUT')).status).toBe(200)
  expect((await alice.call('GET', '/api/2/devices/alice.json')).json).toEqual([
    { id: 'my.phone-1', caption: 'Phone', type: 'mobile', subscriptions: 0 },
  ] as never)
  for (const bad of [{ caption: ' ' }, { type: 'toaster' }, 'no json']) expect((await save(bad)).status).toBe(400)
})

test('subscriptions travel between devices, with all three parts and by their latest state', async () => {
  await using running = await start()
  const { alice, now } = running
  const first = await alice.subscribe('phone', [fog, lamps])
  expect(first.json).toEqual({ timestamp: now() / 1000, update_urls: [] } as never)
  expect((await alice.changes('laptop')).status).toBe(404)
  await alice.subscribe('laptop', [])
  expect((await alice.changes('laptop')).json).toEqual({
    add: [fog, lamps],
    remove: [],
    timestamp: now() / 1000,
  } as never)
  now.advance(10_000)
  await alice.subscribe('laptop', [], [fog])
  const { timestamp, ...since } = (await alice.changes('phone', now() / 1000 - 5)).json as { timestamp: number }
  expect([timestamp, since]).toEqual([now() / 1000, { add: [], remove: [fog] }])
})

test('a time that is missing or none is refused, a fraction is fine; the same address cannot come and go at once', async () => {
  await using running = await start()
  const { alice } = running
  await alice.subscribe('phone', [fog])
  const at = (query: string) => alice.call('GET', `/api/2/subscriptions/alice/phone.json${query}`)
  expect((await at('')).status).toBe(400)
  expect((await at('?since=-1')).status).toBe(400)
  expect((await at('?since=12.75')).status).toBe(200)
  expect((await alice.subscribe('phone', [fog], [fog])).status).toBe(400)
  expect((await alice.subscribe('phone', [], ['https://unknown.example/'])).status).toBe(200)
  expect((await alice.call('POST', '/api/2/subscriptions/alice/phone.json', { body: '' })).status).toBe(400)
})

test('an address with spaces and capitals is told in our spelling, one that is none with nothing, tokens stay', async () => {
  await using running = await start()
  const { alice } = running
  const answer = await alice.subscribe('phone', [
    ' HTTPS://Feeds.Example/Fog.xml?token=AbC ',
    'ftp://feeds.example/x.xml',
    'https://user:Secret@feeds.example/private.xml',
  ])
  expect(answer.json).toMatchObject({
    update_urls: [
      [' HTTPS://Feeds.Example/Fog.xml?token=AbC ', 'https://feeds.example/Fog.xml?token=AbC'],
      ['ftp://feeds.example/x.xml', ''],
    ],
  })
  expect((await alice.changes('phone')).json).toMatchObject({
    add: ['https://feeds.example/Fog.xml?token=AbC', 'https://user:Secret@feeds.example/private.xml'],
  })
  // Another spelling of the same is no other subscription.
  await alice.subscribe('phone', ['http://feeds.example:80/Fog.xml?token=AbC'])
  expect(((await alice.changes('phone')).json as { add: string[] }).add.length).toBe(2)
})

test('whole lists come as text, JSON and OPML, are replaced and emptied; all devices together are podcast objects', async () => {
  await using running = await start()
  const { alice } = running
  const path = '/subscriptions/alice/phone'
  for (const [format, body] of [
    ['txt', `${fog}\n${lamps}\n`],
    ['json', JSON.stringify([fog, lamps])],
    [
      'opml',
      `<?xml version="1.0"?><opml version="2.0"><body><outline xmlUrl="${fog}"/><outline xmlUrl="${lamps}"/></body></opml>`,
    ],
  ] as const) {
    const put = await alice.call('PUT', `${path}.${format}`, { body })
    expect([format, put.status, put.text]).toEqual([format, 200, ''])
    expect((await alice.call('GET', `${path}.json`)).json).toEqual([fog, lamps] as never)
    expect((await alice.call('GET', `${path}.txt`)).text).toBe(`${fog}\n${lamps}\n`)
    expect((await alice.call('GET', '/subscriptions/alice.opml')).text).toContain(`xmlUrl="${lamps}"`)
    const none = { txt: '', json: '[]', opml: '<?xml version="1.0"?><opml version="2.0"><body/></opml>' }[format]
    expect((await alice.call('PUT', `${path}.${format}`, { body: none })).status).toBe(200)
    expect((await alice.call('GET', `${path}.txt`)).text).toBe('')
  }
  await alice.subscribe('phone', [fog])
  expect((await alice.call('GET', '/subscriptions/alice.json')).json).toMatchObject([{ url: fog, title: fog }])
  expect((await alice.call('GET', '/subscriptions/alice.yaml')).status).toBe(404)
})

test('a new device that names its own list takes nothing away from the others', async () => {
  await using running = await start()
  const { alice, now } = running
  await alice.subscribe('phone', [fog])
  now.advance(5000)
  await alice.call('PUT', '/subscriptions/alice/laptop.txt', { body: `${lamps}\n` })
  expect((await alice.call('GET', '/subscriptions/alice/phone.json')).json).toEqual([fog, lamps] as never)
})

test('a whole list that is put again takes nothing of others away; what was fetched and is left out goes', async () => {
  await using running = await start()
  const { alice, now } = running
  const put = (list: string) => alice.call('PUT', '/subscriptions/alice/desk.txt', { body: list })
  await put(`${fog}\n`)
  now.advance(5000)
  await alice.subscribe('phone', [lamps])
  now.advance(5000)
  // It was never told of the other one.
  await put(`${fog}\n`)
  expect((await alice.call('GET', '/subscriptions/alice/desk.json')).json).toEqual([fog, lamps] as never)
  now.advance(5000)
  await put(`${fog}\n`)
  expect((await alice.call('GET', '/subscriptions/alice/desk.json')).json).toEqual([fog] as never)
})

test('played, set back and played again: each counts', async () => {
  await using running = await start()
  const { alice } = running
  await alice.upload([
    play(600, { timestamp: '2026-05-01T10:00:00' }),
    { ...play(0, { timestamp: '2026-05-01T10:30:00' }), action: 'new' },
    play(600, { timestamp: '2026-05-01T11:00:00' }),
  ])
  const { actions } = (await alice.actions('aggregated=true')).json as { actions: { action: string }[] }
  expect(actions).toMatchObject([{ action: 'play', position: 600, timestamp: '2026-05-01T11:00:00' }])
})

test('a time from before all times breaks nothing, and an app link is unwrapped', async () => {
  await using running = await start()
  const { alice } = running
  await alice.upload([play(5, { timestamp: -1e14 })])
  expect(((await alice.actions()).json as { actions: object[] }).actions).toMatchObject([
    { timestamp: '1970-01-01T00:00:00' },
  ])
  await alice.subscribe('phone', ['feed:https://feeds.example/rss', 'feed://feeds.example/other'])
  expect((await alice.changes('phone')).json).toMatchObject({
    add: ['http://feeds.example/other', 'https://feeds.example/rss'],
  })
})

test('when an API key is dropped, what an app got by it ends', async () => {
  await using running = await start()
  const { app } = running
  const apiKey = '0123456789abcdef0123456789abcd3e'
  const root = app.as('alice', goodPassword)
  await root.users.edit('alice', { apiKey })
  const { cookie } = await appOf(app, 'alice', apiKey).call('GET', '/api/2/devices/alice.json')
  await root.users.removeApiKey()
  const again = await running.alice.call('GET', '/api/2/devices/alice.json', {
    headers: { Cookie: `sessionid=${cookie}` },
  })
  expect(again.status).toBe(401)
})

test('times come in all spellings and go out in one; numbers of plays alone, and no -1', async () => {
  await using running = await start()
  const { alice, now } = running
  const spellings: unknown[] = [
    '2026-05-01T10:00:00',
    '2026-05-01T10:00:01Z',
    '2026-05-01T12:00:02+02:00',
    '2026-05-01T10:00:03.250',
    '2026-05-01T10:00:04.250Z',
    1777629605,
    '1777629606',
    undefined,
  ]
  await alice.upload(
    spellings.map((timestamp, index) => play(index + 1, { timestamp, episode: `https://cdn.example/${index}.mp3` })),
  )
  await alice.upload([
    { ...play(-1, { started: -1, total: -1 }), action: 'DOWNLOAD', episode: 'https://cdn.example/d.mp3' },
    play(9, { started: undefined, total: undefined, guid: 'null', episode: 'https://cdn.example/e.mp3' }),
  ])
  const { actions } = (await alice.actions('since=0')).json as { actions: Record<string, unknown>[] }
  expect(actions.map(({ timestamp }) => timestamp)).toEqual([
    ...Array.from({ length: 7 }, (_, index) => `2026-05-01T10:00:0${index}`),
    new Date(now()).toISOString().slice(0, 19),
    '2026-05-01T10:00:00',
    '2026-05-01T10:00:00',
  ])
  expect(actions[8]).toEqual({
    podcast: fog,
    episode: 'https://cdn.example/d.mp3',
    action: 'download',
    device: 'phone',
    timestamp: '2026-05-01T10:00:00',
  })
  expect(actions[9]).toMatchObject({ action: 'play', started: 0, position: 9 })
  expect(actions[9]).not.toHaveProperty('guid')
})

test('what is broken is left out, the rest is kept; the same twice is kept once; a bad device is refused', async () => {
  await using running = await start()
  const { alice } = running
  const answer = await alice.upload([play(5), play(5), { action: 'play' }, 7, play(6, { action: 'dance' })])
  expect(answer.json).toMatchObject({ update_urls: [] })
  expect(((await alice.actions()).json as { actions: unknown[] }).actions.length).toBe(1)
  expect((await alice.upload([play(5, { device: 'a b' })])).status).toBe(400)
  expect((await alice.upload('no json')).status).toBe(400)
  expect((await alice.actions('device=nobody')).status).toBe(404)
  const zipped = await alice.call('POST', '/api/2/episodes/alice.json', {
    body: gzipSync(JSON.stringify([play(50)])),
    headers: {
      Authorization: basic('alice', goodPassword),
      'Content-Encoding': 'gzip',
      'Content-Type': 'application/x-www-form-urlencoded',
    },
  })
  expect(zipped.status).toBe(200)
  expect(
    ((await alice.actions('aggregated=true')).json as { actions: { position: number }[] }).actions.map(a => a.position),
  ).toEqual([50])
})

test('what was played offline on Monday and uploaded on Wednesday is seen by who asked on Tuesday', async () => {
  await using running = await start()
  const { alice, now } = running
  const monday = new Date(now()).toISOString().slice(0, 19)
  now.advance(86_400_000)
  const { timestamp } = (await alice.actions('since=0')).json as { timestamp: number }
  now.advance(86_400_000)
  await alice.upload([play(77, { timestamp: monday })])
  const { actions } = (await alice.actions(`since=${timestamp}`)).json as { actions: { position: number }[] }
  expect(actions.map(({ position }) => position)).toEqual([77])
})

test('what another device uploads in the same second is seen, and a clock that goes back hides nothing', async () => {
  await using running = await start()
  const { alice, now } = running
  const { timestamp } = (await alice.actions('since=0')).json as { timestamp: number }
  await alice.upload([play(5)])
  const seen = (await alice.actions(`since=${timestamp}`)).json as { actions: unknown[]; timestamp: number }
  expect(seen.actions.length).toBe(1)
  now.advance(-3_600_000)
  await alice.upload([play(9, { episode: 'https://cdn.example/two.mp3' })])
  const later = (await alice.actions(`since=${seen.timestamp}`)).json as {
    actions: { position: number }[]
    timestamp: number
  }
  expect(later.actions.map(({ position }) => position)).toContain(9)
  expect(later.timestamp).toBeGreaterThanOrEqual(seen.timestamp)
})

test('five thousand actions are taken at once and given back in parts, none twice and none lost', async () => {
  await using running = await start()
  const { alice, now } = running
  for (let part = 0; part < 5; part++) {
    await alice.upload(
      Array.from({ length: 1000 }, (_, index) => play(1, { episode: `https://cdn.example/${part}-${index}.mp3` })),
    )
    now.advance(1000)
  }
  const seen = new Set<string>()
  let since = 0
  let rounds = 0
  for (;;) {
    const { actions, timestamp } = (await alice.actions(`since=${since}`)).json as {
      actions: { episode: string }[]
      timestamp: number
    }
    const fresh = actions.filter(({ episode }) => !seen.has(episode))
    for (const { episode } of actions) seen.add(episode)
    since = timestamp
    if (fresh.length === 0 || ++rounds > 20) break
  }
  expect(seen.size).toBe(5000)
})

test('phone and browser have one position: the newest counts, finished is finished, and it is told at once', async () => {
  using host = startFeedHost()
  const now = startClock()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }, now })
  const root = app.as('root', 'Sup3rSecret')
  app.prefill(0)
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const feed = host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure, duration: '600' }] }))
  const phone = appOf(app, 'root', 'Sup3rSecret')
  // Before the library has the feed.
  await phone.subscribe('phone', [feed])
  await phone.upload([play(120, { podcast: feed, episode: enclosure, guid: 'one' })])
  expect(await root.client.get<unknown>('/podcasts/available/gpodder')).toEqual([{ device: 'phone', podcast: feed }])
  const podcast = await root.podcasts.add(feed)
  expect(await root.client.get<unknown>('/podcasts/available/gpodder')).toEqual([])
  const episode = async () => (await root.podcasts.episodes(podcast.id, {}, null)).data[0]!
  const { podcastEpisode, podcastHistoryItem } = await episode()
  expect(podcastHistoryItem).toMatchObject({ position: 120, total: 600, finished: false })

  // The browser goes on, and the phone hears of it.
  now.advance(60_000)
  const since = Math.floor(now() / 1000)
  await root.playback.save({ podcastEpisodeId: podcastEpisode.episode_id, time: 300, total: 600 })
  await root.playback.save({ podcastEpisodeId: podcastEpisode.episode_id, time: 330, total: 600 })
  const { actions } = (await phone.actions(`since=${since}`)).json as { actions: object[] }
  expect(actions).toEqual([
    {
      podcast: feed,
      episode: enclosure,
      guid: 'one',
      action: 'play',
      device: 'castellan',
      timestamp: new Date(now()).toISOString().slice(0, 19),
      started: 0,
      position: 330,
      total: 600,
    },
  ])
  // What is older changes nothing; what is newer does, and is told to the browser.
  await phone.upload([play(200, { podcast: feed, episode: enclosure, timestamp: '2026-05-01T09:00:00' })])
  expect((await episode()).podcastHistoryItem).toMatchObject({ position: 330 })
  now.advance(60_000)
  await phone.upload([play(600, { podcast: feed, episode: enclosure, timestamp: undefined })])
  await app.event('progress', ({ finished, device }) => finished && device === 'phone')
  expect((await episode()).podcastHistoryItem).toMatchObject({ position: 600, finished: true })
  expect((await root.timeline.page({ notListened: true }, null)).data.data).toEqual([])
})

test('episodes are found by guid and by address, however it is spelled; finished ones leave the queue, all at once', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const root = app.as('root', 'Sup3rSecret')
  app.prefill(0)
  const media = (name: string) => `https://cdn.example/${name}.mp3?by=feed%20er`
  const items = ['guid', 'exact', 'spelled', 'other'].map(guid => ({ guid, title: guid, enclosure: media(guid) }))
  const feed = host.feed('/feed.xml', rss({ items }))
  const podcast = await root.podcasts.add(feed)
  const { data } = await root.podcasts.episodes(podcast.id, {}, null)
  await root.queue.reorder({ items: data.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id })) })
  const changes = () => app.events.filter(({ type }) => type === 'queueChanged').length
  const before = changes()

  const ended = (episode: string, more: object = {}) => play(600, { podcast: feed, episode, ...more })
  const phone = appOf(app, 'root', 'Sup3rSecret')
  await phone.upload([
    ended('https://elsewhere.example/moved.mp3', { guid: 'guid' }),
    ended(media('exact')),
    ended(media('spelled').replace('https', 'http').replace('%20', ' ')),
    ended('https://cdn.example/unknown.mp3', { guid: 'unknown' }),
  ])
  expect((await root.queue.find()).items.map(({ podcastEpisode }) => podcastEpisode.name)).toEqual(['other'])
  expect(changes()).toBe(before + 1)
})

test('the library is one more device: what somebody favours reaches his phone, and what he leaves there stays in the library', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const [one, two] = [host.feed('/one.xml', rss({ title: 'One' })), host.feed('/two.xml', rss({ title: 'Two' }))]
  const first = await root.podcasts.add(one)
  const second = await root.podcasts.add(two)
  const alice = await app.signUp('alice')
  const phone = appOf(app, 'alice')
  await alice.podcasts.favour(first.id, true)
  await phone.subscribe('phone', [])
  // Not the whole household's library.
  expect((await phone.changes('phone')).json).toMatchObject({ add: [one] })
  await alice.podcasts.favour(second.id, true)
  expect((await phone.changes('phone')).json).toMatchObject({ add: [one, two] })
  await phone.subscribe('phone', [], [two])
  const names = async () => (await alice.podcasts.list()).filter(({ favorites }) => favorites).map(({ name }) => name)
  expect(await names()).toEqual(['One'])
  expect((await alice.podcasts.list()).length).toBe(2)
  await phone.subscribe('phone', [two])
  expect((await names()).sort()).toEqual(['One', 'Two'])
  // A podcast that is deleted here unsubscribes nobody's phone.
  await root.podcasts.remove(first.id, false)
  expect((await phone.call('GET', '/subscriptions/alice/phone.json')).json).toEqual([one, two] as never)
})

test('where nobody signs in there is nothing to sync with', async () => {
  await using app = await startTestApp()
  expect((await app.fetch('/api/2/devices/admin.json')).status).toBe(404)
})

test("Nextcloud's way is the same store: capitals, -1 for what is not known, plays alone, and no zone", async () => {
  await using running = await start()
  const { alice, now } = running
  const cloud = (method: string, path: string, body?: unknown) =>
    alice.call(method, `/index.php/apps/gpoddersync/${path}`, body === undefined ? {} : { body })
  await alice.subscribe('phone', [fog])
  expect((await cloud('GET', 'subscriptions')).json).toEqual({
    add: [fog],
    remove: [],
    timestamp: now() / 1000,
  } as never)
  expect((await cloud('POST', 'subscription_change/create', { add: [lamps], remove: [fog] })).json).toEqual({
    timestamp: now() / 1000,
  } as never)
  expect((await alice.changes('phone')).json).toMatchObject({ add: [lamps] })

  await alice.upload([play(5, { total: undefined }), play(9, { timestamp: '2026-05-01T11:00:00' })])
  await cloud('POST', 'episode_action/create', [
    {
      ...play(44, { timestamp: '2026-05-01T11:30:00+00:00', episode: 'https://cdn.example/two.mp3', guid: 'two' }),
      action: 'PLAY',
    },
    { ...play(-1, { started: -1, total: -1, timestamp: '2026-05-01T11:40:00' }), action: 'DELETE' },
  ])
  // Fractions, as Cardo sends them, and the doubled slash.
  const told = await alice.call('GET', '//index.php/apps/gpoddersync/episode_action?since=0.5')
  expect(told.json).toMatchObject({
    actions: [
      {
        episode: 'https://cdn.example/one.mp3',
        action: 'PLAY',
        position: 9,
        total: 600,
        timestamp: '2026-05-01T11:00:00',
      },
      {
        episode: 'https://cdn.example/two.mp3',
        action: 'PLAY',
        position: 44,
        guid: 'two',
        timestamp: '2026-05-01T11:30:00',
      },
    ],
  })
  const { actions } = (await alice.actions()).json as { actions: { action: string; episode: string }[] }
  expect(actions.map(({ action }) => action)).toEqual(['play', 'play', 'play', 'delete'])
  expect((await alice.call('GET', '/apps/gpoddersync/subscriptions')).status).toBe(200)
  expect((await alice.call('GET', '/index.php/apps/gpoddersync/subscriptions', { headers: {} })).status).toBe(401)
})

test('all devices are one group; who asks for another is told what there is', async () => {
  await using running = await start()
  const { alice } = running
  const groups = (body?: unknown) =>
    alice.call(body ? 'POST' : 'GET', '/api/2/sync-devices/alice.json', body ? { body } : {})
  await alice.subscribe('phone', [])
  expect((await groups()).json).toEqual({ synchronized: [], 'not-synchronized': ['phone'] } as never)
  await alice.subscribe('laptop', [])
  const together = { synchronized: [['laptop', 'phone']], 'not-synchronized': [] }
  expect((await groups({ synchronize: [['phone', 'laptop']] })).json).toEqual(together as never)
  expect((await groups({ 'stop-synchronize': ['phone'] })).json).toEqual(together as never)
  expect((await groups({ synchronize: [['phone']] })).status).toBe(400)
  expect((await groups({ synchronize: [['phone', 'toaster']] })).status).toBe(404)
})

test('devices are listed, named and removed in the settings; what they subscribe to may be added by itself', async () => {
  using host = startFeedHost()
  const now = startClock()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }, now })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const phone = appOf(app, 'root', 'Sup3rSecret')
  const [first, second] = [host.feed('/1.xml', rss({ title: 'One' })), host.feed('/2.xml', rss({ title: 'Two' }))]
  await phone.subscribe('phone', [first])
  await phone.changes('phone')
  expect(await root.devices.list()).toEqual([
    { id: 'phone', caption: 'New Device', type: 'other', lastSyncAt: new Date(now()).toISOString() },
  ])
  expect(await root.devices.edit('phone', { caption: 'Pixel', type: 'mobile' })).toMatchObject({ caption: 'Pixel' })
  expect(await root.devices.wishes()).toEqual({ autoAdd: false })
  await root.devices.setWishes({ autoAdd: true })
  await phone.subscribe('phone', [second])
  await app.event('addedPodcast')
  expect((await root.podcasts.list()).map(({ name }) => name)).toEqual(['Two'])
  expect(await root.podcasts.available()).toEqual([{ device: 'phone', podcast: first }])
  await root.devices.remove('phone')
  expect(await root.devices.list()).toEqual([])
  // Nobody sees, names or removes what is another's.
  const alice = await app.signUp('alice')
  expect(await alice.devices.list()).toEqual([])
  expect(await refusal(alice.devices.edit('phone', { caption: 'Mine' }))).toMatchObject({ status: 404 })
})

test('marking a podcast as played, and taking it back, reaches the phone', async () => {
  using host = startFeedHost()
  const now = startClock()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' }, now })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const items = [
    { title: 'One', duration: '600' },
    { title: 'Two', duration: '300' },
  ]
  const { id } = await root.podcasts.add(host.feed('/1.xml', rss({ items })))
  const phone = appOf(app, 'root', 'Sup3rSecret')
  await phone.subscribe('phone', [])
  const { undo } = await root.podcasts.markListened(id, { finished: true })
  const positions = async () =>
    ((await phone.actions()).json as { actions: { position: number }[] }).actions.map(({ position }) => position).sort()
  expect(await positions()).toEqual([300, 600])
  now.advance(5000)
  await root.podcasts.undoListened(id, undo)
  expect(await positions()).toEqual([0, 0])
})

test('an app is granted access in the browser: asked until it is, told once, listed, used and taken back', async () => {
  const now = startClock()
  await using app = await startTestApp({ env: withPasswords, now })
  const alice = await app.signUp('alice')
  const post = (path: string, body: string, type: string) =>
    app.fetch(path, { method: 'POST', body, headers: { 'Content-Type': type, 'User-Agent': 'AntennaPod/3.9' } })
  const begun = (await (await post('/index.php/login/v2', '', 'text/plain')).json()) as {
    poll: { token: string; endpoint: string }
    login: string
  }
  expect(begun.poll.token.length).toBeGreaterThanOrEqual(32)
  expect(begun.poll.endpoint).toBe('http://localhost/index.php/login/v2/poll')
  const id = begun.login.replace('http://localhost/ui/grant/', '')
  const poll = (isJson: boolean) =>
    isJson
      ? post('/index.php/login/v2/poll', JSON.stringify({ token: begun.poll.token }), 'application/json')
      : post('/index.php/login/v2/poll', `token=${begun.poll.token}`, 'application/x-www-form-urlencoded')
  expect((await poll(false)).status).toBe(404)
  expect(await alice.appPasswords.asking(id)).toEqual({ app: 'AntennaPod/3.9' })
  await alice.appPasswords.grant(id)
  expect(await refusal(alice.appPasswords.grant(id))).toMatchObject({ status: 404 })
  const granted = (await (await poll(true)).json()) as { server: string; loginName: string; appPassword: string }
  expect(granted).toMatchObject({ server: 'http://localhost', loginName: 'alice' })
  expect((await poll(true)).status).toBe(404)

  const phone = appOf(app, 'alice', granted.appPassword)
  const first = await phone.call('GET', '/index.php/apps/gpoddersync/subscriptions')
  expect(first.status).toBe(200)
  // For sync alone.
  expect((await phone.call('GET', '/api/v1/podcasts')).status).toBe(401)
  const [listed] = await alice.appPasswords.list()
  expect(listed).toMatchObject({ name: 'AntennaPod/3.9', lastUsedAt: new Date(now()).toISOString() })
  const bob = await app.signUp('bob')
  expect(await refusal(bob.appPasswords.remove(listed!.id))).toMatchObject({ status: 404 })
  await alice.appPasswords.remove(listed!.id)
  expect((await phone.call('GET', '/index.php/apps/gpoddersync/subscriptions')).status).toBe(401)
  const Cookie = `sessionid=${first.cookie}`
  expect((await phone.call('GET', '/api/2/devices/alice.json', { headers: { Cookie } })).status).toBe(401)

  // Twenty minutes, and it is over.
  const late = (await (await post('/index.php/login/v2', '', 'text/plain')).json()) as { login: string }
  now.advance(21 * 60_000)
  expect(await refusal(alice.appPasswords.asking(late.login.split('/').at(-1)!))).toMatchObject({ status: 404 })
})

test('liked episodes are favourites', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const feed = host.feed('/1.xml', rss({ title: 'One', items: [{ title: 'Fog' }, { title: 'Lamps' }] }))
  const { id } = await root.podcasts.add(feed)
  const [first] = (await root.podcasts.episodes(id, {}, null)).data
  await root.episodes.like(first!.podcastEpisode.id, true)
  const favourites = (await appOf(app, 'root', 'Sup3rSecret').call('GET', '/api/2/favorites/root.json')).json
  expect(favourites).toMatchObject([{ title: 'Fog', podcast_title: 'One', podcast_url: feed }])
})
