import { expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import { createAfterLogin } from '../../../src/ui/state/credentials'
import { refusal, startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { startIssuer } from '../../support/issuer'

const me = (app: TestApp, token: string) => app.withHeader(`Bearer ${token}`).users.me()

test('O1: where the provider sends people back to is of the configuration or our own address, never of the request', async () => {
  using provider = await startIssuer()
  const uri = 'https://pod.example/ui/'
  await using app = await startTestApp({ env: { ...provider.env, OIDC_REDIRECT_URI: uri } })
  for (const query of ['', '?redirect_uri=https://evil.example', '?next=//evil.example']) {
    const answer = (await (await app.fetch(`/api/v1/sys/config${query}`)).json()) as {
      oidcConfig: { redirectUri: string }
    }
    expect(answer.oidcConfig.redirectUri).toBe(uri)
  }
  await using strict = await startTestApp({ env: { ...provider.env, TRUSTED_PROXIES: '10.9.9.9' } })
  const origin = strict.listen()
  const headers = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' }
  expect(await (await fetch(`${origin}/api/v1/sys/config`, { headers })).json()).toMatchObject({
    oidcConfig: { redirectUri: `${origin}/ui/` },
  })
})

test('O1: a code or a token in an address is nothing to the server: it answers with the page, and notes nothing', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: provider.env })
  const token = await provider.token()
  const page = await app.fetch(`/ui/?code=c0de-of-mara&state=abc&access_token=${token}`)
  expect(page.status).toBe(200)
  expect(await page.text()).not.toContain('c0de-of-mara')
  expect((await app.fetch(`/api/v1/users/me?access_token=${token}&id_token=${token}`)).status).toBe(401)
  await me(app, token)
  expect(app.lines.join('\n')).not.toMatch(new RegExp(`c0de-of-mara|${token.slice(-40)}`))
})

test('O2: after signing in one gets to our own pages alone', async () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  const afterLogin = createAfterLogin(storage)
  const elsewhere = [
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '~/x',
    '/grant/../../x',
    '/podcasts/..//evil.example',
    '/podcasts?t=\\',
    '/podcasts#//evil.example',
    '/login',
    '/login?x=1',
    '/',
    '/grant/0a//evil.example',
    '\t//evil.example',
    '/grant/0a\n//evil.example',
  ]
  for (const path of elsewhere) {
    afterLogin.remember(path)
    expect([path, afterLogin.claim()]).toEqual([path, null])
    // Nor when somebody put it there otherwise.
    kept.set('after-login', path)
    expect([path, afterLogin.claim()]).toEqual([path, null])
  }
  for (const path of ['/grant/0a1b', '/timeline', '/podcasts/a-b/episodes/c%20d?t=75', '/podcasts/search?q=%2F%2Fx']) {
    afterLogin.remember(path)
    expect([afterLogin.claim(), afterLogin.claim()]).toEqual([path, null])
  }

  await using app = await startTestApp({ env: withPasswords })
  const { port } = new URL(app.listen())
  for (const target of [
    '//evil.example',
    '//evil.example/..',
    '/%5cevil.example',
    '/.//evil.example',
    '/ui//evil.example',
  ]) {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { redirect: 'manual' })
    expect([target, response.headers.get('location') ?? '/ui/']).toEqual([target, '/ui/'])
  }
})

test('O3: tokens that are forged, foreign or old are refused, all alike', async () => {
  using provider = await startIssuer()
  using other = await startIssuer()
  const now = startClock(Date.now())
  await using app = await startTestApp({ env: provider.env, now })
  const good = await provider.token()
  const [header, payload] = good.split('.') as [string, string]
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  const shared = await new SignJWT({ iss: provider.issuer, aud: 'castellan', sub: 'mara-1', exp: 9_999_999_999 })
    .setProtectedHeader({ alg: 'HS256', kid: 'first' })
    .sign(new TextEncoder().encode('castellan'.repeat(8)))
  const stranger = await provider.newKey('first')
  const bad = {
    none,
    'a shared secret': shared,
    'another key under the same name': await provider.token({}, { key: stranger }),
    'another issuer': await other.token({ iss: provider.issuer }),
    'the wrong issuer': await provider.token({ iss: 'https://evil.example' }),
    'another audience': await provider.token({ aud: 'other' }),
    expired: await provider.token({}, { at: now() - 421_000 }),
    'without an end': await provider.token({ exp: undefined as never }),
    'without a subject': await provider.token({ sub: undefined as never }),
    'not a token': 'abc',
    'changed payload': `${header}.${Buffer.from('{"sub":"root"}').toString('base64url')}.${good.split('.')[2]}`,
  }
  for (const [name, token] of Object.entries(bad))
    expect([name, await refusal(me(app, token))]).toEqual([name, expect.objectContaining({ status: 401 })])
  // Clocks differ: two minutes are forgiven.
  const seconds = Math.floor(now() / 1000)
  for (const token of [
    good,
    await provider.token({ nbf: seconds + 115 }),
    await provider.token({ exp: seconds - 115 }),
  ])
    expect(await me(app, token)).toMatchObject({ username: 'mara-1' })
  now.advance(421_000)
  expect(await refusal(me(app, good))).toMatchObject({ status: 401 })
})

test('O3: new keys of the provider are fetched when one is missing, but not at every invented one', async () => {
  using provider = await startIssuer()
  const now = startClock(Date.now())
  await using app = await startTestApp({ env: provider.env, now })
  await me(app, await provider.token())
  await provider.rotate()
  expect(await me(app, await provider.token())).toMatchObject({ username: 'mara-1' })
  const asked = provider.host.requestsTo('/keys').length
  const invented = await provider.newKey('invented')
  for (let count = 0; count < 5; count++)
    expect(await refusal(me(app, await provider.token({}, { key: invented })))).toMatchObject({ status: 401 })
  expect(provider.host.requestsTo('/keys').length).toBe(asked)
  await provider.rotate()
  now.advance(10_000)
  expect(await me(app, await provider.token({}, { at: now() }))).toMatchObject({ username: 'mara-1' })
})

test('O3: nobody gets an account because the names agree', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: { ...withPasswords, ...provider.env } })
  await app.signUp('alice', 'admin')
  const made: string[][] = []
  for (const [index, name] of ['alice', 'root', 'ALICE'].entries()) {
    const { username, role } = await me(app, await provider.token({ sub: `sub-${index}`, preferred_username: name }))
    made.push([username, role])
  }
  expect(made).toEqual([
    ['alice2', 'user'],
    ['root2', 'user'],
    ['ALICE3', 'user'],
  ])
  expect(await me(app, await provider.token({ sub: 's', preferred_username: 'a/b:c' }))).toMatchObject({
    // A name that no path can carry is not repaired: the next claim counts.
    username: 's',
  })
})

test('O3: a claim makes an admin where the configuration says which, for as long as it is there', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: { ...provider.env, OIDC_ADMIN_CLAIM: 'groups:podcast-admins' } })
  const withGroups = async (groups: unknown) => (await me(app, await provider.token({ groups }))).role
  expect(await withGroups(['family'])).toBe('user')
  expect(await withGroups(['family', 'podcast-admins'])).toBe('admin')
  expect(await withGroups('podcast-admins')).toBe('admin')
  expect(await withGroups(['podcast-admins-not'])).toBe('user')
  await using named = await startTestApp({ env: { ...provider.env, ADMINS: 'mara-1' } })
  expect(await me(named, await provider.token())).toMatchObject({ role: 'admin', explicitConsent: true })
})
