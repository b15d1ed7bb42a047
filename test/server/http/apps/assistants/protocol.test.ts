import { expect, test } from 'bun:test'
import { basic, goodPassword, refusal, startTestApp, withPasswords, type TestApp } from '../../../../support/app'
import { connectAssistant } from '../../../../support/assistant'
import { rss } from '../../../../support/builders'
import { startFeedHost } from '../../../../support/feed-host'
import { besidesHeader } from '../../../../support/sessions'

const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }

const post = (app: TestApp, message: unknown, headers: Record<string, string>) =>
  app.fetch('/mcp', { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(message) })

/** A server where people sign in, and headers with the key of anna's assistant, which only reads. */
async function startWithKey(env: Record<string, string> = {}) {
  const app = await startTestApp({ env: { ...withPasswords, ...env } })
  const anna = await app.signUp('anna')
  const { id, password } = await anna.appPasswords.create('Claude', 'reads')
  return { app, anna, id, key: password, headers: { Authorization: `Bearer ${password}` } }
}

test('client and server agree on the newest version that both know', async () => {
  const { app, headers } = await startWithKey()
  await using _ = app
  const versionFor = async (protocolVersion: unknown) => {
    const answer = await post(app, { ...ping, method: 'initialize', params: { protocolVersion } }, headers)
    return ((await answer.json()) as { result: { protocolVersion: string } }).result.protocolVersion
  }
  expect(await versionFor('2025-06-18')).toBe('2025-06-18')
  expect(await versionFor('2025-03-26')).toBe('2025-03-26')
  expect(await versionFor('2099-01-01')).toBe('2025-11-25')
  expect(await versionFor(null)).toBe('2025-11-25')
  expect((await post(app, ping, { ...headers, 'MCP-Protocol-Version': '2025-06-18' })).status).toBe(200)
  expect((await post(app, ping, { ...headers, 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400)
})

const newest = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': newest,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

/** A request of the version without a handshake, and the headers that repeat what it says. */
function stateless(method: string, params: Record<string, unknown> = {}) {
  const named: Record<string, string> = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {}
  const said = { 'MCP-Protocol-Version': newest, 'Mcp-Method': method, ...named }
  return { message: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }, said }
}

test('the newest version needs no handshake: every request says what it is, and answers are complete', async () => {
  const { app, headers } = await startWithKey()
  await using _ = app
  async function ask(method: string, params: Record<string, unknown> = {}) {
    const { message, said } = stateless(method, params)
    const answer = await post(app, message, { ...headers, ...said })
    return { status: answer.status, ...((await answer.json()) as { result: any; error: any }) }
  }
  const found = await ask('server/discover')
  expect(found.result).toMatchObject({
    resultType: 'complete',
    supportedVersions: [newest],
    capabilities: { tools: {} },
    ttlMs: expect.any(Number),
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'castellan' } },
  })
  const { tools, resultType } = (await ask('tools/list')).result
  expect([resultType, tools[0].name]).toEqual(['complete', 'search'])
  const called = await ask('tools/call', { name: 'list_podcasts', arguments: {} })
  expect(called.result).toMatchObject({ resultType: 'complete', structuredContent: { podcasts: [] } })
  for (const gone of ['ping', 'initialize', 'resources/list'])
    expect([gone, await ask(gone)]).toMatchObject([gone, { status: 404, error: { code: -32_601 } }])
  expect(await ask('tools/call', { name: 'delete_everything' })).toMatchObject({
    status: 400,
    error: { code: -32_602 },
  })
})

test('requests of the newest version that contradict themselves are refused, and so are other versions', async () => {
  const { app, headers } = await startWithKey()
  await using _ = app
  const { message, said } = stateless('tools/call', { name: 'list_podcasts', arguments: {} })
  async function refusalOf(body: object, more: Record<string, string>) {
    const answer = await post(app, body, { ...headers, ...more })
    const { error } = (await answer.json()) as { error: { code: number; data?: object } }
    return [answer.status, error.code, error.data]
  }
  expect(await refusalOf({ ...message, params: { name: 'list_podcasts' } }, said)).toEqual([400, -32_602, undefined])
  for (const [name, value] of [
    ['Mcp-Method', 'tools/list'],
    ['Mcp-Name', 'search'],
  ] as const)
    expect(await refusalOf(message, { ...said, [name]: value })).toEqual([400, -32_020, undefined])
  const older = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2025-11-25' }
  const mixed = { ...message, params: { ...message.params, _meta: older } }
  expect(await refusalOf(mixed, said)).toEqual([400, -32_020, undefined])
  expect(await refusalOf(message, { ...said, 'MCP-Protocol-Version': '2099-01-01' })).toEqual([
    400,
    -32_022,
    { supported: [newest, '2025-11-25', '2025-06-18', '2025-03-26'], requested: '2099-01-01' },
  ])
})

test('messages are answered one by one, without sessions and streams', async () => {
  const { app, headers } = await startWithKey()
  await using _ = app
  expect(await (await post(app, ping, headers)).json()).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
  const noted = await post(app, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
  expect([noted.status, await noted.text()]).toEqual([202, ''])
  expect((await post(app, { jsonrpc: '2.0', id: 1, result: {} }, headers)).status).toBe(202)
  for (const method of ['GET', 'DELETE']) {
    const refused = await app.fetch('/mcp', { method, headers })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
  }
  const unknown = await (await post(app, { ...ping, method: 'resources/list' }, headers)).json()
  expect(unknown).toMatchObject({ id: 7, error: { code: -32_601 } })
})

test('what is no message is refused with the code that JSON-RPC has for it', async () => {
  const { app, headers } = await startWithKey()
  await using _ = app
  const refusalOf = async (body: string, more: Record<string, string> = {}) => {
    const answer = await app.fetch('/mcp', { method: 'POST', headers: { ...json, ...headers, ...more }, body })
    return [answer.status, ((await answer.json()) as { error: { code: number } }).error.code]
  }
  expect(await refusalOf('{"unreadable')).toEqual([400, -32_700])
  expect(await refusalOf(JSON.stringify([ping]))).toEqual([400, -32_600])
  expect(await refusalOf('"text"')).toEqual([400, -32_600])
  expect(await refusalOf(JSON.stringify({ ...ping, jsonrpc: '1.0' }))).toEqual([400, -32_600])
  expect(await refusalOf(JSON.stringify({ ...ping, id: {} }))).toEqual([400, -32_600])
  expect(await refusalOf(JSON.stringify({ jsonrpc: '2.0', id: 1 }))).toEqual([400, -32_600])
  expect(await refusalOf(`${'['.repeat(50)}${']'.repeat(50)}`)).toEqual([400, -32_700])
  expect(await refusalOf(JSON.stringify(ping), { 'Content-Type': 'text/plain' })).toEqual([415, -32_600])
  expect(await refusalOf(JSON.stringify({ ...ping, params: { long: 'x'.repeat(70_000) } }))).toEqual([413, -32_600])
})

test('A3: nothing but a key signs an assistant in', async () => {
  const { app, anna, key } = await startWithKey()
  await using _ = app
  const statusOf = async (path: string, headers: Record<string, string>) => {
    const answer = await app.fetch(path, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(ping),
    })
    if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toStartWith('Bearer')
    return answer.status
  }
  const feedKey = app.context.feedKeys.of(anna.row)
  const cookie = `castellan=${app.context.sessions.start(anna.row, null, { ...besidesHeader, carriesApi: true })}`
  expect(await statusOf('/mcp', {})).toBe(401)
  expect(await statusOf('/mcp', { Cookie: cookie })).toBe(401)
  expect(await statusOf('/mcp', { Authorization: basic('anna', goodPassword) })).toBe(401)
  expect(await statusOf('/mcp', { Authorization: basic('anna', key) })).toBe(401)
  expect(await statusOf(`/mcp?apiKey=${key}`, {})).toBe(401)
  expect(await statusOf('/mcp', { Authorization: `Bearer ${feedKey}` })).toBe(401)
  const other = await anna.appPasswords.create('Car radio')
  expect(await statusOf('/mcp', { Authorization: `Bearer ${other.password}` })).toBe(401)
  expect(await statusOf('/mcp', { Authorization: `Bearer ${key}` })).toBe(200)
})

test('the key of an assistant opens nothing else', async () => {
  const { app, key, headers } = await startWithKey()
  await using _ = app
  const statusOf = async (path: string, init: RequestInit = {}) => (await app.fetch(path, init)).status
  expect(await statusOf('/api/v1/podcasts', { headers })).toBe(401)
  expect(await statusOf('/api/v1/queue', { method: 'DELETE', headers })).toBe(401)
  expect(await statusOf('/api/v1/podcasts', { headers: { Authorization: basic('anna', key) } })).toBe(401)
  expect(await statusOf(`/rss?apiKey=${key}`)).toBe(401)
  for (const authorization of [`Bearer ${key}`, basic('anna', key)])
    expect(await statusOf('/api/2/devices/anna.json', { headers: { Authorization: authorization } })).toBe(401)
  const body = JSON.stringify({ username: 'anna', password: key })
  expect(await statusOf('/login', { method: 'POST', headers: json, body })).toBe(401)
})

const firstKey = '0123456789abcdef9e107d9d372bb682'
const secondKey = 'fedcba9876543210bb7d1d9e82376210'

/** The status of `/mcp` by an API key made with each choice, and what its owner is shown. */
async function openWith(env: Record<string, string>, choice: boolean | null) {
  const { app, anna } = await startWithKey(env)
  await using _ = app
  await anna.users.edit('anna', { apiKey: firstKey, apiKeyForAssistants: choice })
  const { apiKeyForAssistants } = await anna.users.me()
  const answer = await post(app, ping, { Authorization: `Bearer ${firstKey}` })
  return { status: answer.status, text: await answer.text(), shown: apiKeyForAssistants }
}

test.each([
  [{}, null, 401, false],
  [{}, false, 401, false],
  [{}, true, 200, true],
  [{ ASSISTANT_API_KEYS: 'true' }, null, 200, true],
  [{ ASSISTANT_API_KEYS: 'true' }, false, 401, false],
  [{ ASSISTANT_API_KEYS: 'false' }, null, 401, null],
  [{ ASSISTANT_API_KEYS: 'false' }, true, 401, null],
])('with %p an API key made with the choice %p answers %p', async (env, choice, status, shown) => {
  const answer = await openWith(env as Record<string, string>, choice)
  expect(answer).toMatchObject({ status, shown })
  if (status === 401) expect(answer.text).toContain('Settings › Apps')
})

test('the choice about a key ends with the key', async () => {
  const { app, anna } = await startWithKey()
  await using _ = app
  await anna.users.edit('anna', { apiKey: firstKey, apiKeyForAssistants: true })
  await anna.users.edit('anna', { apiKey: secondKey })
  expect((await post(app, ping, { Authorization: `Bearer ${secondKey}` })).status).toBe(401)
  await anna.users.edit('anna', { apiKeyForAssistants: true })
  expect((await post(app, ping, { Authorization: `Bearer ${secondKey}` })).status).toBe(401)
})

test('what the built-in admin chose about an own key says nothing of the key that the configuration sets', async () => {
  await using app = await startTestApp({ env: { ...withPasswords, API_KEY: secondKey } })
  await app.context.users.edit(app.context.store.users.findBuiltIn()!, { apiKey: firstKey, apiKeyForAssistants: true })
  const statusOf = async (key: string) => (await post(app, ping, { Authorization: `Bearer ${key}` })).status
  expect([await statusOf(firstKey), await statusOf(secondKey)]).toEqual([200, 401])
})

test('an API key that is allowed has the rights of its user, and a key ends when it is withdrawn', async () => {
  const { app, anna, id, headers } = await startWithKey({ ASSISTANT_API_KEYS: 'true' })
  await using _ = app
  const apiKey = '0123456789abcdef9e107d9d372bb682'
  await app.context.users.edit(anna.row, { apiKey })
  await using assistant = await connectAssistant(app, apiKey)
  expect(await assistant.names()).toContain('change_queue')
  expect(await anna.appPasswords.list()).toMatchObject([{ name: 'Claude', assistant: 'reads', lastUsedAt: null }])
  await post(app, ping, headers)
  expect(await anna.appPasswords.list()).toMatchObject([{ lastUsedAt: expect.any(String) }])
  await anna.appPasswords.remove(id)
  expect((await post(app, ping, headers)).status).toBe(401)
  expect(await refusal(connectAssistant(app, headers.Authorization.slice(7)))).toBeInstanceOf(Error)
})

test('guessing keys is refused after a while', async () => {
  await using app = await startTestApp({
    env: withPasswords,
    throttleLimits: {
      freeFailures: 9,
      maxFailuresPerPair: 3,
      maxFailuresPerAddress: 9,
      firstPauseMs: 0,
      longestPauseMs: 0,
    },
  })
  const guess = () => post(app, ping, { Authorization: `Bearer ${crypto.randomUUID().replaceAll('-', '')}` })
  const statuses = []
  for (let count = 0; count < 4; count++) statuses.push((await guess()).status)
  expect(statuses).toEqual([401, 401, 401, 429])
  expect((await guess()).headers.get('retry-after')).toMatch(/^\d+$/)
})

test('pages of other sites and rebound names reach no assistant’s tools', async () => {
  const { app, headers } = await startWithKey()
  await using _ = app
  expect((await post(app, ping, { ...headers, Origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(app, ping, { ...headers, Origin: 'http://localhost' })).status).toBe(200)

  await using open = await startTestApp()
  expect((await post(open, ping, {})).status).toBe(200)
  expect((await post(open, ping, { Origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(open, ping, { Host: 'rebound.example' })).status).toBe(403)
})

test('in open mode no key is needed, but one that is sent must be right, and keeps its limits', async () => {
  await using app = await startTestApp()
  await using free = await connectAssistant(app, null)
  expect(await free.names()).toContain('mark_episodes')
  const { password } = await app.appPasswords.create('Claude', 'reads')
  await using limited = await connectAssistant(app, password)
  expect(await limited.names()).not.toContain('mark_episodes')
  expect((await post(app, ping, { Authorization: `Bearer ${'0'.repeat(32)}` })).status).toBe(401)
})

test('below a path, links lead to the pages there', async () => {
  await using app = await startTestApp({ env: { SUB_DIRECTORY: '/pods' } })
  const host = startFeedHost()
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ title: 'Orbital' })))
  host.stop()
  await using assistant = await connectAssistant(app, null)
  const { podcasts } = (await assistant.call('list_podcasts')).data
  expect(podcasts).toMatchObject([{ title: 'Orbital', link: `http://localhost/pods/ui/podcasts/${id}/episodes` }])
})
