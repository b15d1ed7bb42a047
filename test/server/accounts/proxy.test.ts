import { expect, test } from 'bun:test'
import { refusal, startTestApp, withPasswords } from '../../support/app'

const env = { REVERSE_PROXY: 'true', REVERSE_PROXY_HEADER: 'Remote-User' }
const me = (app: Awaited<ReturnType<typeof startTestApp>>, name: string, headers: Record<string, string> = {}) =>
  app.fetch('/api/v1/users/me', { headers: { 'Remote-User': name, ...headers } })

test('a proxy signs in the names it knows, and new ones where that is wanted', async () => {
  await using app = await startTestApp({ env })
  expect((await me(app, 'mara')).status).toBe(401)
  await using open = await startTestApp({ env: { ...env, REVERSE_PROXY_AUTO_SIGN_UP: 'true', ADMINS: 'boss, mara' } })
  expect(await (await me(open, 'mara')).json()).toMatchObject({
    username: 'mara',
    role: 'admin',
    explicitConsent: true,
  })
  expect(await (await me(open, 'nils')).json()).toMatchObject({ role: 'user', explicitConsent: false })
  expect(await (await me(open, 'NILS')).json()).toMatchObject({ username: 'nils' })
  expect(await (await open.fetch('/api/v1/sys/config')).json()).toMatchObject({ reverseProxy: true, basicAuth: false })
})

test('H1: a name that was put in twice, or that is none, signs nobody in', async () => {
  await using app = await startTestApp({ env: { ...env, REVERSE_PROXY_AUTO_SIGN_UP: 'true' } })
  for (const name of ['mara, boss', 'a:b', '', 'me']) expect([name, (await me(app, name)).status]).toEqual([name, 401])
})

test('the built-in admin signs in only if the configuration names it', async () => {
  await using app = await startTestApp({ env: { ...env, REVERSE_PROXY_AUTO_SIGN_UP: 'true' } })
  expect((await me(app, 'admin')).status).toBe(401)
  await using named = await startTestApp({ env: { ...env, USERNAME: 'mara' } })
  expect(await (await me(named, 'mara')).json()).toMatchObject({ role: 'admin', readOnly: true })
})

test('an account removed from ADMINS is no admin any more', async () => {
  const settings = { ...env, REVERSE_PROXY_AUTO_SIGN_UP: 'true' }
  await using app = await startTestApp({ env: { ...settings, ADMINS: 'mara' } })
  expect(await (await me(app, 'mara')).json()).toMatchObject({ role: 'admin' })
  await using later = await startTestApp({ env: settings, folder: app.folder })
  expect(await (await me(later, 'mara')).json()).toMatchObject({ role: 'user' })
})

test('H1: a reset connection does not make its client trusted', async () => {
  const strict = { ...env, REVERSE_PROXY_AUTO_SIGN_UP: 'true', TRUSTED_PROXIES: '10.9.9.9', ADMINS: 'boss' }
  await using app = await startTestApp({ env: strict })
  const { hostname, port } = new URL(app.listen())
  const body = '{"role":"admin"}'
  for (let round = 0; round < 5; round++) {
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } })
    socket.write(
      `POST /api/v1/invites HTTP/1.1\r\nHost: ${hostname}:${port}\r\nRemote-User: boss\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    socket.terminate()
  }
  // Whatever became of them, the server has dealt with them before it answers this.
  for (let count = 0; count < 5; count++) await fetch(`http://${hostname}:${port}/healthz`)
  expect(app.context.store.users.findByName('boss')).toBeNull()
  expect(app.context.store.invites.list()).toEqual([])
})

test('an account that signs in by another way is not the person whom the proxy names', async () => {
  const both = { ...withPasswords, ...env, REVERSE_PROXY_AUTO_SIGN_UP: 'true', ADMINS: 'boss' }
  await using app = await startTestApp({ env: both })
  await app.signUp('alice')
  expect((await me(app, 'alice')).status).toBe(401)
  expect(await refusal(app.signUp('Boss'))).toMatchObject({ code: 'username-taken' })
  const mallory = await app.signUp('mallory')
  expect(await refusal(mallory.users.edit('mallory', { username: 'BOSS' }))).toMatchObject({ code: 'username-taken' })
  expect(await (await me(app, 'boss')).json()).toMatchObject({ username: 'boss', role: 'admin' })
  expect(await (await me(app, 'Boss')).json()).toMatchObject({ username: 'boss', role: 'admin' })
})

test('a password means nothing where only a proxy signs people in', async () => {
  await using app = await startTestApp({ env: { ...env, REVERSE_PROXY_AUTO_SIGN_UP: 'true' } })
  const Authorization = `Basic ${btoa('mara:whatever')}`
  expect((await app.fetch('/api/v1/users/me', { headers: { Authorization } })).status).toBe(401)
  // The proxy's own Basic header comes along with its word.
  expect(await (await me(app, 'mara', { Authorization })).json()).toMatchObject({ username: 'mara' })
})
