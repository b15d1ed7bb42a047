import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, Page, Worker } from 'playwright-core'
import { libraryFolder } from '../support/app'
import { layersGone, startBrowser } from '../support/browser'
import { startExecutable } from '../support/executable'
import { createSubscription } from '../support/push-subscription'
import { startReceiver, type Receiver } from '../support/receiver'

const browser = await startBrowser([], [], 'allow')
let receiver: Receiver

beforeAll(() => {
  receiver = startReceiver()
})
afterAll(async () => {
  await browser.close()
  receiver[Symbol.dispose]()
})

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

async function openTab(context: BrowserContext, origin: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${origin}/ui/settings/notifications`)
  await page.getByRole('heading', { name: 'Where to notify you' }).waitFor()
  return page
}

async function begin(page: Page, kind: string) {
  await page.getByRole('button', { name: 'Add destination' }).click()
  await page.getByRole('dialog').getByRole('button', { name: kind }).click()
}

const cardOf = (page: Page, name: string) => page.getByRole('listitem', { name })

async function choose(page: Page, name: string, entry: string) {
  await cardOf(page, name)
    .getByRole('button', { name: `More options for ${name}` })
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
}

for (const [size, viewport] of Object.entries(sizes))
  test(`on ${size}, a webhook is added, tested, changed, turned off, deleted and brought back`, async () => {
    await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
    const context = await browser.newContext({ viewport })
    const page = await openTab(context, running.origin)
    await page.getByText('Notifications only show here for now.').waitFor()

    await begin(page, 'Webhook')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('http://169.254.169.254/')
    await dialog.getByLabel('Name').fill('Radio')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    const path = `/hook-${size}`
    await dialog.getByLabel('Address').fill(receiver.origin + path)
    await dialog.getByLabel('A backup has failed').check()
    await dialog.getByLabel('Hold messages back at night').check()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    const secret = await dialog.locator('code').textContent()
    expect(secret).toMatch(/^whsec_[\w-]{43}$/)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await layersGone(page)
    expect(await page.content()).not.toContain(secret!)
    const card = cardOf(page, 'Radio')
    await card.getByText('Nothing sent yet').waitFor()
    await card.getByText('quiet 22:00–07:00').waitFor()

    await choose(page, 'Radio', 'Send a test')
    await card.getByText(/^Last delivered/).waitFor()
    expect(receiver.jsonTo(path)[0]).toMatchObject({ type: 'test', title: 'Test message' })
    const places = () =>
      card.locator(':is([role=switch], button)').evaluateAll(all => all.map(one => one.getBoundingClientRect().x))
    const before = await places()
    const { promise, resolve } = Promise.withResolvers<Response>()
    receiver.answer(path, () => promise)
    await choose(page, 'Radio', 'Send a test')
    await card.getByText('Sending a test').waitFor()
    expect(await places()).toEqual(before)
    resolve(new Response('', { status: 401 }))
    await card.getByText('The host answered 401. Check the token.').waitFor()

    await choose(page, 'Radio', 'Edit')
    await dialog.getByLabel('Name').fill('Kitchen radio')
    expect(await dialog.getByLabel('A backup has failed').isChecked()).toBe(true)
    expect(await dialog.getByLabel('Address').inputValue()).toBe('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const renamed = cardOf(page, 'Kitchen radio')
    await renamed.waitFor()
    await layersGone(page)

    await renamed.getByRole('switch', { name: 'Send to Kitchen radio' }).uncheck()
    await choose(page, 'Kitchen radio', 'Delete')
    await page.getByText('Notifications only show here for now.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await renamed.waitFor()
    await page.reload()
    expect(await renamed.getByRole('switch').isChecked()).toBe(false)
    await context.close()
  }, 120_000)

test('a missing topic is named, and a test that failed promises no other try', async () => {
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const context = await browser.newContext({ viewport: sizes.wide })
  const page = await openTab(context, running.origin)
  await begin(page, 'ntfy')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill(receiver.origin)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('alert').getByText('The topic is missing.').waitFor()
  await dialog.getByLabel('Address').fill(`${receiver.origin}/news`)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await layersGone(page)
  receiver.answer('/', () => new Response('', { status: 500 }))
  await choose(page, 'ntfy', 'Send a test')
  const failure = cardOf(page, 'ntfy').locator('.field-failure')
  expect(await failure.textContent()).toEndWith('The host answered 500. Its log may say why.')
  await context.close()
}, 120_000)

/** Takes the place of a push service, which a browser without one cannot ask: its subscriptions are at the receiver. */
async function stubPush(context: BrowserContext, endpoints: string[]) {
  const subscriptions = await Promise.all(endpoints.map(createSubscription))
  const given = subscriptions.map(({ subscription }) => subscription)
  await context.addInitScript(known => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), one => one.charCodeAt(0)).buffer
    const write = (key: Uint8Array) =>
      btoa(String.fromCharCode(...key))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
    const read = () =>
      JSON.parse(localStorage.getItem('stub') ?? '{"used":0,"key":""}') as { used: number; key: string }
    const asSubscription = ({ used, key }: { used: number; key: string }) =>
      key === ''
        ? null
        : {
            endpoint: known[used - 1]!.endpoint,
            options: { applicationServerKey: bytes(key) },
            getKey: (name: 'p256dh' | 'auth') => bytes(known[used - 1]![name]),
            unsubscribe: async () => localStorage.setItem('stub', JSON.stringify({ used, key: '' })),
          }
    Object.assign(PushManager.prototype, {
      getSubscription: async () => asSubscription(read()),
      async subscribe({ applicationServerKey }: { applicationServerKey: string | Uint8Array }) {
        const key = typeof applicationServerKey === 'string' ? applicationServerKey : write(applicationServerKey)
        const state = { used: read().used + 1, key }
        localStorage.setItem('stub', JSON.stringify(state))
        return asSubscription(state)
      },
    })
  }, given)
  return subscriptions
}

/** Hands a message to the worker of the page, as the push service would. */
async function pushTo(page: Page, origin: string, data: string) {
  const session = await page.context().newCDPSession(page)
  const { promise, resolve } = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
    if (found) resolve(found.registrationId)
  })
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await promise, data })
  await session.detach()
}

type Shown = { title: string; options: { body: string; tag: string; data: string } }
type WorkerScope = { shown: Shown[]; dispatchEvent: (event: Event) => void }

/** Takes the place of the desktop, which a browser without a screen has none of: keeps what the worker shows. */
const keepShown = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope
    scope.shown = []
    ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      scope.shown.push({ title, options: options as Shown['options'] })
    }
  })
const shownBy = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as WorkerScope).shown)

/** Presses the last notification, as a person does. */
const press = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope & { ExtendableEvent: typeof Event }
    const { data } = scope.shown.at(-1)!.options
    const event = new scope.ExtendableEvent('notificationclick')
    scope.dispatchEvent(Object.assign(event, { notification: { data, close: () => undefined } }))
  })

test('a browser subscribes, shows what it is sent, opens it on a press, and follows a lost subscription', async () => {
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const { origin } = running
  const context = await browser.newContext({ permissions: ['notifications'] })
  const endpoints = ['/push/1', '/push/2'].map(path => receiver.origin + path)
  const [first, second] = await stubPush(context, endpoints)
  const page = await openTab(context, origin)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await begin(page, 'Browser')
  await page.getByText('The browser will ask').waitFor()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Desk')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await cardOf(page, 'Desk').getByText('This browser').waitFor()
  await layersGone(page)

  await choose(page, 'Desk', 'Send a test')
  await cardOf(page, 'Desk')
    .getByText(/^Last delivered/)
    .waitFor()
  const [sent] = receiver.to('/push/1')
  const data = await first!.decrypt(sent!.body)
  const [worker] = context.serviceWorkers()
  await keepShown(worker!)
  for (const times of [1, 2]) {
    await pushTo(page, origin, data)
    await expectSoon(async () => (await shownBy(worker!)).length === times)
  }
  const [one, again] = await shownBy(worker!)
  expect(one).toMatchObject({
    title: 'Test message',
    options: {
      body: 'News from Castellan will arrive here.',
      tag: (JSON.parse(data) as { key: string }).key,
      data: 'settings/notifications',
    },
  })
  // Notifications of one tag take each other's place.
  expect(again).toEqual(one!)

  await page.getByRole('link', { name: 'Retention' }).click()
  await page.getByRole('button', { name: 'Run cleanup…' }).waitFor()
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await press(worker!)
  await page.waitForURL('**/ui/settings/notifications')
  await cardOf(page, 'Desk').waitFor()
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)

  // The browser lost the subscription: the next visit makes another one.
  await page.evaluate(() => localStorage.setItem('stub', '{"used":1,"key":""}'))
  const renewed = page.waitForResponse(response => response.request().method() === 'PUT')
  await page.reload()
  expect((await renewed).status()).toBe(200)
  await choose(page, 'Desk', 'Send a test')
  await receiver.count('/push/2', 1)
  expect(JSON.parse(await second!.decrypt(receiver.to('/push/2')[0]!.body))).toMatchObject({ title: 'Test message' })
  await context.close()
}, 120_000)

test('a press goes to a tab that listens, however old the one in front is, and where none does to a new one', async () => {
  await using running = await startExecutable({ DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0' })
  const { origin } = running
  const context = await browser.newContext({ permissions: ['notifications'] })
  await stubPush(context, [`${receiver.origin}/push/3`])
  // It is as old as the time when this browser was no destination.
  const old = await context.newPage()
  await old.goto(`${origin}/ui/settings/retention`)
  await old.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  const [worker] = context.serviceWorkers()
  await worker!.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope & { clients: object; opened: string[] }
    scope.shown = [{ title: '', options: { body: '', tag: '', data: 'settings/notifications' } }]
    scope.opened = []
    Object.assign(scope.clients, { openWindow: async (url: string) => scope.opened.push(url) })
  })
  const opened = () => worker!.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)

  await press(worker!)
  await expectSoon(async () => (await opened()).length === 1)
  expect(await opened()).toEqual([`${origin}/ui/settings/notifications`])

  const page = await openTab(context, origin)
  await page.getByRole('link', { name: 'Retention' }).click()
  await page.getByRole('button', { name: 'Run cleanup…' }).waitFor()
  await old.bringToFront()
  await press(worker!)
  await page.waitForURL('**/ui/settings/notifications')
  expect([await opened(), new URL(old.url()).pathname]).toEqual([[expect.anything()], '/ui/settings/retention'])
  await context.close()
}, 120_000)

/** Looks again with each frame until something is so. */
async function expectSoon(isSo: () => Promise<boolean>) {
  while (!(await isSo())) await Bun.sleep(20)
}

test('a page that was opened without https, and one whose user refused, say what to do', async () => {
  const env = { DATA_DIRECTORY: libraryFolder(), DISK_RESERVE: '0', HOST: '0.0.0.0', ALLOW_OPEN: 'true' }
  await using running = await startExecutable(env)
  const context = await browser.newContext()
  await context.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
  const page = await openTab(context, running.origin.replace('0.0.0.0', '127.0.0.1'))
  await begin(page, 'Browser')
  await page.getByRole('alert').getByText('Notifications from this site are blocked.').waitFor()
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).count()).toBe(0)
  await context.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { get: () => false }))
  await layersGone(page)
  await page.reload()
  await begin(page, 'Browser')
  await page.getByRole('alert').getByText('This page was opened without https.').waitFor()
  await context.close()
}, 120_000)
