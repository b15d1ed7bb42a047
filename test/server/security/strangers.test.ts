import { expect, test } from 'bun:test'
import { readSyncBody } from '../../../src/server/http/apps/gpodder/serve'
import { filled, json, protectedRoutes, unhindered } from '../../support/access'
import { refusal, startTestApp, withPasswords } from '../../support/app'
import { connect } from '../../support/socket'

test('A1: every call asks who is there, before it looks at anything that came along', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: unhindered })
  const found = await Promise.all(
    protectedRoutes(app).map(async ({ method, path }) => {
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: '{"unreadable', headers: json }
      const { status } = await app.fetch(filled(path), { method, ...body })
      return `${method} ${path} ${status}`
    }),
  )
  expect(found.filter(answer => !answer.endsWith(' 401'))).toEqual([])
  expect((await connect(app.listen())).isOpen).toBe(false)
})

test('A1: the server reads little of a stranger’s body', async () => {
  await using app = await startTestApp({ env: withPasswords })
  let read = 0
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        read += 65_536
        if (read > 8e6) controller.close()
        else controller.enqueue(new Uint8Array(65_536))
      },
    })
  const send = (path: string) => app.fetch(path, { method: 'POST', body: endless(), headers: json })
  expect((await send('/api/v1/podcasts/opml')).status).toBe(401)
  expect((await send('/api/2/episodes/alice.json')).status).toBe(401)
  expect(read).toBeLessThan(1e6)
  expect(
    await refusal(readSyncBody(new Request('http://x/', { method: 'POST', body: 'x'.repeat(9) }), 8)),
  ).toMatchObject({ status: 413 })
})

const spellings: Record<string, (path: string) => string> = {
  'a public address in the query': path => `${path}?x=/api/v1/login`,
  'a public address in the fragment': path => `${path}#/api/v1/login`,
  'a detour by a public address': path => `/api/v1/login/..%2f..%2f..${path}`,
  'a detour by the interface': path => `/ui/public/..%2f..${path}`,
  'a parameter in the path': path => `${path}/..;/`,
  'a parameter at its end': path => `${path};/api/v1/login`,
  'two slashes': path => `/${path}`,
  capitals: path => path.toUpperCase(),
  'an encoded letter': path => path.replace(/[a-z]/, letter => `%${letter.charCodeAt(0).toString(16)}`),
  'an encoded slash': path => path.replace(/(.)\//, '$1%2f'),
  'twice encoded': path => path.replace(/(.)\//, '$1%252f'),
  'a dot': path => `${path}.`,
  'a slash': path => `${path}/`,
  'an ending': path => `${path}.js`,
  'a null byte': path => `${path}%00`,
  'a backslash': path => path.replaceAll('/', '\\'),
}

test('A2: no way of writing an address leads past the sign-in', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: unhindered })
  const routes = protectedRoutes(app)
  const wrong: string[] = []
  for (const [name, write] of Object.entries(spellings))
    for (const { method, path } of routes) {
      const url = `http://localhost${write(filled(path))}`
      if (!URL.canParse(url)) continue
      const { status } = await app.app.handle(new Request(url, { method }))
      // There is no such address, or somebody has to sign in.
      if (![400, 401, 404, 405].includes(status)) wrong.push(`${method} ${path}, ${name}: ${status}`)
    }
  expect(wrong).toEqual([])
})

test('A2: nor does one that no browser would send', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const { port } = new URL(app.listen())
  const statusOf = async (target: string) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = {
      data: (_: unknown, bytes: Uint8Array) => resolve(Buffer.from(bytes).toString()),
      close: () => resolve(''),
    }
    const connection = await Bun.connect({ hostname: '127.0.0.1', port: Number(port), socket })
    connection.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    const answer = await promise
    connection.end()
    expect(answer).not.toContain('"username"')
    return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1] ?? 0)
  }
  const targets = [
    '/ui/../api/v1/users',
    '/api/v1/login/../users',
    '/api/v1/./users',
    'http://evil.example/api/v1/users',
    '/api/v1/users#/ui/',
    '*',
    '\\api\\v1\\users',
  ]
  for (const target of targets) expect([target, await statusOf(target)]).not.toEqual([target, 200])
})

test('H1: what a proxy would say counts from a trusted one alone, and not twice', async () => {
  const env = {
    REVERSE_PROXY: 'true',
    REVERSE_PROXY_HEADER: 'Remote-User',
    REVERSE_PROXY_AUTO_SIGN_UP: 'true',
    ADMINS: 'boss',
  }
  const headers = {
    'Remote-User': 'boss',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Prefix': '/evil',
    Forwarded: 'host=evil.example',
  }
  await using strict = await startTestApp({ env: { ...env, TRUSTED_PROXIES: '10.9.9.9' } })
  const origin = strict.listen()
  const ask = (path: string) => fetch(`${origin}${path}`, { headers, redirect: 'manual' })
  expect((await ask('/api/v1/users/me')).status).toBe(401)
  expect(await (await ask('/api/v1/sys/config')).json()).toMatchObject({ serverUrl: `${origin}/` })
  expect((await ask('/')).headers.get('location')).toBe('/ui/')
  expect(await (await ask('/ui/')).text()).not.toContain('evil')

  await using app = await startTestApp({ env })
  const trusted = app.listen()
  const signIn = async (names: string[]) =>
    (
      await fetch(`${trusted}/api/v1/users/me`, {
        headers: names.map(name => ['Remote-User', name] as [string, string]),
      })
    ).status
  expect(await signIn(['boss'])).toBe(200)
  expect(await signIn(['guest', 'boss'])).toBe(401)
  expect(await signIn(['guest,boss'])).toBe(401)
})
