import { expect, test } from 'bun:test'
import { basic, goodPassword, startTestApp, withPasswords } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import {
  appOf,
  beginLoginFlow,
  fog,
  type Granted,
  lamps,
  play,
  start,
  startLibrary,
  textOf,
} from '../../support/podcast-app'

const opml = (urls: readonly string[]) =>
  `<?xml version="1.0"?><opml version="2.0"><body>${urls.map(url => `<outline xmlUrl="${url}"/>`).join('')}</body></opml>`

test('a request without credentials is answered with a Basic challenge', async () => {
  await using running = await start()
  for (const path of [
    '/api/2/devices/alice.json',
    '/subscriptions/alice.opml',
    '/index.php/apps/gpoddersync/subscriptions',
  ]) {
    const refused = await running.alice.call('GET', path, { headers: {} })
    const challenge = refused.headers.get('www-authenticate')
    expect([path, refused.status, challenge]).toEqual([path, 401, 'Basic realm="Castellan", charset="UTF-8"'])
  }
})

test('wrong credentials are answered with the challenge again', async () => {
  await using running = await start()
  const wrong: Record<string, string>[] = [{ Authorization: basic('alice', 'wrong') }, { Cookie: 'sessionid=nothing' }]
  for (const headers of wrong) {
    const refused = await running.alice.devices({ headers })
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)])
  }
})

test('an unreadable Authorization header is answered with 400', async () => {
  await using running = await start()
  expect((await running.alice.devices({ headers: { Authorization: 'Basic ###' } })).status).toBe(400)
})

test("another user's path is a mistake", async () => {
  await using running = await start()
  await running.app.signUp('bob')
  expect((await running.alice.call('GET', '/api/2/devices/bob.json')).status).toBe(400)
  expect((await running.alice.call('GET', '/subscriptions/bob/phone.txt')).status).toBe(400)
})

test('the own name is good in any case of letters', async () => {
  await using running = await start()
  expect((await running.alice.call('GET', '/api/2/devices/ALICE.json')).status).toBe(200)
  expect((await appOf(running.app, 'Alice').devices()).status).toBe(200)
})

test('a password may have colons', async () => {
  await using running = await start()
  const { app } = running
  const { id } = app.context.invites.create('user', false)
  await app.context.invites.accept({ username: 'carl', password: 'Pass:w0rd:2', inviteId: id })
  expect((await appOf(app, 'carl', 'Pass:w0rd:2').devices()).json).toEqual([])
})

test('names and passwords may have letters of all kinds', async () => {
  await using running = await start()
  const { app } = running
  const { id } = app.context.invites.create('user', false)
  await app.context.invites.accept({ username: 'björn', password: 'Passw0rd Żółć', inviteId: id })
  expect((await appOf(app, 'björn', 'Passw0rd Żółć').devices()).json).toEqual([])
})

test('a password is answered with a cookie, the same each time', async () => {
  await using running = await start()
  const { alice } = running
  const login = await alice.call('POST', '/api/2/auth/alice/login.json', { body: 'null' })
  expect([login.status, login.text]).toEqual([200, ''])
  expect(login.cookie).toMatch(/^[\w-]{40,}$/)
  expect((await alice.devices()).cookie).toBe(login.cookie)
})

test('the cookie alone is enough from then on', async () => {
  await using running = await start()
  const { alice } = running
  const headers = { Cookie: `sessionid=${(await alice.devices()).cookie}` }
  expect((await alice.devices({ headers })).status).toBe(200)
  expect((await alice.call('POST', '/api/2/episodes/alice.json', { headers, body: [play(5)] })).status).toBe(200)
})

test('the cookie is not secure on plain http, and is on https', async () => {
  await using plain = await start()
  const given = async ({ alice }: typeof plain, more: Record<string, string> = {}) =>
    (await alice.devices({ headers: { Authorization: basic('alice', goodPassword), ...more } })).headers.get(
      'set-cookie',
    )
  const asPlain = /^sessionid=[^;]+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=31536000$/
  expect(await given(plain)).toMatch(asPlain)
  expect(await given(plain, { 'X-Forwarded-Proto': 'https' })).toMatch(/; Path=\/; Max-Age=31536000; Secure$/)
  expect(await given(plain, { 'X-Forwarded-Proto': 'http' })).toMatch(asPlain)

  await using named = await start({ SERVER_URL: 'https://pod.example/castellan' })
  expect(await given(named)).toMatch(/; Path=\/castellan\/; Max-Age=31536000; Secure$/)

  await using strict = await startTestApp({ env: { ...withPasswords, TRUSTED_PROXIES: '10.9.9.9' } })
  const headers = { Authorization: basic('root', withPasswords.PASSWORD), 'X-Forwarded-Proto': 'https' }
  const answer = await fetch(`${strict.listen()}/api/2/devices/root.json`, { headers })
  expect(answer.headers.get('set-cookie')).toMatch(asPlain)
})

test('signing out ends the cookie', async () => {
  await using running = await start()
  const { alice } = running
  const headers = { Cookie: `sessionid=${(await alice.devices()).cookie}` }
  const out = await alice.call('POST', '/api/2/auth/alice/logout.json', { headers })
  expect([out.status, out.headers.get('set-cookie')]).toEqual([200, expect.stringContaining('Max-Age=0')])
  expect((await alice.devices({ headers })).status).toBe(401)
  expect((await alice.call('POST', '/api/2/auth/alice/logout.json', { headers: {} })).status).toBe(200)
})

test('an API key is good as a password', async () => {
  await using running = await start()
  const apiKey = '0123456789abcdef0123456789abcd3e'
  await running.user.users.edit('alice', { apiKey })
  expect((await appOf(running.app, 'alice', apiKey).devices()).status).toBe(200)
  expect((await appOf(running.app, 'root', apiKey).devices()).status).toBe(401)
})

test('a device is made and changed with an empty answer', async () => {
  await using running = await start()
  const { alice } = running
  for (const made of [
    await alice.saveDevice('my.phone-1', { caption: 'Phone', type: 'laptop' }),
    await alice.saveDevice('my.phone-1', {}, 'PUT'),
  ])
    expect([made.status, made.text]).toEqual([200, ''])
  const device = { id: 'my.phone-1', caption: 'Phone', type: 'laptop', subscriptions: 0 }
  expect((await alice.devices()).json).toEqual([device])
})

test('an empty caption, an unknown type or a body that is no JSON makes no device', async () => {
  await using running = await start()
  const { alice } = running
  for (const bad of [{ caption: ' ' }, { type: 'toaster' }, 'no json'])
    expect((await alice.saveDevice('phone', bad)).status).toBe(400)
  expect((await alice.devices()).json).toEqual([])
})

test('a tablet is reported as a mobile', async () => {
  await using running = await start()
  await running.alice.saveDevice('pad', { type: 'tablet' })
  expect((await running.alice.devices()).json).toMatchObject([{ id: 'pad', caption: 'New Device', type: 'mobile' }])
})

test('a time to ask from is required where the protocol has it, and may have a fraction', async () => {
  await using running = await start()
  const { alice } = running
  await alice.subscribe('phone', [fog])
  const at = async (query: string) => (await alice.call('GET', `/api/2/subscriptions/alice/phone.json${query}`)).status
  for (const [query, status] of [
    ['', 400],
    ['?since=-1', 400],
    ['?since=soon', 400],
    ['?since=12.75', 200],
  ] as const)
    expect([query, await at(query)]).toEqual([query, status])
})

test('the same address cannot come and go at once', async () => {
  await using running = await start()
  const { alice } = running
  expect((await alice.subscribe('phone', [fog], [fog])).status).toBe(400)
  expect(await alice.list('phone')).toEqual([])
  // In another spelling it stays.
  expect((await alice.subscribe('phone', [fog], [fog.replace('https', 'http')])).status).toBe(200)
  expect(await alice.list('phone')).toEqual([fog])
})

test('an address with spaces and capitals is told in our spelling, one that is none with nothing, tokens stay', async () => {
  await using running = await start()
  const { alice } = running
  const spelled = ' HTTPS://Feeds.Example/Fog.xml?token=AbC '
  const secret = 'https://user:Secret@feeds.example/private.xml'
  const answer = await alice.subscribe('phone', [spelled, 'ftp://feeds.example/x.xml', secret])
  expect(answer.json).toMatchObject({
    update_urls: [
      [spelled, 'https://feeds.example/Fog.xml?token=AbC'],
      ['ftp://feeds.example/x.xml', ''],
    ],
  })
  expect((await alice.changes('phone')).json).toMatchObject({
    add: ['https://feeds.example/Fog.xml?token=AbC', secret],
  })
})

test('whole lists come as text, JSON and OPML, are replaced and emptied', async () => {
  await using running = await start()
  const { alice } = running
  const bodies = {
    txt: (urls: string[]) => urls.map(url => `${url}\n`).join(''),
    json: (urls: string[]) => JSON.stringify(urls),
    opml,
  }
  for (const [format, write] of Object.entries(bodies)) {
    for (const urls of [[fog, lamps], [lamps], []]) {
      const put = await alice.put('phone', format, write(urls))
      expect([format, put.status, put.text]).toEqual([format, 200, ''])
      expect([format, await alice.list('phone')]).toEqual([format, urls])
      expect((await alice.call('GET', '/subscriptions/alice/phone.txt')).text).toBe(bodies.txt(urls))
    }
  }
})

test('the subscriptions of all devices are podcast objects in JSON', async () => {
  await using running = await start()
  await running.alice.subscribe('phone', [fog])
  await running.alice.subscribe('laptop', [lamps])
  const all = (await running.alice.call('GET', '/subscriptions/alice.json')).json
  const pictures = { logo_url: null, scaled_logo_url: null }
  const links = { website: null, mygpo_link: null }
  const podcast = { author: '', description: '', subscribers: 1, subscribers_last_week: 1, ...pictures, ...links }
  expect(all).toEqual([fog, lamps].map(url => ({ url, title: url, ...podcast })))
})

test('OPML is given to whoever shows a password and was never here before', async () => {
  await using running = await start()
  await running.alice.subscribe('phone', [`${fog}?a=1&b=2`])
  const stranger = appOf(running.app, 'alice')
  const answer = await stranger.call('GET', '/subscriptions/alice.opml')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/xml'])
  expect(answer.text).toContain(`xmlUrl="${fog}?a=1&amp;b=2"`)
})

test('an action without a time happened now', async () => {
  await using running = await start()
  const { alice, now } = running
  await alice.upload([play(5, { timestamp: undefined })])
  expect((await alice.received()).actions).toMatchObject([{ timestamp: textOf(now()) }])
})

test('times come in all spellings and go out in one', async () => {
  await using running = await start()
  const { alice } = running
  const spellings = [
    '2026-05-01T10:00:00',
    '2026-05-01T10:00:01Z',
    '2026-05-01T12:00:02+02:00',
    '2026-05-01T10:00:03.250',
    '2026-05-01T10:00:04.250Z',
    1777629605,
    '1777629606',
  ]
  await alice.upload(
    spellings.map((timestamp, index) => play(index + 1, { timestamp, episode: `https://cdn.example/${index}.mp3` })),
  )
  const expected = spellings.map((_, index) => `2026-05-01T10:00:0${index}`)
  expect((await alice.received()).actions.map(({ timestamp }) => timestamp)).toEqual(expected)
  expect((await alice.toldByCloud()).map(({ timestamp }) => timestamp)).toEqual(expected)
})

test('only plays have numbers in API 2, and no -1 leaks into it', async () => {
  await using running = await start()
  const { alice } = running
  await alice.upload([
    { ...play(-1, { started: -1, total: -1 }), action: 'download', episode: 'https://cdn.example/d.mp3' },
    play(9, { started: undefined, total: undefined, guid: 'null', episode: 'https://cdn.example/e.mp3' }),
  ])
  await alice.cloud('POST', 'episode_action/create', [play(7, { action: 'PLAY', started: -1, total: -1, guid: '' })])
  const same = { podcast: fog, timestamp: '2026-05-01T10:00:00' }
  const played = { ...same, action: 'play', started: 0 }
  expect((await alice.received()).actions).toEqual([
    { ...same, episode: 'https://cdn.example/d.mp3', action: 'download', device: 'phone' },
    { ...played, episode: 'https://cdn.example/e.mp3', device: 'phone', position: 9 },
    { ...played, episode: 'https://cdn.example/one.mp3', device: 'nextcloud', position: 7 },
  ])
})

test('actions are in small letters in API 2 and in capitals for Nextcloud, whatever they came in', async () => {
  await using running = await start()
  const { alice } = running
  const two = { action: 'PLAY', episode: 'https://cdn.example/two.mp3' }
  await alice.upload([play(5), play(6, two)])
  await alice.cloud('POST', 'episode_action/create', [play(7, { episode: 'https://cdn.example/three.mp3' })])
  expect((await alice.received()).actions.map(({ action }) => action)).toEqual(['play', 'play', 'play'])
  expect((await alice.toldByCloud()).map(({ action }) => action)).toEqual(['PLAY', 'PLAY', 'PLAY'])
})

test('what was played offline on Monday and uploaded on Wednesday is seen by who asked on Tuesday', async () => {
  await using running = await start()
  const { alice, now } = running
  const monday = textOf(now())
  now.advance(86_400_000)
  const { timestamp } = await alice.received('since=0')
  now.advance(86_400_000)
  await alice.upload([play(77, { timestamp: monday })])
  expect((await alice.received(`since=${timestamp}`)).actions).toMatchObject([{ position: 77, timestamp: monday }])
  expect(await alice.toldByCloud(`since=${timestamp}`)).toMatchObject([{ position: 77 }])
})

test('what another device uploads in the same second is seen', async () => {
  await using running = await start()
  const { alice } = running
  await alice.subscribe('phone', [])
  const { timestamp } = await alice.received('since=0')
  await alice.upload([play(5, { device: 'laptop' })])
  expect((await alice.received(`since=${timestamp}`)).actions).toMatchObject([{ position: 5 }])
  const changes = (await alice.changes('phone')).json as { timestamp: number }
  await alice.subscribe('laptop', [fog])
  expect((await alice.changes('phone', changes.timestamp)).json).toMatchObject({ add: [fog] })
})

test('five thousand actions are taken at once and given back, none twice and none lost', async () => {
  await using running = await start()
  const { alice, now } = running
  const episodes = Array.from({ length: 5000 }, (_, index) => `https://cdn.example/${index}.mp3`)
  const answer = await alice.upload(episodes.map((episode, index) => play(index % 600, { episode })))
  expect([answer.status, answer.json]).toEqual([200, { timestamp: now() / 1000, update_urls: [] }])
  now.advance(1000)
  const first = await alice.received('since=0')
  const rest = await alice.received(`since=${first.timestamp}`)
  const all = [...first.actions, ...rest.actions].map(({ episode, position }) => [episode, position])
  expect(all).toEqual(episodes.map((episode, index) => [episode, index % 600]))
})

test('what an app of either kind or the browser tells is heard by the two others', async () => {
  await using running = await startLibrary()
  const { host, now, root, phone } = running
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const feed = host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure, duration: '600' }] }))
  const { id } = await root.podcasts.add(feed)
  const inBrowser = async () => (await root.podcasts.episodes(id, {}, null)).data[0]!
  const inApi2 = async () => (await phone.received('aggregated=true')).actions[0]
  const inCloud = async () => (await phone.toldByCloud())[0]
  const action = (position: number) => play(position, { podcast: feed, episode: enclosure, timestamp: textOf(now()) })

  await phone.upload([action(100)])
  expect((await inBrowser()).podcastHistoryItem).toMatchObject({ position: 100, total: 600, finished: false })
  expect(await inCloud()).toMatchObject({ action: 'PLAY', episode: enclosure, position: 100, total: 600 })

  now.advance(60_000)
  await phone.cloud('POST', 'episode_action/create', [{ ...action(200), action: 'PLAY' }])
  expect((await inBrowser()).podcastHistoryItem).toMatchObject({ position: 200 })
  expect(await inApi2()).toMatchObject({ action: 'play', episode: enclosure, position: 200, total: 600 })

  now.advance(60_000)
  await root.playback.save({ podcastEpisodeId: (await inBrowser()).podcastEpisode.episode_id, time: 300, total: 600 })
  const heard = { podcast: feed, episode: enclosure, guid: 'one', timestamp: textOf(now()), position: 300, total: 600 }
  expect(await inApi2()).toMatchObject({ ...heard, action: 'play' })
  expect(await inCloud()).toMatchObject({ ...heard, action: 'PLAY' })
})

test('an app that asks for access is told "not yet" until it is granted, and what it needs once, by form or JSON', async () => {
  await using running = await start()
  const { app, user } = running
  const asForm = await beginLoginFlow(app, 'AntennaPod/3.9')
  const asJson = await beginLoginFlow(app, 'Cardo')
  expect(asForm.poll.token.length).toBeGreaterThanOrEqual(32)
  expect(asForm.poll.endpoint).toBe('http://localhost/index.php/login/v2/poll')
  expect(asForm.login).toMatch(/^http:\/\/localhost\/ui\/grant\/[0-9a-f]{64}$/)
  for (const [flow, poll] of [
    [asForm, asForm.pollAsForm],
    [asJson, asJson.pollAsJson],
  ] as const) {
    expect((await poll()).status).toBe(404)
    await user.appPasswords.grant(flow.id)
    const granted = (await (await poll()).json()) as Granted
    expect(granted).toMatchObject({ server: 'http://localhost', loginName: 'alice' })
    expect((await poll()).status).toBe(404)
    const phone = appOf(app, granted.loginName, granted.appPassword)
    expect((await phone.cloud('GET', 'subscriptions')).json).toMatchObject({ add: [], remove: [] })
  }
})

test('a body that nothing can be made of is a mistake', async () => {
  await using running = await start()
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  for (const value of [deep, '{"toString":1}']) {
    const action = `[{"podcast":"${fog}","episode":"${lamps}","action":"play","position":${value}}]`
    expect((await running.alice.call('POST', '/api/2/episodes/alice.json', { body: action })).status).toBe(400)
    const setting = `{"set":{"a":${value}}}`
    expect((await running.alice.call('POST', '/api/2/settings/alice/account.json', { body: setting })).status).toBe(400)
  }
})
