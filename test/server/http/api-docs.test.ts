import { expect, test } from 'bun:test'
import { operations } from '../../../src/server/http/docs/operations'
import { appPaths } from '../../../src/server/http/apps/gpodder/protocol'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { basic, startTestApp, withPasswords } from '../../support/app'
import { isAudiobookshelf } from '../../support/audiobookshelf-app'

/** Refusals that no description can express: an id, address or file that does not exist. */
const unlike = new Set([
  'GET /api/v1/podcasts/timeline/outline',
  'GET /api/v1/episodes/yours/{list}/outline',
  'POST /api/v1/podcasts/preview',
  'POST /api/v1/podcasts/feed',
  'PUT /api/v1/podcasts/{id}/feed',
  'PUT /api/v1/queue',
  'POST /api/v1/playlist',
  'PUT /api/v1/playlist/{id}',
  'POST /api/v1/podcasts/opml',
  'POST /api/v1/podcasts/opml/preview',
])

type Document = {
  openapi: string
  paths: Record<string, Record<string, { summary: string; operationId: string; responses: Record<string, unknown> }>>
  components: { schemas: Record<string, unknown> }
}

test('every call is described, and none that is not there', async () => {
  await using app = await startTestApp({ env: withPasswords })
  // The interface, the description itself, and what apps and assistants have their own description for.
  const isElsewhere = (path: string) =>
    /^\/(ui|api-docs|help|ws|mcp|$)/.test(path) || appPaths.some(known => known === path) || isAudiobookshelf(path)
  const calls = app.app.routes
    .filter(({ method, path }) => /^(GET|POST|PUT|DELETE)$/.test(method) && !isElsewhere(path))
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(operations).sort()).toEqual([...new Set(calls)].sort())
})

test('the description is a document of OpenAPI that strangers may read, and tells nothing of this installation', async () => {
  await using app = await startTestApp({ env: { ...withPasswords, SUB_DIRECTORY: '/pods' } })
  const answer = await app.fetch('/api-docs/openapi.json')
  const text = await answer.text()
  const document = JSON.parse(text) as Document
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: 'v1' }, servers: [{ url: '/pods' }] })
  const all = Object.values(document.paths).flatMap(methods => Object.values(methods))
  expect(all.length).toBe(Object.keys(operations).length)
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  expect(all.filter(({ summary, responses }) => summary === '' || !('default' in responses))).toEqual([])
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(match => match[1]!)
  expect(references.filter(name => !(name in document.components.schemas))).toEqual([])
  expect(document.paths['/api/v1/podcasts/{id}/episodes']!['get']).toMatchObject({
    parameters: expect.arrayContaining([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 200, default: 75 },
      },
    ]) as unknown,
    responses: { 200: { content: { 'application/json': { schema: { type: 'array' } } } } },
  })
  expect(document.paths['/api/v1/bookmarks/{id}']!['delete']!.responses).toHaveProperty('204')
  expect(document.paths['/api/v1/podcasts/feed']!['post']).toMatchObject({
    requestBody: { content: { 'application/json': { schema: { required: ['rssFeedUrl'] } } } },
  })
  expect(Object.keys(document.paths['/api/v1/settings/rescan-episodes']!['post']!.responses)).toEqual([
    '200',
    '202',
    '405',
    'default',
  ])
  expect(text).not.toContain(app.folder)
})

type Field = { in: 'path' | 'query' | 'body'; name: string; schema: Rules; required?: boolean }
type Rules = {
  type?: string
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  examples?: unknown[]
  default?: unknown
  anyOf?: Rules[]
  properties?: Record<string, Rules>
  required?: string[]
  items?: Rules
}
type Described = {
  parameters?: { name: string; in: 'path' | 'query'; required: boolean; schema: Rules }[]
  requestBody?: { content: Record<string, { schema: Rules }> }
  responses: Record<string, { headers?: { Allow: { schema: { const: string } } } }>
}

const firstOf = (schema: Rules): Rules => (schema.anyOf ? firstOf(schema.anyOf[0]!) : schema)

/** Makes a value that a description allows. */
function valueOf(given: Rules): unknown {
  const schema = firstOf(given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.examples) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, of]) => [name, valueOf(of)]))
  if (schema.items) return [valueOf(schema.items)]
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.pattern?.includes('{32}')) return '8c1f0e6ab94d27358c5e1f7023d9b64a'
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
}

/** Makes values that a description forbids, each with the rule that it breaks. */
function* brokenBy(given: Rules): Generator<[rule: string, value: unknown]> {
  const schema = firstOf(given)
  if (schema.enum) yield ['enum', typeof schema.enum[0] === 'number' ? 987 : 'none-of-these']
  if (schema.minimum !== undefined) yield ['minimum', schema.minimum - 1]
  if (schema.maximum !== undefined) yield ['maximum', schema.maximum + 1]
  if (schema.maxLength !== undefined && schema.maxLength < 10_000) yield ['maxLength', 'x'.repeat(schema.maxLength + 1)]
  if (schema.minLength) yield ['minLength', '']
  if (schema.pattern === '\\S') yield ['pattern', '   ']
  else if (schema.pattern?.includes('x7e')) yield ['pattern', 'ø']
  else if (schema.pattern) yield ['pattern', '/:/']
}

const fieldsOf = ({ parameters = [], requestBody }: Described): Field[] => [
  ...parameters,
  ...Object.entries(requestBody?.content['application/json']?.schema.properties ?? {}).map(([name, schema]): Field => ({
    in: 'body',
    name,
    schema,
  })),
]

test('what the description allows is taken, what it forbids is refused with 422, and other methods with the Allow that it names', async () => {
  await using app = await startTestApp({
    env: withPasswords,
    resolve: async () => [],
    directoryAddresses: { itunes: 'http://127.0.0.1:9', podindex: 'http://127.0.0.1:9' },
  })
  const document = (await (await app.fetch('/api-docs/openapi.json')).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  const headers = { Authorization: basic('root', 'Sup3rSecret'), 'Content-Type': 'application/json' }
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  using host = startFeedHost()
  const podcast = await root.podcasts.add(host.feed('/fog.xml', rss({ items: [{}] })))
  const ids: readonly (readonly [string, string])[] = [
    ['/tags/{id}', (await root.tags.create({ name: 'News', color: 'Red' })).id],
    ['/playlist/{id}', (await root.playlists.create({ name: 'News', items: [] })).id],
    ['/podcasts/{id}', podcast.id],
    ['/rss/{id}', podcast.id],
  ]
  const idIn = (path: string) => ids.find(([part]) => path.includes(part))?.[1] ?? 'x'
  const wrong: string[] = []
  let broken = 0
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      if (method === 'delete') continue
      const fields = fieldsOf(described)
      const hasBody = described.requestBody !== undefined
      const send = async (changed?: Field, value?: unknown) => {
        const valueIn = (one: Field) => (one === changed ? value : valueOf(one.schema))
        const query = new URLSearchParams()
        let at = path
        for (const one of fields) {
          const isId = one.name === 'id' && !one.schema.enum
          if (one.in === 'path')
            at = at.replace(`{${one.name}}`, isId ? idIn(path) : encodeURIComponent(String(valueIn(one))))
          if (one.in === 'query' && (one === changed || one.schema.enum || one.required))
            query.set(one.name, String(valueIn(one)))
        }
        const body = Object.fromEntries(fields.filter(one => one.in === 'body').map(one => [one.name, valueIn(one)]))
        const { status } = await app.fetch(`${at}?${query}`, {
          method: method.toUpperCase(),
          headers,
          ...(hasBody && { body: JSON.stringify(body) }),
        })
        return status
      }
      const plain = await send()
      if (plain === 422 && !unlike.has(`${method.toUpperCase()} ${path}`)) wrong.push(`${method} ${path}: refused`)
      for (const field of fields)
        for (const [rule, value] of brokenBy(field.schema)) {
          if (field.in === 'path' && value === '') continue
          broken++
          const status = await send(field, value)
          // An object that does not exist is answered with 404 first.
          if (status !== 422 && !(status === 404 && plain === 404))
            wrong.push(`${method} ${path} ${field.name} against ${rule}: ${status}`)
        }
    }
    const at = path.replace(/\{\w+\}/g, 'x')
    const allowed = Object.values(methods)[0]!.responses['405']!.headers!.Allow.schema.const
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      if (allowed.includes(method)) continue
      const { status, headers: answered } = await app.fetch(at, { method, headers })
      if (status !== 405 || answered.get('allow') !== allowed)
        wrong.push(`${method} ${at}: ${status}, ${answered.get('allow')} and not ${allowed}`)
    }
  }
  expect(wrong).toEqual([])
  expect(broken).toBeGreaterThan(100)
}, 120_000)

test('the page shows every call, without a script', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const answer = await app.fetch('/api-docs')
  const page = await answer.text()
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.match(/<details /g)!.length).toBe(Object.keys(operations).length)
  expect(page).not.toContain('<script')
})
