import { expect, test } from 'bun:test'
import { fog, lamps, start } from '../../support/podcast-app'

test('subscriptions travel between devices, with all three parts and by their latest state', async () => {
  await using running = await start()
  const { alice, now } = running
  const first = await alice.subscribe('phone', [fog, lamps])
  expect(first.json).toEqual({ timestamp: now() / 1000, update_urls: [] })
  expect((await alice.changes('laptop')).json).toEqual({ add: [fog, lamps], remove: [], timestamp: now() / 1000 })
  now.advance(10_000)
  await alice.subscribe('laptop', [], [fog])
  const { timestamp, ...since } = (await alice.changes('phone', now() / 1000 - 5)).json as { timestamp: number }
  expect([timestamp, since]).toEqual([now() / 1000, { add: [], remove: [fog] }])
})

test('unsubscribing from an unknown address is no mistake, an empty upload is one', async () => {
  await using running = await start()
  const { alice } = running
  expect((await alice.subscribe('phone', [], ['https://unknown.example/'])).status).toBe(200)
  expect((await alice.call('POST', '/api/2/subscriptions/alice/phone.json', { body: '' })).status).toBe(400)
})

test('another spelling of the same address is no other subscription, and an app link is unwrapped', async () => {
  await using running = await start()
  const { alice } = running
  await alice.subscribe('phone', [`${fog}?token=AbC`])
  await alice.subscribe('phone', ['http://feeds.example:80/fog.xml?token=AbC'])
  expect(await alice.list('phone')).toEqual([`${fog}?token=AbC`])
  await alice.subscribe('phone', ['feed:https://feeds.example/rss', 'feed://feeds.example/other'])
  expect((await alice.changes('phone')).json).toMatchObject({
    add: ['http://feeds.example/other', `${fog}?token=AbC`, 'https://feeds.example/rss'],
  })
})

test('all devices together are given as OPML and text as well, and in no other format', async () => {
  await using running = await start()
  const { alice } = running
  await alice.subscribe('phone', [fog, lamps])
  expect((await alice.call('GET', '/subscriptions/alice.opml')).text).toContain(`xmlUrl="${lamps}"`)
  expect((await alice.call('GET', '/subscriptions/alice.txt')).text).toBe(`${fog}\n${lamps}\n`)
  expect((await alice.call('GET', '/subscriptions/alice.yaml')).status).toBe(404)
})

test('a new device that names its own list takes nothing away from the others', async () => {
  await using running = await start()
  const { alice, now } = running
  await alice.subscribe('phone', [fog])
  now.advance(5000)
  await alice.put('laptop', 'txt', `${lamps}\n`)
  expect(await alice.list('phone')).toEqual([fog, lamps])
})

test('uploading a whole list removes only addresses that the device had fetched and left out', async () => {
  await using running = await start()
  const { alice, now } = running
  await alice.put('desk', 'txt', `${fog}\n`)
  now.advance(5000)
  await alice.subscribe('phone', [lamps])
  now.advance(5000)
  // It was never told of the other one.
  await alice.put('desk', 'txt', `${fog}\n`)
  expect(await alice.list('desk')).toEqual([fog, lamps])
  now.advance(5000)
  await alice.put('desk', 'txt', `${fog}\n`)
  expect(await alice.list('desk')).toEqual([fog])
})

test('all devices are one group, and a request for another grouping is answered with it', async () => {
  await using running = await start()
  const { alice } = running
  const groups = (body?: unknown) =>
    alice.call(body ? 'POST' : 'GET', '/api/2/sync-devices/alice.json', body ? { body } : {})
  await alice.subscribe('phone', [])
  expect((await groups()).json).toEqual({ synchronized: [], 'not-synchronized': ['phone'] })
  await alice.subscribe('laptop', [])
  const together = { synchronized: [['laptop', 'phone']], 'not-synchronized': [] }
  expect((await groups({ synchronize: [['phone', 'laptop']] })).json).toEqual(together)
  expect((await groups({ 'stop-synchronize': ['phone'] })).json).toEqual(together)
  expect((await groups({ synchronize: [['phone']] })).status).toBe(400)
  expect((await groups({ synchronize: [['phone', 'toaster']] })).status).toBe(404)
})
