import { expect, test } from 'bun:test'
import { fog, lamps, one, play, start } from '../../support/podcast-app'

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
  expect((await alice.told()).actions.map(({ action }) => action)).toEqual(['play', 'play', 'delete'])
})

test('what is not known of a play is -1 for Nextcloud', async () => {
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
