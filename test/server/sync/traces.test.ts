import { expect, test } from 'bun:test'
import { basic, goodPassword } from '../../support/app'
import { antennaPod, cardo, kasts, musicAssistant } from '../../support/app-readers'
import { appOf, beginLoginFlow, fog, lamps, one, play, start, textOf, type Granted } from '../../support/podcast-app'

const harbour = 'https://feeds.example/harbour.xml'
const two = 'https://cdn.example/two.mp3'
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const json = { 'Content-Type': 'application/json; charset=utf-8' }

/** Somebody else's device, between two syncs of the app that a test is about. */
async function listenElsewhere({ app, now }: Awaited<ReturnType<typeof start>>, position: number) {
  const laptop = appOf(app, 'alice')
  now.advance(60_000)
  await laptop.subscribe('laptop', [lamps], [fog])
  await laptop.upload([
    play(position, { podcast: lamps, episode: two, device: 'laptop', timestamp: textOf(now()) }),
    { podcast: lamps, episode: two, device: 'laptop', action: 'download', timestamp: textOf(now()) },
  ])
  now.advance(60_000)
}
const playedElsewhere = (position: number) => ({ episode: two, position })

test('AntennaPod in its gPodder mode: a cookie from signing in, and batches of thirty', async () => {
  await using running = await start()
  const { alice } = running
  const device = 'antennapod_on_pixel_7'
  const login = await alice.call('POST', '/api/2/auth/alice/login.json', {
    body: '',
    headers: { Authorization: basic('alice', goodPassword), 'Content-Type': 'text/plain' },
  })
  expect(login.status).toBe(200)
  const call = (method: string, path: string, body?: unknown) =>
    alice.call(method, path, {
      body,
      headers: { Cookie: `sessionid=${login.cookie}`, ...(body !== undefined && json) },
    })
  const subscriptions = `/api/2/subscriptions/alice/${device}.json`
  const episodes = '/api/2/episodes/alice.json'
  async function uploadAll(actions: object[]) {
    let timestamp = 0
    for (let from = 0; from < actions.length; from += 30)
      timestamp = antennaPod.uploaded(await call('POST', episodes, actions.slice(from, from + 30)))
    return timestamp
  }

  expect(antennaPod.devices(await call('GET', '/api/2/devices/alice.json'))).toEqual([])
  const made = { caption: 'AntennaPod on Pixel 7', type: 'mobile' }
  expect((await call('POST', `/api/2/devices/alice/${device}.json`, made)).status).toBe(200)
  expect(antennaPod.devices(await call('GET', '/api/2/devices/alice.json'))).toEqual([device])
  expect(antennaPod.changes(await call('GET', `${subscriptions}?since=0`))).toMatchObject({ add: [], remove: [] })
  const sinceSubscriptions = antennaPod.uploaded(await call('POST', subscriptions, { add: [fog], remove: [] }))
  expect(antennaPod.played(await call('GET', `${episodes}?since=0`)).played).toEqual([])
  const finished = Array.from({ length: 65 }, (_, index) => {
    const episode = `https://cdn.example/${index}.mp3`
    return play(600, { device, episode, guid: `guid-${index}`, started: 600 })
  })
  const sinceEpisodes = await uploadAll(finished)
  expect((await appOf(running.app, 'alice').received()).actions.length).toBe(65)

  await listenElsewhere(running, 123)
  expect(antennaPod.changes(await call('GET', `${subscriptions}?since=${sinceSubscriptions}`))).toMatchObject({
    add: expect.arrayContaining([lamps]),
    remove: [fog],
  })
  const { played } = antennaPod.played(await call('GET', `${episodes}?since=${sinceEpisodes}`))
  expect(played.filter(({ episode }) => episode === two)).toEqual([playedElsewhere(123)])
  antennaPod.uploaded(await call('POST', subscriptions, { add: [], remove: [] }))
  await uploadAll([play(200, { device, podcast: lamps, episode: two, timestamp: textOf(running.now()) })])
  expect((await alice.received('aggregated=true')).actions.at(-1)).toMatchObject({ device, position: 200 })
})

test('AntennaPod in its Nextcloud mode: access by the browser, then its password each time', async () => {
  await using running = await start()
  const { app, user } = running
  const flow = await beginLoginFlow(app, 'AntennaPod/3.9.0')
  for (let second = 0; second < 3; second++) expect((await flow.pollAsForm()).status).toBe(404)
  await user.appPasswords.grant(flow.id)
  const { loginName, appPassword } = (await (await flow.pollAsForm()).json()) as Granted
  const headers = { Authorization: basic(loginName, appPassword), Accept: 'application/json' }
  const call = (method: string, path: string, body?: unknown) =>
    appOf(app, loginName).call(method, `/index.php/apps/gpoddersync/${path}`, { body, headers })

  expect(antennaPod.changes(await call('GET', 'subscriptions?since=0'))).toMatchObject({ add: [], remove: [] })
  const add = { add: [fog], remove: [] }
  const since = antennaPod.uploaded(await call('POST', 'subscription_change/create', add), true)
  expect(antennaPod.played(await call('GET', 'episode_action?since=0')).played).toEqual([])
  const actions = [play(100, { action: 'PLAY', guid: 'one' })]
  const sinceActions = antennaPod.uploaded(await call('POST', 'episode_action/create', actions), true)

  await listenElsewhere(running, 321)
  const changes = antennaPod.changes(await call('GET', `subscriptions?since=${since}`))
  expect(changes).toMatchObject({ add: expect.arrayContaining([lamps]), remove: [fog] })
  const { played } = antennaPod.played(await call('GET', `episode_action?since=${sinceActions}`))
  expect(played).toContainEqual(playedElsewhere(321))
})

test('Kasts: its password each time, aggregated at first, and all devices linked', async () => {
  await using running = await start()
  const { alice } = running
  const device = 'kasts-desk'
  const call = (method: string, path: string, body?: unknown) =>
    alice.call(method, path, {
      body,
      headers: { Authorization: basic('alice', goodPassword), ...(body !== undefined && form) },
    })
  const subscriptions = (device: string) => `/api/2/subscriptions/alice/${device}.json`
  const episodes = '/api/2/episodes/alice.json'
  await appOf(running.app, 'alice').subscribe('phone', [harbour])

  expect(antennaPod.devices(await call('GET', '/api/2/devices/alice.json'))).toEqual(['phone'])
  await call('POST', `/api/2/devices/alice/${device}.json`, { caption: 'Desk', type: 'desktop' })
  const apart = kasts.groups(await call('GET', '/api/2/sync-devices/alice.json'))
  expect(apart.toSorted()).toEqual([device, 'phone'])
  const linked = await call('POST', '/api/2/sync-devices/alice.json', { synchronize: [apart], 'stop-synchronize': [] })
  expect(kasts.groups(linked)).toEqual(apart)
  for (const name of apart)
    expect(kasts.changes(await call('GET', `${subscriptions(name)}?since=0`)).add).toEqual([harbour])
  const since = kasts.uploaded(await call('POST', subscriptions(device), { add: [fog], remove: [] }))
  expect(kasts.played(await call('GET', `${episodes}?since=0&aggregated=true`)).played).toEqual([])
  const actions = Array.from({ length: 31 }, (_, index) =>
    play(index + 1, { device, timestamp: `2026-05-01T10:00:${index + 10}` }),
  )
  for (const batch of [actions.slice(0, 30), actions.slice(30)]) kasts.uploaded(await call('POST', episodes, batch))
  const first = kasts.played(await call('GET', `${episodes}?since=0&aggregated=true`))
  expect(first.played).toEqual([{ episode: one, position: 31 }])

  await listenElsewhere(running, 222)
  const changes = kasts.changes(await call('GET', `${subscriptions(device)}?since=${since}`))
  expect(changes).toMatchObject({ add: expect.arrayContaining([lamps]), remove: [fog] })
  const second = kasts.played(await call('GET', `${episodes}?since=${first.timestamp}&aggregated=false`))
  expect(second.played).toContainEqual(playedElsewhere(222))
  expect(second.timestamp).toBeGreaterThan(first.timestamp)
})

test('Cardo: polling by JSON, doubled slashes, times with fractions, and actions in capitals', async () => {
  await using running = await start()
  const { app, now, user } = running
  const flow = await beginLoginFlow(app, 'Cardo', '//index.php/login/v2')
  expect((await flow.pollAsJson()).status).toBe(404)
  await user.appPasswords.grant(flow.id)
  const { loginName, appPassword } = (await (await flow.pollAsJson()).json()) as Granted
  const headers = { Authorization: basic(loginName, appPassword), 'OCS-APIRequest': 'true' }
  const call = (method: string, path: string, body?: unknown) =>
    appOf(app, loginName).call(method, `//index.php/apps/gpoddersync/${path}`, { body, headers })

  expect(cardo.changes(await call('GET', 'subscriptions?since=0')).add).toEqual([])
  cardo.uploaded(await call('POST', 'subscription_change/create', { add: [fog], remove: [] }))
  cardo.uploaded(await call('POST', 'episode_action/create', [play(90, { action: 'PLAY', guid: 'one' })]))
  expect(cardo.played(await call('GET', 'episode_action?since=0'))).toEqual([{ episode: one, position: 90 }])

  const since = (now() + 1234) / 1000
  await listenElsewhere(running, 111)
  const changes = cardo.changes(await call('GET', `subscriptions?since=${since}`))
  expect(changes).toMatchObject({ add: [lamps], remove: [fog] })
  expect(cardo.played(await call('GET', `episode_action?since=${since}`))).toContainEqual(playedElsewhere(111))
})

test('Music Assistant: it registers no device, names one when it asks, from the beginning each time, and none with what was played', async () => {
  await using running = await start()
  const { alice } = running
  const call = (method: string, path: string, body?: unknown) =>
    alice.call(method, path, {
      body,
      headers: { Authorization: basic('alice', goodPassword), ...(body !== undefined && json) },
    })
  const subscriptions = '/api/2/subscriptions/alice/music.json'
  const played = async () => musicAssistant.played(await call('GET', '/api/2/episodes/alice.json?since=0&device=music'))
  await appOf(running.app, 'alice').subscribe('phone', [harbour])

  musicAssistant.uploaded(await call('POST', '/api/2/auth/alice/login.json', 'null'))
  expect(musicAssistant.changes(await call('GET', `${subscriptions}?since=0`))).toMatchObject({ add: [harbour] })
  expect((await played())!.played).toEqual([])
  musicAssistant.uploaded(await call('POST', subscriptions, { add: [fog], remove: [] }))
  musicAssistant.uploaded(await call('POST', '/api/2/episodes/alice.json', [play(60, { device: undefined })]))
  expect(musicAssistant.changes(await call('GET', `${subscriptions}?since=0`))).toMatchObject({
    add: expect.arrayContaining([fog, harbour]),
  })
  const first = await played()
  expect(first!.played).toEqual([{ episode: one, position: 60 }])

  await listenElsewhere(running, 77)
  const changes = musicAssistant.changes(await call('GET', `${subscriptions}?since=0`))
  expect(changes).toMatchObject({ add: expect.arrayContaining([harbour, lamps]) })
  expect((await played())!.played).toEqual([{ episode: one, position: 60 }, playedElsewhere(77)])
})

test('Music Assistant in its Nextcloud mode: its password as a bearer token', async () => {
  await using running = await start()
  const { app, user } = running
  const flow = await beginLoginFlow(app, 'Music Assistant')
  expect((await flow.pollAsForm()).status).toBe(404)
  await user.appPasswords.grant(flow.id)
  const { appPassword } = (await (await flow.pollAsForm()).json()) as Granted
  const headers = { Authorization: `Bearer ${appPassword}` }
  const call = (method: string, path: string, body?: unknown) =>
    appOf(app, 'nobody').call(method, `/index.php/apps/gpoddersync/${path}`, { body, headers })

  expect(musicAssistant.changes(await call('GET', 'subscriptions?since=0'))).toMatchObject({ add: [] })
  musicAssistant.uploaded(await call('POST', 'subscription_change/create', { add: [fog], remove: [] }))
  const played = play(60, { device: undefined, action: 'play', guid: 'one' })
  musicAssistant.uploaded(await call('POST', 'episode_action/create', [played]))
  const first = musicAssistant.played(await call('GET', 'episode_action?since=0'))
  expect(first!.played).toEqual([{ episode: one, position: 60 }])

  await listenElsewhere(running, 88)
  expect(musicAssistant.changes(await call('GET', 'subscriptions?since=0'))).toMatchObject({ add: [lamps] })
  const second = musicAssistant.played(await call('GET', `episode_action?since=${first!.timestamp}`))
  expect(second!.played).toContainEqual(playedElsewhere(88))
  // Taken back, and for sync alone.
  const asBearer = (path: string) => appOf(app, 'nobody').call('GET', path, { headers })
  expect((await asBearer('/api/v1/podcasts')).status).toBe(401)
  const [listed] = await user.appPasswords.list()
  await user.appPasswords.remove(listed!.id)
  expect((await call('GET', 'subscriptions?since=0')).status).toBe(401)
})
