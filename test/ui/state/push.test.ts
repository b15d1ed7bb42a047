import { expect, test } from 'bun:test'
import { createPush } from '../../../src/ui/state/push'
import type { PushDevice } from '../../../src/ui/device/push'
import { startTestApp, withPasswords } from '../../support/app'
import { createMemoryStorage } from '../../support/memory-storage'
import { wishes } from '../../support/destinations'
import { createSubscription } from '../../support/push-subscription'
import { startReceiver } from '../../support/receiver'

type Device = Pick<PushDevice, 'isAllowed' | 'ask' | 'current' | 'subscribe' | 'unsubscribe'>

/** A browser whose push service is a receiver: each subscription has an address of its own. */
function startDevice(origin: string) {
  let count = 0
  let state: { key: string; subscription: Awaited<ReturnType<typeof createSubscription>>['subscription'] } | null = null
  const device: Device = {
    isAllowed: () => true,
    ask: async () => undefined,
    current: async key => (state?.key === key ? state.subscription : null),
    async subscribe(key) {
      const { subscription } = await createSubscription(`${origin}/push/${++count}`)
      state = { key, subscription }
      return subscription
    },
    async unsubscribe() {
      state = null
    },
  }
  return { device, lose: () => (state = null), isSubscribed: () => state !== null }
}

const { events: _, ...mine } = wishes

async function startBrowser() {
  const receiver = startReceiver()
  const app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const alice = await app.signUp('alice')
  const storage = createMemoryStorage()
  const browser = startDevice(receiver.origin)
  const pushFor = (owner: string) => createPush({ api: alice.destinations, device: browser.device, storage, owner })
  const push = pushFor('alice')
  return {
    ...browser,
    app,
    alice,
    receiver,
    storage,
    push,
    pushFor,
    add: () => push.add({ ...mine, events: ['newEpisodes'] }),
    async [Symbol.asyncDispose]() {
      receiver[Symbol.dispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}

test('a browser that was added knows its destination, and does nothing while its subscription is the same', async () => {
  await using browser = await startBrowser()
  const { push, alice, receiver } = browser
  expect(push.id()).toBe(null)
  const { id } = await browser.add()
  expect(push.id()).toBe(id)
  await push.follow()
  expect(await alice.destinations.test(id)).toEqual({ failure: null, status: null })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/push/1'])
})

test('a lost subscription is made anew, and the server sends there', async () => {
  await using browser = await startBrowser()
  const { push, alice, receiver } = browser
  const { id } = await browser.add()
  browser.lose()
  await push.follow()
  await alice.destinations.test(id)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/push/2'])
  expect(await alice.destinations.list()).toHaveLength(1)
})

test('a browser whose destination was deleted elsewhere ends its subscription at the next visit', async () => {
  await using browser = await startBrowser()
  const { push, alice } = browser
  const { id } = await browser.add()
  await alice.destinations.remove(id)
  await push.follow()
  expect([push.id(), browser.isSubscribed()]).toEqual([null, false])
})

test('the next user of a browser does not get the messages of the last one', async () => {
  await using browser = await startBrowser()
  await browser.add()
  await browser.pushFor('bob').follow()
  expect([browser.push.id(), browser.isSubscribed()]).toEqual([null, false])
})

test('a subscription that ended is renewed by hand', async () => {
  await using browser = await startBrowser()
  const { push, alice, receiver } = browser
  const { id } = await browser.add()
  receiver.answer('/push/1', () => new Response('', { status: 410 }))
  expect(await alice.destinations.test(id)).toEqual({ failure: 'ended', status: 410 })
  expect((await alice.destinations.list())[0]!.hasEnded).toBe(true)
  expect((await push.renew(id)).hasEnded).toBe(false)
  expect(await alice.destinations.test(id)).toEqual({ failure: null, status: null })
})

test('a subscription that ended is renewed at the next visit', async () => {
  await using browser = await startBrowser()
  const { push, alice, receiver } = browser
  const { id } = await browser.add()
  receiver.answer('/push/1', () => new Response('', { status: 410 }))
  await alice.destinations.test(id)
  await push.follow()
  expect((await alice.destinations.list())[0]!.hasEnded).toBe(false)
  expect(await alice.destinations.test(id)).toEqual({ failure: null, status: null })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/push/1', '/push/2'])
})

test('with another secret of the server, a browser subscribes by the new key', async () => {
  await using browser = await startBrowser()
  const { push, alice, app, receiver } = browser
  const { id } = await browser.add()
  // What another secret has sealed cannot be opened.
  const { store } = app.context
  const row = store.destinations.list(alice.row.id)[0]!
  store.destinations.edit(row.id, { ...row, target: crypto.getRandomValues(new Uint8Array(60)) })
  expect(await alice.destinations.test(id)).toEqual({ failure: 'unexpected', status: null })
  const { current } = browser.device
  browser.device.current = () => current('the key of another secret')
  await push.follow()
  expect(await alice.destinations.test(id)).toEqual({ failure: null, status: null })
  expect(receiver.received.map(({ path }) => path)).toEqual(['/push/2'])
})

test('where the user took the permission back, nothing is asked for again', async () => {
  await using browser = await startBrowser()
  await browser.add()
  browser.lose()
  browser.device.isAllowed = () => false
  await browser.push.follow()
  expect(browser.isSubscribed()).toBe(false)
})
