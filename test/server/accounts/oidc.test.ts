import { expect, test } from 'bun:test'
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

test('an access token for our client is accepted, one for another is not', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: provider.env })
  expect(await me(app, await provider.token({ aud: 'account', azp: 'castellan' }))).toMatchObject({
    username: 'mara-1',
  })
  expect(await refusal(me(app, await provider.token({ aud: 'account', azp: 'other' })))).toMatchObject({ status: 401 })
})

test('while the provider is down known keys stay valid, and it may be down at the start', async () => {
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

test('the page may show the provider that signs people in in a frame, and calls only this server', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: provider.env })
  await me(app, await provider.token())
  const policyOf = async (path: string) => (await app.fetch(path)).headers.get('content-security-policy')!
  const policy = await policyOf('/ui/')
  expect(policy).toContain(`frame-src 'self' ${provider.issuer};`)
  expect(policy).toContain("connect-src 'self';")
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

test('when the provider has new keys, everything that a page asks for at once is answered, by one look at them', async () => {
  using provider = await startIssuer()
  await using app = await startTestApp({ env: provider.env })
  await me(app, await provider.token())
  await provider.rotate()
  const token = await provider.token()
  const asked = provider.host.requestsTo('/keys').length
  const answers = await Promise.all(Array.from({ length: 6 }, () => me(app, token)))
  expect(answers.map(({ username }) => username)).toEqual(Array(6).fill('mara-1'))
  expect(provider.host.requestsTo('/keys').length).toBe(asked + 1)
})

test('a token of a key that the provider has withdrawn is refused after ten minutes', async () => {
  using provider = await startIssuer()
  const now = startClock(Date.now())
  await using app = await startTestApp({ env: provider.env, now })
  const old = await provider.token({ exp: Math.floor(now() / 1000) + 3600 })
  await me(app, old)
  await provider.rotate()
  expect(await me(app, old)).toMatchObject({ username: 'mara-1' })
  now.advance(11 * 60_000)
  // The keys are renewed beside this request, which the old ones still answer.
  await me(app, old)
  while ((await refusal(me(app, old)).catch(() => null)) === null) await Bun.sleep(1)
  expect(await refusal(me(app, old))).toMatchObject({ status: 401 })
})

test('an absent provider whose keys are configured is asked for its pages once in half a minute, whoever wants them', async () => {
  using provider = await startIssuer()
  const discovery = '/.well-known/openid-configuration'
  provider.host.on(discovery, () => new Response('no', { status: 404 }))
  const now = startClock()
  const env = { ...provider.env, OIDC_JWKS: `${provider.issuer}/keys`, SERVER_URL: 'https://pod.example' }
  await using app = await startTestApp({ env, now })
  const query = new URLSearchParams({
    response_type: 'code',
    redirect_uri: 'audiobookshelf://oauth',
    client_id: 'Audiobookshelf-App',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  const askTenTimes = async () => {
    for (let count = 0; count < 10; count++)
      expect((await app.fetch(`/auth/openid?${query}`)).status).toBeGreaterThanOrEqual(400)
    return provider.host.requestsTo(discovery).length
  }
  expect(await askTenTimes()).toBe(1)
  now.advance(31_000)
  expect(await askTenTimes()).toBe(2)
})
