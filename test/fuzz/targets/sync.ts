import fc from 'fast-check'
import { gzipSync } from 'node:zlib'
import { startApplication, type Application } from '../application'
import { mutated, oddities } from '../mutate'
import { mutatedJson } from '../mutate-json'
import { opml } from '../seeds'
import { require, type Target } from '../target'

type Call = { method: string; path: string; body: string; isPacked: boolean }

const lists = ['["https://a.example/f","https://b.example/f"]', 'https://a.example/f\nhttps://d.example/f\n', ...opml]
const changes = ['{"add":["https://a.example/f","HTTP://B.example/f#x"],"remove":["https://c.example/f"]}']
const actions = [
  '[{"podcast":"https://a.example/f","episode":"https://cdn.example/1.mp3","guid":"g","action":"play","device":"phone","timestamp":"2026-05-01T10:00:00","started":0,"position":15,"total":500}]',
  '[{"podcast":"https://a.example/f","episode":"https://cdn.example/1.mp3","action":"DOWNLOAD","timestamp":1777629600}]',
]
/** Bodies by a part of the address; the first part that fits decides. */
const fits: readonly [string, readonly string[]][] = [
  ['/episode', actions],
  ['/api/2/subscriptions', changes],
  ['subscription_change', changes],
  ['/devices', ['{"caption":"My phone","type":"mobile"}']],
  ['/settings', ['{"set":{"volume":0.5,"nested":{"a":[1,null]}},"remove":["other"]}']],
  ['/sync-devices', ['{"synchronize":[["phone","tablet"]],"stop-synchronize":["other"]}']],
  ['/lists', lists],
  ['/subscriptions', lists],
  ['/poll', ['{"token":"x"}']],
]
const bodies = fits.flatMap(([, bodies]) => bodies)
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constant('alice') },
  { weight: 1, arbitrary: fc.constantFrom('Alice', 'bob', '%', '%00', '%ff', '..') },
)
const device = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('phone', 'tablet') },
  { weight: 1, arbitrary: fc.constantFrom('a.b', '-', 'x'.repeat(65), '%00', 'castellan', '__proto__') },
)
const format = fc.constantFrom('json', 'txt', 'opml', 'xml')
const odd = fc.constantFrom(...oddities).map(encodeURIComponentAnyway)
const number = fc.constantFrom('0', '1', '1777629600', '99999999999', '1e5', '0.5', '-1', '9'.repeat(40), '')
const query = fc
  .record(
    {
      since: number,
      device: fc.oneof(device, odd),
      podcast: fc.oneof(fc.constant('https://a.example/f'), odd),
      episode: fc.oneof(fc.constant('https://cdn.example/1.mp3'), odd),
      aggregated: fc.constantFrom('true', 'x'),
      include_actions: fc.constant('true'),
      title: fc.oneof(fc.constant('Fog & lamps'), odd),
      q: fc.oneof(fc.constant('fog'), odd),
    },
    { requiredKeys: [] },
  )
  .map(values =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}`)
      .join('&'),
  )
const path = fc
  .tuple(name, device, format, fc.constantFrom('account', 'device', 'podcast', 'episode', 'x'), query)
  .chain(([user, device, format, scope, query]) =>
    fc.constantFrom(
      `/api/2/devices/${user}.json`,
      `/api/2/devices/${user}/${device}.json`,
      `/api/2/subscriptions/${user}/${device}.json?${query}`,
      `/api/2/episodes/${user}.json?${query}`,
      `/api/2/favorites/${user}.json`,
      `/api/2/sync-devices/${user}.json`,
      `/api/2/settings/${user}/${scope}.json?${query}`,
      `/api/2/updates/${user}/${device}.json?${query}`,
      `/api/2/lists/${user}.json`,
      `/api/2/lists/${user}/create.${format}?${query}`,
      `/api/2/lists/${user}/list/fog-lamps.${format}`,
      `/subscriptions/${user}/${device}.${format}?${query}`,
      `/subscriptions/${user}.${format}`,
      `/search.${format}?${query}`,
      `/toplist/5.${format}`,
      `/suggestions/5.${format}`,
      `/index.php/apps/gpoddersync/subscriptions?${query}`,
      '/index.php/apps/gpoddersync/subscription_change/create',
      `/index.php/apps/gpoddersync/episode_action?${query}`,
      '/index.php/apps/gpoddersync/episode_action/create',
      '/index.php/login/v2',
      '/index.php/login/v2/poll',
    ),
  )
const isJson = (body: string) => /^[[{]/.test(body)
const bodyOf = (path: string) => {
  const fitting = fits.find(([part]) => path.includes(part))?.[1] ?? bodies
  return fc.oneof(mutatedJson(fitting.filter(isJson)), mutated(fitting, 3), mutated(bodies, 3))
}
const call: fc.Arbitrary<Call> = path.chain(path =>
  fc.record({
    method: fc.constantFrom('GET', 'POST', 'POST', 'PUT', 'DELETE'),
    path: fc.constant(path),
    body: bodyOf(path),
    isPacked: fc.boolean(),
  }),
)

function encodeURIComponentAnyway(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Requests that every app makes sooner or later, and that must always be answered. */
const readings = [
  '/api/2/devices/alice.json',
  '/api/2/subscriptions/alice/phone.json?since=0',
  '/subscriptions/alice/phone.opml',
  '/api/2/episodes/alice.json?since=0',
  '/api/2/updates/alice/phone.json?since=0&include_actions=true',
  '/api/2/settings/alice/account.json',
  '/api/2/settings/alice/device.json?device=phone',
  '/api/2/lists/alice.json',
  '/index.php/apps/gpoddersync/episode_action',
  '/index.php/apps/gpoddersync/subscriptions',
]

const INPUTS_PER_APPLICATION = 150

/**
 * A podcast app that sends what it likes: it is never told of a fault of ours, and what is kept can be read afterwards.
 */
export function sync(): Target<Call[]> {
  let running: { app: Application; authorization: string } | null = null
  let inputs = 0

  async function renew() {
    await stop()
    const app = await startApplication()
    running = { app, authorization: await app.signUp('alice', 'user') }
    await ask({ method: 'POST', path: '/api/2/devices/alice/phone.json', body: '{}', isPacked: false })
    return running
  }
  /** Once, though the time may be up while the application is renewed. */
  async function stop() {
    const last = running
    running = null
    await last?.app.stop()
  }
  async function ask({ method, path, body, isPacked }: Call): Promise<Response> {
    const { app, authorization } = running!
    const headers = { Authorization: authorization, ...(isPacked && { 'Content-Encoding': 'gzip' }) }
    const sent = isPacked ? gzipSync(body) : body
    return app.fetch(path, { method, headers, ...(method !== 'GET' && { body: sent as BodyInit }) })
  }

  return {
    name: 'sync',
    inputs: fc.array(call, { minLength: 1, maxLength: 5 }),
    slowMs: 2000,
    async check(calls) {
      if (inputs++ % INPUTS_PER_APPLICATION === 0) await renew()
      const { app, authorization } = running!
      for (const call of calls) {
        const response = await ask(call)
        await response.text()
        const place = call.path.replace(/\?.*/, '').replace(/\/(?!api|2|list)[^/]*\./g, '/….')
        require(response.status < 500, `${call.method} ${place} is answered by ${response.status}`, app.errors())
      }
      for (const path of readings) {
        const response = await app.fetch(path, { headers: { Authorization: authorization } })
        const text = await response.text()
        require(response.status === 200, `afterwards ${path} is answered by ${response.status}`, app.errors())
        if (response.headers.get('content-type')?.includes('json')) JSON.parse(text)
      }
    },
    stop,
  }
}
