import { expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import { refusal, startClock, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { startIssuer } from '../../support/issuer'

const me = (app: TestApp, token: string) => app.withHeader(`Bearer ${token}`).users.me()

test('a person is made at first sight, and is known by issuer and subject from then on', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: provider.env })
  expect(await app.system.config()).toMatchObject({
    basicAuth: false,
    oidcConfigured: true,
    oidcConfig: { authority: provider.issuer, clientId: 'castellan', redirectUri: 'http://localhost/ui/' },
  })
  const first = await me(app, await provider.token({ preferred_username: 'Mara', email: 'mara@example.com' }))
  expect(first).toMatchObject({ username: 'Mara', role: 'user', explicitConsent: false })
  const renamed = await me(app, await provider.token({ preferred_username: 'someone else' }))
  expect(renamed).toEqual(first)
  expect(await me(app, await provider.token({ sub: 'x', email: 'x@example.com' }))).toMatchObject({
    username: 'x@example.com',
  })
  expect(await me(app, await provider.token({ sub: 'bare-subject' }))).toMatchObject({ username: 'bare-subject' })
})

test('nobody gets an account because the names agree', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: { ...withPasswords, ...provider.env } })
  await app.signUp('alice', 'admin')
  const names = ['alice', 'root', 'ALICE'].map(async (name, index) => {
    const { username, role } = await me(app, await provider.token({ sub: `sub-${index}`, preferred_username: name }))
    return [username, role]
  })
  expect(await Promise.all(names)).toEqual([
    ['alice2', 'user'],
    ['root2', 'user'],
    ['ALICE3', 'user'],
  ])
  expect(await me(app, await provider.token({ sub: 's', preferred_username: 'a/b:c' }))).toMatchObject({
    username: 'abc',
  })
})

test('a claim makes an admin, for as long as it is there', async () => {
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

test('a claim may be named by an address, and gives back what it replaced', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({
    env: { ...withPasswords, ...provider.env, OIDC_ADMIN_CLAIM: 'https://pod.example/groups:admins' },
  })
  const as = async (groups: string[]) => me(app, await provider.token({ 'https://pod.example/groups': groups }))
  const { username } = await as([])
  await app.as('root', 'Sup3rSecret').users.change(username, { role: 'uploader' })
  expect(await as(['admins'])).toMatchObject({ role: 'admin', explicitConsent: true })
  expect(await as([])).toMatchObject({ role: 'uploader', explicitConsent: false })
})

test('where discovery fails but the keys are known, their address is enough', async () => {
  using provider = await startIssuer()
  provider.host.on('/.well-known/openid-configuration', () => new Response('no', { status: 404 }))
  await using app = await startTestApp({ env: { ...provider.env, OIDC_JWKS: `${provider.issuer}/keys` } })
  expect(await me(app, await provider.token())).toMatchObject({ username: 'mara-1' })
})

test('pages that strangers open do not make the server ask an absent provider again and again', async () => {
  using provider = await startIssuer()
  provider.goAway(true)
  await using app = await startTestApp({ env: provider.env })
  for (let count = 0; count < 10; count++) await app.fetch('/ui/')
  await refusal(me(app, await provider.token()))
  for (let count = 0; count < 10; count++) await app.fetch('/ui/')
  expect(provider.host.requests.length).toBeLessThanOrEqual(2)
})

test('an access token for our client is as good, one for another is not', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: provider.env })
  expect(await me(app, await provider.token({ aud: 'account', azp: 'castellan' }))).toMatchObject({
    username: 'mara-1',
  })
  expect(await refusal(me(app, await provider.token({ aud: 'account', azp: 'other' })))).toMatchObject({ status: 401 })
})

test('tokens that are forged, foreign or old are refused, all alike', async () => {
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
    expired: await provider.token({}, { at: now() - 400_000 }),
    'without an end': await provider.token({ exp: undefined as never }),
    'without a subject': await provider.token({ sub: undefined as never }),
    'not a token': 'abc',
    'changed payload': `${header}.${Buffer.from('{"sub":"root"}').toString('base64url')}.${good.split('.')[2]}`,
  }
  for (const [name, token] of Object.entries(bad))
    expect([name, await refusal(me(app, token))]).toEqual([name, expect.objectContaining({ status: 401 })])
  expect(await me(app, good)).toMatchObject({ username: 'mara-1' })
  now.advance(331_000)
  expect(await refusal(me(app, good))).toMatchObject({ status: 401 })
})

test('new keys of the provider are fetched when one is missing, but not at every invented one', async () => {
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

test('while the provider is away known keys go on counting, and it may be away at the start', async () => {
  using provider = await startIssuer()
  const now = startClock(Date.now())
  await using app = await startTestApp({ env: provider.env, now })
  provider.goAway(true)
  const token = await provider.token()
  expect(await refusal(me(app, token))).toMatchObject({ status: 504, code: 'upstream-timeout' })
  provider.goAway(false)
  // After a failure it is not asked again at once.
  now.advance(1000)
  expect(await me(app, token)).toMatchObject({ username: 'mara-1' })
  provider.goAway(true)
  expect(await me(app, await provider.token())).toMatchObject({ username: 'mara-1' })
})

test('the page may call the provider that signs people in, and no one else', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: provider.env })
  await me(app, await provider.token())
  const policyOf = async (path: string) => (await app.fetch(path)).headers.get('content-security-policy')!
  const policy = await policyOf('/ui/')
  expect(policy).toContain(`connect-src 'self' ${provider.issuer} https://tokens.example;`)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(await policyOf('/ui/?code=1&state=2')).toContain("frame-ancestors 'self'")
  await using open = await startTestApp()
  expect((await open.fetch('/ui/?code=1&state=2')).headers.get('content-security-policy')).toContain(
    "connect-src 'self';",
  )
})

test('a single sign-on account keeps its name, and has no password to sign in by', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: { ...withPasswords, ...provider.env } })
  const mara = app.withHeader(`Bearer ${await provider.token({ preferred_username: 'mara' })}`)
  await mara.users.me()
  expect(await refusal(mara.users.edit('mara', { username: 'other' }))).toMatchObject({ code: 'invalid-field' })
  expect(await refusal(app.as('mara', '').users.me())).toMatchObject({ status: 401 })
})
