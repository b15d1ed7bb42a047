import { expect, test } from 'bun:test'
import { basic, startTestApp, type TestApp, withPasswords } from '../../support/app'
import { bodyOf, sendWhole } from '../../support/raw-client'

/** More than the buffers between the two hold. */
const SIZE = 12_000_000
const root = basic('root', 'Sup3rSecret')

/**
 * Calls that are refused before their body is read, and how. A body of a GET is beyond reach: the engine hands none
 * over.
 */
const refusals: readonly (readonly [call: string, status: number, headers?: Record<string, string>])[] = [
  ['POST /api/v1/podcasts/feed', 401],
  ['POST /api/v1/podcasts/feed', 413, { Authorization: root }],
  ['POST /api/v1/podcasts/opml', 415, { Authorization: root, 'Content-Type': 'image/png' }],
  ['POST /api/v1/podcasts/opml', 403, { Authorization: root, Origin: 'https://evil.example' }],
  ['POST /api/v1/login', 413],
  ['PUT /api/v1/nothing', 404],
  ['PATCH /api/v1/podcasts', 405],
  ['POST /media/x.mp3', 405],
  ['POST /ui/x', 405],
  ['POST /api/2/episodes/alice.json', 401],
  ['PUT /subscriptions/alice/phone.json', 401],
  ['POST /api/2/nothing/root.json', 404, { Authorization: root }],
  ['DELETE /api/2/episodes/root.json', 405, { Authorization: root }],
  ['POST /index.php/apps/gpoddersync/subscription_change/create', 401],
  ['POST /index.php/login/v2/poll', 413],
  ['POST /login', 413],
  ['POST /login', 413],
  ['POST /logout', 413],
]

const kinds = [
  { isChunked: false, expect: {} },
  { isChunked: true, expect: {} },
  { isChunked: false, expect: { Expect: '100-continue' } },
]

test('D2: a request that is answered early is read to its end first, so that its client gets the answer', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const found: string[] = []
  const wanted: string[] = []
  for (const [index, [call, status, headers]] of refusals.entries())
    // The first in every way, each other one in another way.
    for (const { isChunked, expect } of index === 0 ? kinds : [kinds[index % kinds.length]!]) {
      const { header, bytes } = bodyOf(SIZE, isChunked)
      const all = {
        Host: new URL(origin).host,
        Connection: 'close',
        'Content-Type': 'application/json',
        ...expect,
        ...headers,
      }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
      const answer = await sendWhole(origin, [`${call} HTTP/1.1`, ...lines, header].join('\r\n'), bytes)
      found.push(`${call} ${header} ${/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1] ?? answer}`)
      wanted.push(`${call} ${header} ${status}`)
    }
  expect(found).toEqual(wanted)
}, 120_000)

type Schema = {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  const?: unknown
  default?: unknown
}

/** Something of that shape. */
function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return sampleOf(schema.anyOf[0]!)
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, of]) => [name, sampleOf(of)]))
  if (schema.items) return [sampleOf(schema.items)]
  return { string: 'x', boolean: true, integer: 1, number: 1 }[schema.type ?? ''] ?? null
}

/** Paths to the objects that a schema declares. */
function objectsIn(schema: Schema, way: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (schema.anyOf) return objectsIn(schema.anyOf[0]!, way)
  if (schema.items) return objectsIn(schema.items, [...way, 0])
  if (!schema.properties) return []
  return [way, ...Object.entries(schema.properties).flatMap(([name, of]) => objectsIn(of, [...way, name]))]
}

const put = (body: any, [step, ...rest]: readonly (string | number)[], value: unknown): unknown =>
  step === undefined
    ? value
    : Array.isArray(body)
      ? body.map((one, index) => (index === step ? put(one, rest, value) : one))
      : { ...body, [step]: put(body[step], rest, value) }

test('D2: nothing but an object passes where the schema declares one, however deep', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const headers = { Authorization: root, 'Content-Type': 'application/json' }
  const taken: string[] = []
  let tried = 0
  for (const { method, path, hooks } of app.app.routes as {
    method: string
    path: string
    hooks: { body?: Schema }
  }[]) {
    if (!hooks.body) continue
    for (const way of objectsIn(hooks.body))
      for (const instead of [[null, null], [], 'x', 3, true, [{}]]) {
        const body = JSON.stringify(put(sampleOf(hooks.body), way, instead))
        const { status } = await app.fetch(path.replace(/:\w+/g, 'x'), { method, headers, body })
        tried++
        if (status !== 422) taken.push(`${method} ${path} ${body} ${status}`)
      }
  }
  expect(tried).toBeGreaterThan(200)
  expect(taken).toEqual([])
})

/**
 * Routes that change something and declare no body. Parts of a file are bytes and single sign-on sends forms: neither
 * has a schema.
 */
const withoutBody = (app: TestApp) =>
  (app.app.routes as { method: string; path: string; hooks: { body?: unknown } }[]).filter(
    ({ method, path, hooks }) =>
      !hooks.body && method !== 'GET' && path.startsWith('/api/v1/') && !/\/file$|\/openid\//.test(path),
  )

test('D2: a call that takes no body is answered whatever type its client gives the body that it leaves out', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const found: string[] = []
  const routes = withoutBody(app)
  for (const { method, path } of routes) {
    const call = async (headers: Record<string, string>, body?: string) =>
      (await app.fetch(path.replace(/:\w+/g, 'x'), { method, headers: { Authorization: root, ...headers }, body }))
        .status
    const plain = await call({})
    for (const type of ['application/json', 'text/plain', 'multipart/form-data', 'application/octet-stream', 'x'])
      for (const body of [undefined, '']) {
        const status = await call({ 'Content-Type': type }, body)
        if (status !== plain || [400, 415, 422, 500].includes(status)) found.push(`${method} ${path} ${type} ${status}`)
      }
  }
  expect(routes.length).toBeGreaterThan(50)
  expect(found).toEqual([])
})

test('D2: a call that takes no body still refuses one that is too large, of another type or not JSON', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const found: string[] = []
  for (const { method, path } of withoutBody(app)) {
    const call = async (type: string, body: string) =>
      (
        await app.fetch(path.replace(/:\w+/g, 'x'), {
          method,
          headers: { Authorization: root, 'Content-Type': type },
          body,
        })
      ).status
    const statuses = [
      await call('application/json', `"${'x'.repeat(1024 * 1024)}"`),
      await call('image/png', 'x'),
      await call('application/json', '{'),
    ]
    if (statuses.join() !== '413,415,400') found.push(`${method} ${path} ${statuses}`)
  }
  expect(found).toEqual([])
})
