import { expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import { HOUR, MINUTE } from '../../../src/server/platform/clock'
import { startClock, startTestApp, type TestApp } from '../../support/app'
import { startIssuer } from '../../support/issuer'
import { startOpenIdProvider, type OpenIdProvider } from '../../support/openid-provider'
import { signInOnPage } from '../../support/openid-visitor'

const PAGE = 'http://localhost/ui/'
const admins = { OIDC_ADMIN_CLAIM: 'groups:admins' }

type Options = Omit<Parameters<typeof startOpenIdProvider>[0], 'redirectUri'> & {
  env?: Record<string, string>
  now?: () => number
}

async function start({ env, now, ...options }: Options = {}) {
  const provider = await startOpenIdProvider({ redirectUri: PAGE, ...options })
  const app = await startTestApp({ env: { ...provider.env, ...admins, ...env }, ...(now && { now }) })
  return {
    provider,
    app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      provider[Symbol.dispose]()
    },
  }
}

const post = (app: TestApp, body: URLSearchParams, path = '/token') =>
  app.fetch(`/api/v1/sys/openid${path}`, { method: 'POST', body })
const signIn = (app: TestApp, provider: OpenIdProvider, name: string) =>
  signInOnPage(provider, PAGE, name, form => post(app, form))
const withToken = (app: TestApp, { id_token }: { id_token: string }) => app.withHeader(`Bearer ${id_token}`)
const renew = async (app: TestApp, refreshToken: string | undefined) => {
  const response = await post(app, new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken! }))
  return { status: response.status, tokens: (await response.json()) as { id_token: string; refresh_token: string } }
}

test.each([
  ['at the userinfo endpoint alone', false],
  ['in the ID token', true],
])('somebody whose claims are %s has their name, and is an admin while a group says so', async (_, fullIdTokens) => {
  const zoe: Record<string, unknown> = { groups: ['people', 'admins'] }
  await using world = await start({ fullIdTokens, people: { zoe } })
  const { app, provider } = world
  const { tokens } = await signIn(app, provider, 'zoe')
  expect('groups' in decodeJwt(tokens.id_token)).toBe(fullIdTokens)
  expect(await withToken(app, tokens).users.me()).toMatchObject({ username: 'zoe', role: 'admin' })
  // The token says little, and the claims that were read when it was issued still count.
  expect(await withToken(app, tokens).users.me()).toMatchObject({ username: 'zoe', role: 'admin' })

  zoe['groups'] = 'people'
  const renewed = await renew(app, tokens.refresh_token)
  expect(await withToken(app, renewed.tokens).users.me()).toMatchObject({ role: 'user', explicitConsent: false })
  zoe['groups'] = 'admins'
  const again = await renew(app, renewed.tokens.refresh_token)
  expect(await withToken(app, again.tokens).users.me()).toMatchObject({ role: 'admin' })
  delete zoe['groups']
  const last = await renew(app, again.tokens.refresh_token)
  expect(await withToken(app, last.tokens).users.me()).toMatchObject({ username: 'zoe', role: 'user' })
})

test('a newer token that says nothing of groups, and was not given out by way of this server, makes no admin', async () => {
  await using world = await start({ people: { zoe: { groups: ['admins'] } } })
  const { app, provider } = world
  const first = await signIn(app, provider, 'zoe')
  expect(await withToken(app, first.tokens).users.me()).toMatchObject({ role: 'admin' })
  const direct = () =>
    signInOnPage(provider, PAGE, 'zoe', form => fetch(`${provider.origin}/token`, { method: 'POST', body: form }))
  let { tokens } = await direct()
  while (decodeJwt(tokens.id_token).iat === decodeJwt(first.tokens.id_token).iat) tokens = (await direct()).tokens
  expect(await withToken(app, tokens).users.me()).toMatchObject({ role: 'user' })
})

test('an answer of the userinfo endpoint about somebody else signs nobody in', async () => {
  await using world = await start({ people: { zoe: { groups: ['admins'] } } })
  const { app, provider } = world
  provider.answerUserInfo(() => Response.json({ sub: 'sub-eve', preferred_username: 'eve', groups: ['admins'] }))
  const { status, tokens } = await signIn(app, provider, 'zoe')
  expect([status, tokens.error]).toEqual([400, 'access_denied'])
  expect(app.context.store.users.list().map(({ username }) => username)).toEqual(['admin'])
})

test('without an answer of the userinfo endpoint nobody new is called by a number, and known admins stay', async () => {
  await using world = await start({ people: { zoe: { groups: ['admins'] } } })
  const { app, provider } = world
  provider.answerUserInfo(() => new Response('busy', { status: 503 }))
  expect((await signIn(app, provider, 'zoe')).status).toBe(504)
  provider.answerUserInfo(null)
  await signIn(app, provider, 'zoe')
  provider.answerUserInfo(() => new Response('busy', { status: 503 }))
  const { tokens } = await signIn(app, provider, 'zoe')
  expect(await withToken(app, tokens).users.me()).toMatchObject({ username: 'zoe', role: 'admin' })
})

test('somebody whom the provider gives a name alone is called by it', async () => {
  await using world = await start({
    people: { k: { preferred_username: undefined, name: 'Kilgore', email: 'k@trout.example' } },
  })
  const { tokens } = await signIn(world.app, world.provider, 'k')
  expect(await withToken(world.app, tokens).users.me()).toMatchObject({ username: 'Kilgore' })
})

test('an account that was named after its subject is renamed once, and its user is notified', async () => {
  const zoe: Record<string, unknown> = { preferred_username: undefined }
  await using world = await start({ people: { zoe } })
  const { app, provider } = world
  const first = await signIn(app, provider, 'zoe')
  const before = await withToken(app, first.tokens).users.me()
  expect(before.username).toBe('sub-zoe')

  zoe['preferred_username'] = 'zoe'
  const { tokens } = await signIn(app, provider, 'zoe')
  const client = withToken(app, tokens)
  expect(await client.users.me()).toMatchObject({ id: before.id, username: 'zoe' })
  expect(await client.notifications.unread()).toMatchObject([{ typeOfMessage: 'Renamed', message: 'zoe' }])

  zoe['preferred_username'] = 'zoe-the-second'
  const later = await signIn(app, provider, 'zoe')
  expect(await withToken(app, later.tokens).users.me()).toMatchObject({ username: 'zoe' })
})

test('an account that has a long subject and a number for its name is renamed as well', async () => {
  const name = 'z'.repeat(60)
  const person: Record<string, unknown> = { preferred_username: undefined }
  await using world = await start({ people: { [name]: person } })
  const { app, provider } = world
  app.context.store.users.add({ username: `sub-${name}`, password_hash: null, role: 'user', explicit_consent: 0 }, 1)
  const first = await signIn(app, provider, name)
  expect(await withToken(app, first.tokens).users.me()).toMatchObject({ username: `sub-${'z'.repeat(52)}2` })
  person['preferred_username'] = 'zoe'
  const { tokens } = await signIn(app, provider, name)
  expect(await withToken(app, tokens).users.me()).toMatchObject({ username: 'zoe' })
})

test.each(['client_secret_basic', 'client_secret_post'] as const)(
  'a confidential client signs people in with its secret by %s, and renews and revokes with it',
  async method => {
    await using world = await start({ secret: { value: 'a secret: with % and +', method } })
    const { app, provider } = world
    const { status, tokens } = await signIn(app, provider, 'zoe')
    expect([status, (await withToken(app, tokens).users.me()).username]).toEqual([200, 'zoe'])
    const renewed = await renew(app, tokens.refresh_token)
    expect((await withToken(app, renewed.tokens).users.me()).username).toBe('zoe')
    const form = new URLSearchParams({ token: renewed.tokens.refresh_token, token_type_hint: 'refresh_token' })
    expect((await post(app, form, '/revoke')).status).toBe(200)
    expect((await renew(app, renewed.tokens.refresh_token)).status).toBe(400)
    expect(app.lines.join('\n')).not.toContain('a secret')
    expect(await (await app.fetch('/api/v1/sys/config')).text()).not.toContain('a secret')
  },
)

test('a stranger who revokes invented tokens makes this server ask the provider a few times a minute', async () => {
  await using world = await start({ secret: { value: 'secret', method: 'client_secret_basic' } })
  const { app, provider } = world
  const before = provider.requests.length
  const statuses: number[] = []
  for (let count = 0; count < 40; count++)
    statuses.push((await post(app, new URLSearchParams({ token: `invented ${count}` }), '/revoke')).status)
  expect([statuses.indexOf(429), new Set(statuses.slice(30))]).toEqual([30, new Set([429])])
  expect(provider.requests.slice(before).filter(request => request.startsWith('POST'))).toHaveLength(30)
})

test('a wrong secret of the client is named in the log, and nobody is signed in', async () => {
  await using world = await start({
    secret: { value: 'right', method: 'client_secret_basic' },
    env: { OIDC_CLIENT_SECRET: 'wrong' },
  })
  const { status, tokens } = await signIn(world.app, world.provider, 'zoe')
  expect([status, tokens.error]).toEqual([400, 'invalid_client'])
  expect(world.app.lines.join('\n')).toContain('OIDC_CLIENT_SECRET')
})

test.each([
  ['client_secret_basic', 'client_secret_post'],
  ['client_secret_post', 'client_secret_basic'],
] as const)('a client that is moved from %s to %s goes on without a restart', async (before, after) => {
  const now = startClock(Date.now())
  await using world = await start({ secret: { value: 'right', method: before }, now })
  const { app, provider } = world
  const { tokens } = await signIn(app, provider, 'zoe')
  provider.changeSecretMethod(after)
  now.advance(MINUTE)
  const discoveries = () => provider.requests.filter(one => one.includes('openid-configuration')).length
  const known = discoveries()
  const renewed = await renew(app, tokens.refresh_token)
  expect([renewed.status, discoveries() - known]).toEqual([200, 1])
  expect((await renew(app, renewed.tokens.refresh_token)).status).toBe(200)
  expect(discoveries() - known).toBe(1)
})

test('a provider that refuses the client is asked for its ways once in ten seconds at most', async () => {
  const now = startClock(Date.now())
  await using world = await start({
    secret: { value: 'right', method: 'client_secret_basic' },
    env: { OIDC_CLIENT_SECRET: 'wrong' },
    now,
  })
  const { app, provider } = world
  await renew(app, 'unknown')
  now.advance(MINUTE)
  const discoveries = () => provider.requests.filter(one => one.includes('openid-configuration')).length
  const known = discoveries()
  for (let count = 0; count < 4; count++) expect((await renew(app, 'unknown')).status).toBe(400)
  expect(discoveries() - known).toBe(1)
})

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

test('the provider ends the sign-in of one browser, or all of a person, and a forged token ends none', async () => {
  using issuer = await startIssuer()
  const now = startClock(Date.now())
  await using app = await startTestApp({ env: issuer.env, now })
  const end = async (claims: Record<string, unknown>, token?: string) => {
    const whole = { jti: crypto.randomUUID(), events: { [EVENT]: {} }, sub: undefined as never, ...claims }
    const logout_token = token ?? (await issuer.token(whole, { at: now() }))
    return (await post(app, new URLSearchParams({ logout_token }), '/logout')).status
  }
  const logoutOf = (sub: string, at: number) =>
    issuer.token({ jti: crypto.randomUUID(), events: { [EVENT]: {} }, sub, exp: undefined as never }, { at })
  const tokenOf = (sid: string) => issuer.token({ sid }, { at: now() })
  const isSignedIn = (token: string) =>
    app
      .withHeader(`Bearer ${token}`)
      .users.me()
      .then(
        () => true,
        () => false,
      )
  const [desk, sofa] = [await tokenOf('desk'), await tokenOf('sofa')]
  const den = await tokenOf('den')
  await app.withHeader(`Bearer ${desk}`).session.start(true)
  const { id } = app.context.store.users.findBySubject(issuer.issuer, 'mara-1')!
  const sessions = () => app.context.store.sessions.list(id, now()).length
  const states = async () => [await isSignedIn(desk), await isSignedIn(sofa), sessions()]
  expect(await states()).toEqual([true, true, 1])

  using another = await startIssuer()
  const bad = [
    await end({ sub: 'mara-1', events: {} }),
    await end({ sub: 'mara-1', nonce: 'n' }),
    await end({ sub: 'mara-1', aud: 'another-client' }),
    await end({}),
    await end({}, await another.token({ iss: issuer.issuer, jti: 'j', events: { [EVENT]: {} } }, { at: now() })),
    // An ID token is none.
    await end({}, desk),
    await end({}, await logoutOf('mara-1', now() + HOUR)),
    await end({}, await logoutOf('mara-1', now() - 2 * HOUR)),
  ]
  expect(bad).toEqual([400, 400, 400, 400, 400, 400, 400, 400])
  // Nor is a logout token an ID token.
  expect(await isSignedIn(await issuer.token({ jti: 'j', events: { [EVENT]: {} } }, { at: now() }))).toBe(false)
  expect(await states()).toEqual([true, true, 1])

  await app.withHeader(`Bearer ${den}`).session.start(true)
  expect(await end({ sid: 'den' })).toBe(200)
  expect([await isSignedIn(den), ...(await states())]).toEqual([false, true, true, 1])

  expect(await end({ sid: 'desk', sub: 'mara-1' })).toBe(200)
  expect(await states()).toEqual([false, true, 0])
  now.advance(2000)
  const logout = await logoutOf('mara-1', now())
  expect(await end({}, logout)).toBe(200)
  expect(await states()).toEqual([false, false, 0])
  now.advance(2000)
  const phone = await tokenOf('phone')
  await app.withHeader(`Bearer ${phone}`).session.start(true)
  expect([await end({}, logout), await isSignedIn(phone), sessions()]).toEqual([400, true, 1])
})

test('a browser whose sign-in the provider ends while its request arrives gets no session', async () => {
  using issuer = await startIssuer()
  const now = startClock(Date.now())
  await using app = await startTestApp({ env: issuer.env, now })
  const token = await issuer.token({ sid: 'desk' }, { at: now() })
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const ended = { jti: 'j', events: { [EVENT]: {} }, sid: 'desk' }
        const logout_token = await issuer.token(ended, { at: now() })
        expect((await post(app, new URLSearchParams({ logout_token }), '/logout')).status).toBe(200)
        controller.enqueue(new TextEncoder().encode('{"remember":true}'))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const answer = await app.fetch('/api/v1/session', { method: 'POST', headers, body })
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null])
  const { id } = app.context.store.users.findBySubject(issuer.issuer, 'mara-1')!
  expect(app.context.store.sessions.list(id, now())).toEqual([])
})
