import { expect, test } from 'bun:test'
import { basic, goodPassword } from '../../../../support/app'
import { appOf, beginLoginFlow, fog, lamps, one, play, start, type Granted } from '../../../../support/podcast-app'

const two = 'https://cdn.example/two.mp3'

test("Nextcloud's subscriptions are those of the other devices", async () => {
  await using running = await start()
  const { alice, now } = running
  const timestamp = now() / 1000
  await alice.subscribe('phone', [fog])
  expect((await alice.cloud('GET', 'subscriptions')).json).toEqual({ add: [fog], remove: [], timestamp })
  const answer = await alice.cloud('POST', 'subscription_change/create', { add: [lamps], remove: [fog] })
  expect(answer.json).toEqual({ timestamp })
  expect((await alice.changes('phone')).json).toMatchObject({ add: [lamps] })
})

test("Nextcloud's actions are plays alone, the last of each episode, in capitals and without a zone", async () => {
  await using running = await start()
  const { alice } = running
  await alice.upload([play(5, { total: undefined }), play(9, { timestamp: '2026-05-01T11:00:00' })])
  await alice.cloud('POST', 'episode_action/create', [
    play(44, { action: 'PLAY', timestamp: '2026-05-01T11:30:00+00:00', episode: two, guid: 'two' }),
    play(-1, { action: 'DELETE', started: -1, total: -1, timestamp: '2026-05-01T11:40:00' }),
  ])
  const known = { podcast: fog, action: 'PLAY', started: 0, total: 600 }
  expect((await alice.cloud('GET', 'episode_action')).json).toMatchObject({
    actions: [
      { ...known, episode: one, guid: '', position: 9, timestamp: '2026-05-01T11:00:00' },
      { ...known, episode: two, guid: 'two', position: 44, timestamp: '2026-05-01T11:30:00' },
    ],
  })
  expect((await alice.received()).actions.map(({ action }) => action)).toEqual(['play', 'play', 'delete'])
})

test('unknown figures of a play are -1 for Nextcloud', async () => {
  await using running = await start()
  const { alice } = running
  await alice.upload([play(5, { started: undefined, total: undefined })])
  expect(await alice.toldByCloud()).toMatchObject([{ guid: '', started: -1, position: 5, total: -1 }])
})

test('the addresses of Nextcloud may have a doubled slash, and go without index.php', async () => {
  await using running = await start()
  const { alice } = running
  for (const path of ['//index.php/apps/gpoddersync', '/index.php/apps/gpoddersync', '/apps/gpoddersync'])
    for (const call of ['subscriptions', 'episode_action?since=0.5'])
      expect([path, call, (await alice.call('GET', `${path}/${call}`)).status]).toEqual([path, call, 200])
})

test('a guid that one app knows is not lost by another that leaves it out', async () => {
  await using running = await start()
  const { alice } = running
  await alice.cloud('POST', 'episode_action/create', [play(5, { action: 'PLAY', guid: 'one' })])
  await alice.cloud('POST', 'episode_action/create', [
    play(9, { action: 'PLAY', guid: '', timestamp: '2026-05-01T11:00:00' }),
  ])
  expect(await alice.toldByCloud()).toMatchObject([{ guid: 'one', position: 9 }])
})

/** A phone with a password of its own. */
async function grantPhone({ app, user }: Awaited<ReturnType<typeof start>>, agent: string) {
  const flow = await beginLoginFlow(app, agent)
  await user.appPasswords.grant(flow.id)
  const { loginName, appPassword } = (await (await flow.pollAsForm()).json()) as Granted
  return appOf(app, loginName, appPassword)
}

test('a phone whose clock is hours ahead hears of everything, though it asks from its own time on', async () => {
  await using running = await start()
  const { alice, now } = running
  const phone = await grantPhone(running, 'AntennaPod/3.9')
  const other = await grantPhone(running, 'Kasts')
  const ahead = (seconds: number) => now() / 1000 + 3 * 3600 + seconds
  const heardBy = async (since: number) =>
    (await phone.toldByCloud(`since=${since}`)).map(({ position }) => Number(position))
  const subscriptions = async (since: number) =>
    ((await phone.cloud('GET', `subscriptions?since=${since}`)).json as { add: string[] }).add
  await heardBy(0)
  await subscriptions(0)
  now.advance(60_000)
  await alice.upload([play(11)])
  await alice.subscribe('desk', [fog])
  // Another phone's answer is none of its own.
  await other.toldByCloud(`since=${ahead(0)}`)
  await other.cloud('GET', 'subscriptions?since=0')
  now.advance(60_000)
  const first = ahead(0)
  expect(await heardBy(first)).toEqual([11])
  expect(await subscriptions(first)).toEqual([fog])
  // It asks for the same again: no answer came.
  now.advance(60_000)
  await alice.upload([play(22, { episode: two })])
  now.advance(1000)
  expect((await heardBy(first)).toSorted()).toEqual([11, 22])
  expect(await subscriptions(first)).toEqual([fog])
  now.advance(60_000)
  expect(await heardBy(ahead(0))).toEqual([])
  expect(await subscriptions(ahead(0))).toEqual([])
  // One that was offline, or is behind, is told from the time that it says.
  expect((await heardBy(0)).toSorted()).toEqual([11, 22])
})

test('phones that speak as Nextcloud does are listed by their names, with their last sync, and go with their passwords', async () => {
  await using running = await start()
  const { alice, now, user } = running
  const phone = await grantPhone(running, 'AntennaPod/3.9')
  const listed = async () =>
    (await user.devices.list()).map(({ caption, type, lastSyncAt }) => ({ caption, type, lastSyncAt }))
  const lastSyncAt = () => new Date(now()).toISOString()
  await phone.cloud('GET', 'subscriptions?since=0')
  expect(await listed()).toEqual([{ caption: 'AntennaPod/3.9', type: 'mobile', lastSyncAt: lastSyncAt() }])
  now.advance(60_000)
  await phone.cloud('POST', 'episode_action/create', [play(5, { action: 'PLAY' })])
  expect(await listed()).toMatchObject([{ lastSyncAt: lastSyncAt() }])
  await phone.cloud('POST', 'subscription_change/create', { add: [lamps], remove: [] })
  expect(await user.podcasts.available()).toEqual([{ device: 'AntennaPod/3.9', podcast: lamps }])
  const [password] = await user.appPasswords.list()
  await user.appPasswords.remove(password!.id)
  expect(await listed()).toEqual([])
  expect(await alice.list('desk')).toEqual([lamps])
  // By one's own password, as the app calls itself.
  await alice.call('GET', '/index.php/apps/gpoddersync/subscriptions', {
    headers: { Authorization: basic('alice', goodPassword), 'User-Agent': 'Cardo' },
  })
  expect((await listed()).map(({ caption }) => caption)).toContain('Cardo')
})

test('a phone that asks from a time beyond all clocks is answered as one that is far ahead', async () => {
  await using running = await start()
  const phone = await grantPhone(running, 'AntennaPod/3.9')
  const beyond = `since=${'9'.repeat(40)}`
  expect(await phone.cloud('GET', `episode_action?${beyond}`)).toMatchObject({ status: 200 })
  expect(await phone.cloud('GET', `subscriptions?${beyond}`)).toMatchObject({ status: 200 })
})

test('RePod’s page of a subscription has what was played of it, and what it is called', async () => {
  await using running = await start()
  const { alice } = running
  await alice.subscribe('phone', [fog])
  await alice.upload([
    play(30),
    play(9, { episode: two }),
    play(5, { podcast: lamps, episode: 'https://cdn.example/lamps.mp3' }),
    { ...play(0), action: 'delete' },
  ])
  const { json } = await alice.cloud('GET', 'personal_settings/metrics')
  const { subscriptions } = json as { subscriptions: { podcast: unknown }[] }
  expect(subscriptions).toMatchObject([
    {
      url: fog,
      listenedSeconds: 39,
      actionCounts: { download: 0, delete: 1, play: 2, new: 0, flattr: 0 },
      podcast: { title: expect.any(String), imageBlob: null, fetchedAtUnix: expect.any(Number) },
    },
  ])
  const path = `personal_settings/podcast_data?url=${encodeURIComponent(fog)}`
  expect((await alice.cloud('GET', path)).json).toEqual({ data: subscriptions[0]!.podcast })
  expect((await alice.cloud('GET', 'personal_settings/podcast_data?url=x')).status).toBe(404)
})
