import { expect, test } from 'bun:test'
import { operations } from '../../../src/server/http/api-docs/operations'
import { appPaths } from '../../../src/server/http/gpodder/paths'
import { startTestApp, withPasswords } from '../../support/app'

type Document = {
  openapi: string
  paths: Record<string, Record<string, { summary: string; operationId: string; responses: Record<string, unknown> }>>
  components: { schemas: Record<string, unknown> }
}

test('every call is described, and none that is not there', async () => {
  await using app = await startTestApp({ env: withPasswords })
  // The interface, the description itself, and what podcast apps have their own description for.
  const isElsewhere = (path: string) => /^\/(ui|api-docs|ws|$)/.test(path) || appPaths.some(known => known === path)
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
    'default',
  ])
  expect(text).not.toContain(app.folder)
})

test('the page shows every call, without a script', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const answer = await app.fetch('/api-docs')
  const page = await answer.text()
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.match(/<details /g)!.length).toBe(Object.keys(operations).length)
  expect(page).not.toContain('<script')
})
