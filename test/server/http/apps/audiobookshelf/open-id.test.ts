import { expect, test } from 'bun:test'
import { startClock, startTestApp, withPasswords, type TestApp } from '../../../../support/app'
import { appAt, type Answer } from '../../../../support/audiobookshelf-app'
import { startIssuer } from '../../../../support/issuer'
import { startOpenIdProvider } from '../../../../support/openid-provider'
import { liveApp } from '../../../../support/live-app'
import { leaveProvider, visitProvider, type Jar } from '../../../../support/openid-visitor'

const SERVER = 'https://pod.example'
const RETURN = `${SERVER}/auth/openid/mobile-redirect`
const APP = 'audiobookshelf://oauth'
const verifier = 'a-verifier-of-the-app-that-nobody-else-has-seen-before'
const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')

const good = {
  response_type: 'code',
  redirect_uri: APP,
  client_id: 'Audiobookshelf-App',
  code_challenge: challenge,
  code_challenge_method: 'S256',
}
const begin = (server: TestApp, parameters: Record<string, string> = good, from = {}) =>
  appAt(server).get(`/auth/openid?${new URLSearchParams(parameters)}`, from)
const locationOf = ({ headers }: Answer) => headers.get('location')!
const returnWith = (server: TestApp, url: URL) => appAt(server).get(`/auth/openid/mobile-redirect${url.search}`)
const finish = (server: TestApp, parameters: Record<string, string>) =>
  appAt(server).get(`/auth/openid/callback?${new URLSearchParams(parameters)}`)

const strict = {
  freeFailures: 2,
  maxFailuresPerPair: 4,
  maxFailuresPerAddress: 100,
  firstPauseMs: 1,
  longestPauseMs: 1,
}

type Options = {
  throttleLimits?: typeof strict
  more?: Record<string, string>
  provided?: Omit<Parameters<typeof startOpenIdProvider>[0], 'redirectUri'>
}

async function start({ more, provided, ...limits }: Options = {}) {
  const provider = await startOpenIdProvider({ redirectUri: RETURN, ...provided })
  const server = await startTestApp({ env: { ...provider.env, SERVER_URL: SERVER, ...more }, ...limits })
  return {
    provider,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      provider[Symbol.dispose]()
    },
  }
}

/** A server to which the provider reports who signs out there; `named`: it names the browser, too. */
async function startReported(named: boolean) {
  let deliver: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 })
  const door = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => deliver(request) })
  const client = {
    backchannel_logout_uri: `${door.url}api/v1/sys/openid/logout`,
    backchannel_logout_session_required: named,
  }
  const world = await start({ provided: { client } })
  deliver = request => world.server.app.handle(request)
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await door.stop(true)
    },
  }
}

/** Goes to the provider and back, up to the address at which the app waits. */
async function authorise(server: TestApp, name: string | null, parameters: Record<string, string> = good, jar?: Jar) {
  const page = locationOf(await begin(server, parameters))
  return new URL(locationOf(await returnWith(server, await visitProvider(page, RETURN, name, jar))))
}

test('somebody signs in to an app by way of the provider, and is the same person as in the browser', async () => {
  await using world = await start()
  const { server } = world
  const status = (await appAt(server).get('/status')).json
  expect(status).toMatchObject({
    authMethods: ['local', 'openid'],
    authFormData: { authOpenIDButtonText: 'Single sign-on' },
  })

  const page = new URL(locationOf(await begin(server)))
  expect(Object.fromEntries(page.searchParams)).toMatchObject({
    client_id: 'castellan',
    redirect_uri: RETURN,
    code_challenge: challenge,
    state: expect.stringMatching(/^[\w-]{43}$/),
  })
  const back = await authorise(server, 'mara')
  expect(back.href.startsWith(`${APP}?`)).toBe(true)
  const { code, state } = Object.fromEntries(back.searchParams)
  const { json } = await finish(server, { code: code!, state: state!, code_verifier: verifier })
  expect(json.user).toMatchObject({ username: 'mara', hasOpenIDLink: true, refreshToken: expect.any(String) })
  expect(json.serverSettings.authActiveAuthMethods).toEqual(['local', 'openid'])
  expect((await appAt(server, json.user.accessToken).get('/api/me')).json.username).toBe('mara')

  const again = await authorise(server, 'mara', { ...good, redirect_uri: 'shelfplayer://callback' })
  expect(again.href.startsWith('shelfplayer://callback?')).toBe(true)
  const second = await finish(server, { ...Object.fromEntries(again.searchParams), code_verifier: verifier })
  expect(second.json.user.id).toBe(json.user.id)
})

test.each([
  ['a public client, in the ID token', { fullIdTokens: true }],
  ['a public client, at the userinfo endpoint', {}],
  ['a confidential client', { secret: { value: 'a secret', method: 'client_secret_basic' as const } }],
])('a group makes and unmakes an admin who signs in to an app: %s', async (_, provided) => {
  const mara: Record<string, unknown> = { groups: ['admins'] }
  const more = { OIDC_ADMIN_CLAIM: 'groups:admins' }
  await using world = await start({ provided: { ...provided, people: { mara } }, more })
  const typeNow = async () => {
    const back = await authorise(world.server, 'mara')
    const { json } = await finish(world.server, { ...Object.fromEntries(back.searchParams), code_verifier: verifier })
    return json.user.type
  }
  expect(await typeNow()).toBe('admin')
  mara['groups'] = []
  expect(await typeNow()).toBe('user')
})

test('parameters of the configuration are part of the address of the sign-in page, for apps and for the page', async () => {
  const more = { OIDC_PARAMETERS: 'access_type=offline&prompt=consent' }
  await using world = await start({ more })
  const page = new URL(locationOf(await begin(world.server)))
  expect(Object.fromEntries(page.searchParams)).toMatchObject({ access_type: 'offline', prompt: 'consent' })
  const { oidcConfig } = await world.server.system.config()
  expect(oidcConfig?.parameters).toEqual({ access_type: 'offline', prompt: 'consent' })
})

test('an app that is not known signs in once the configuration names its address', async () => {
  await using world = await start({ more: { OIDC_APP_REDIRECTS: 'plappa://oauth, absorb://callback' } })
  for (const redirect_uri of ['plappa://oauth', 'absorb://callback', 'lissen://oauth']) {
    const back = await authorise(world.server, 'mara', { ...good, redirect_uri })
    expect(back.href.startsWith(`${redirect_uri}?`)).toBe(true)
  }
  const other = await begin(world.server, { ...good, redirect_uri: 'bookplayer://oauth' })
  expect([other.status, other.text]).toEqual([400, 'Invalid redirect_uri'])
})

test('O1: a code goes to known apps alone, and only with a challenge', async () => {
  await using world = await start()
  const bad = [
    { redirect_uri: 'https://evil.example' },
    { redirect_uri: 'audiobookshelf://oauth.evil' },
    { redirect_uri: 'AUDIOBOOKSHELF://oauth' },
    { redirect_uri: '//evil.example' },
    { redirect_uri: '' },
    { response_type: 'token' },
    { code_challenge_method: 'plain' },
    { code_challenge: '' },
    { code_challenge: 'short' },
  ]
  for (const change of bad) {
    const answer = await begin(world.server, { ...good, ...change })
    expect([change, answer.status, locationOf(answer)]).toEqual([change, 400, null as never])
  }
})

test('O1: a state is good once, and unknown ones lead nowhere', async () => {
  await using world = await start()
  const { server } = world
  const answer = await visitProvider(locationOf(await begin(server)), RETURN, 'mara')
  // Whoever only looks at the address does not use it up.
  await appAt(server).call('HEAD', `/auth/openid/mobile-redirect${answer.search}`)
  const back = new URL(locationOf(await returnWith(server, answer)))
  expect((await returnWith(server, answer)).status).toBe(400)
  const parameters = { ...Object.fromEntries(back.searchParams), code_verifier: verifier }
  expect((await finish(server, parameters)).status).toBe(200)
  expect((await finish(server, parameters)).status).toBe(401)
  expect(world.provider.requests.filter(request => request === 'POST /token')).toHaveLength(1)
  for (const state of ['', 'unknown', '__proto__']) {
    const found = await returnWith(server, new URL(`${RETURN}?code=c&state=${state}&redirect_uri=https://evil.example`))
    expect([found.status, locationOf(found)]).toEqual([400, null as never])
  }
})

test('O1: a stolen code is worth nothing without the verifier, and asks the provider nothing', async () => {
  await using world = await start()
  const { server, provider } = world
  const back = await authorise(server, 'mara')
  const parameters = Object.fromEntries(back.searchParams)
  const answer = await finish(server, { ...parameters, code_verifier: 'x'.repeat(43) })
  expect([answer.status, answer.text]).toEqual([401, 'Unauthorized'])
  expect(provider.requests).not.toContain('POST /token')
  // Nor is a state of which the provider has not told.
  const { state } = Object.fromEntries(new URL(locationOf(await begin(server))).searchParams)
  expect((await finish(server, { code: parameters['code']!, state: state!, code_verifier: verifier })).status).toBe(401)
  expect((await finish(server, { state: state! })).status).toBe(400)
})

test('a refusal of the visitor reaches the app; a refused code signs nobody in', async () => {
  await using world = await start()
  const { server } = world
  const refused = await authorise(server, null)
  expect(refused.searchParams.get('error')).toBe('access_denied')

  const { state } = Object.fromEntries(new URL(locationOf(await begin(server))).searchParams)
  await returnWith(server, new URL(`${RETURN}?code=made-up&state=${state}`))
  expect((await finish(server, { code: 'made-up', state: state!, code_verifier: verifier })).status).toBe(401)
})

test('a flow ends after ten minutes, and nobody can fill the memory or push out others', async () => {
  using issuer = await startIssuer()
  const now = startClock()
  await using server = await startTestApp({ env: { ...issuer.env, SERVER_URL: SERVER }, now })
  const stateFrom = async (address: string) =>
    new URL(locationOf(await begin(server, good, { 'X-Forwarded-For': address }))).searchParams.get('state')!
  const isKnown = async (state: string) =>
    (await returnWith(server, new URL(`${RETURN}?code=c&state=${state}`))).status === 302
  const [mine, theirs] = [await stateFrom('203.0.113.1'), await stateFrom('203.0.113.2')]
  for (let count = 0; count < 20; count++) await stateFrom('203.0.113.2')
  expect([await isKnown(mine), await isKnown(theirs)]).toEqual([true, false])
  const late = await stateFrom('203.0.113.1')
  now.advance(10 * 60_000)
  expect(await isKnown(late)).toBe(false)
})

test('where all places are taken, the address with the most flows makes room', async () => {
  using issuer = await startIssuer()
  await using server = await startTestApp({ env: { ...issuer.env, SERVER_URL: SERVER } })
  const stateFrom = async (address: string) =>
    new URL(locationOf(await begin(server, good, { 'X-Forwarded-For': address }))).searchParams.get('state')!
  const isKnown = async (state: string) =>
    (await returnWith(server, new URL(`${RETURN}?code=c&state=${state}`))).status === 302
  const alone = await stateFrom('203.0.113.1')
  const many: string[] = []
  for (let count = 0; count < 1000; count++) many.push(await stateFrom(`198.51.100.${Math.floor(count / 20)}`))
  expect([await isKnown(alone), await isKnown(many[0]!), await isKnown(many[1]!)]).toEqual([true, false, true])
})

test('where everybody has one flow, whoever begins a second gives up the first', async () => {
  using issuer = await startIssuer()
  await using server = await startTestApp({ env: { ...issuer.env, SERVER_URL: SERVER } })
  const stateFrom = async (index: number) => {
    const address = `198.51.${100 + Math.floor(index / 250)}.${index % 250}`
    const page = locationOf(await begin(server, good, { 'X-Forwarded-For': address }))
    return new URL(page).searchParams.get('state')!
  }
  const isKnown = async (state: string) =>
    (await returnWith(server, new URL(`${RETURN}?code=c&state=${state}`))).status === 302
  const states: string[] = []
  for (let index = 0; index < 1000; index++) states.push(await stateFrom(index))
  const second = await stateFrom(500)
  expect([await isKnown(second), await isKnown(states[500]!), await isKnown(states[0]!)]).toEqual([true, false, true])
})

test('an app gets back its own state where that is long enough to be random', async () => {
  await using world = await start()
  const own = 'the-state-of-this-app-0123456789'
  const stateOf = async (state: string) =>
    new URL(locationOf(await begin(world.server, { ...good, state }))).searchParams.get('state')
  expect(await stateOf(own)).toBe(own)
  expect(await stateOf(own)).not.toBe(own)
  expect(await stateOf('short')).toHaveLength(43)
})

test('while the provider is away the answer says so; without one there is nothing', async () => {
  using issuer = await startIssuer()
  issuer.goAway(true)
  await using server = await startTestApp({ env: issuer.env })
  expect((await begin(server)).status).toBeGreaterThanOrEqual(500)
  await using without = await startTestApp({ env: withPasswords })
  for (const path of ['', '/mobile-redirect', '/callback'])
    expect((await appAt(without).get(`/auth/openid${path}`)).status).toBe(404)
  expect((await appAt(without).get('/status')).json.authMethods).toEqual(['local'])
})

test('L1: neither codes nor tokens of a sign-in are in the log', async () => {
  await using world = await start()
  const { server } = world
  const back = await authorise(server, 'mara')
  const { json } = await finish(server, { ...Object.fromEntries(back.searchParams), code_verifier: verifier })
  const written = server.lines.join('\n')
  for (const secret of [back.searchParams.get('code')!, verifier, json.user.accessToken, json.user.refreshToken])
    expect(written).not.toContain(secret)
})

test('S1: a code goes to the token endpoint on hosts of the provider alone, never along a redirect, and within bounds', async () => {
  using issuer = await startIssuer()
  const { host } = issuer
  let endpoint = ''
  let nonce = ''
  host.on('/.well-known/openid-configuration', () =>
    Response.json({
      issuer: issuer.issuer,
      jwks_uri: `${issuer.issuer}/keys`,
      authorization_endpoint: `${issuer.issuer}/auth`,
      token_endpoint: endpoint,
    }),
  )
  const asked: string[] = []
  host.on('/elsewhere', () => {
    asked.push('elsewhere')
    return Response.json({})
  })
  host.on('/redirect', () => new Response(null, { status: 307, headers: { Location: `${issuer.issuer}/elsewhere` } }))
  host.on('/refused', () => Response.json({ error: 'invalid_grant' }, { status: 400 }))
  host.on('/huge', () => new Response(new Uint8Array(2 * 1024 * 1024)))
  host.on('/nothing', () => Response.json(null))
  host.on('/broken', () => new Response('', { status: 503 }))
  host.on('/foreign', async () => Response.json({ id_token: await issuer.token({ aud: 'another-client' }) }))
  host.on('/good', async () => Response.json({ id_token: await issuer.token({ nonce }) }))
  host.on('/replayed', async () => Response.json({ id_token: await issuer.token({ nonce: 'of another request' }) }))
  const { port } = new URL(issuer.issuer)
  const outcomes = {
    [`http://127.0.0.2:${port}/elsewhere`]: 504,
    [`http://169.254.169.254/latest`]: 504,
    [`${issuer.issuer}/huge`]: 504,
    [`${issuer.issuer}/broken`]: 504,
    [`${issuer.issuer}/redirect`]: 401,
    [`${issuer.issuer}/refused`]: 401,
    [`${issuer.issuer}/nothing`]: 401,
    [`${issuer.issuer}/foreign`]: 401,
    [`${issuer.issuer}/replayed`]: 401,
    [`${issuer.issuer}/good`]: 200,
  }
  for (const [address, status] of Object.entries(outcomes)) {
    endpoint = address
    await using server = await startTestApp({ env: { ...issuer.env, SERVER_URL: SERVER } })
    const page = new URL(locationOf(await begin(server)))
    const state = page.searchParams.get('state')!
    nonce = page.searchParams.get('nonce')!
    await returnWith(server, new URL(`${RETURN}?code=c&state=${state}`))
    expect([address, (await finish(server, { code: 'c', state, code_verifier: verifier })).status]).toEqual([
      address,
      status,
    ])
  }
  expect(asked).toEqual([])
})

test('A4: guesses of codes are slowed down, then refused', async () => {
  using issuer = await startIssuer()
  await using server = await startTestApp({ env: issuer.env, throttleLimits: strict })
  const statuses: number[] = []
  for (let count = 0; count < 6; count++)
    statuses.push((await finish(server, { code: 'c', state: `state-${count}`, code_verifier: verifier })).status)
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
})

test('A4: beyond the limit of made-up codes the provider is not asked any more', async () => {
  await using world = await start({ throttleLimits: strict })
  const { server, provider } = world
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) {
    const state = new URL(locationOf(await begin(server))).searchParams.get('state')!
    await returnWith(server, new URL(`${RETURN}?code=made-up&state=${state}`))
    statuses.push((await finish(server, { code: 'made-up', state, code_verifier: verifier })).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
  expect(provider.requests.filter(request => request === 'POST /token')).toHaveLength(4)
})

test('A4: good codes are not counted, however many come from one address', async () => {
  await using world = await start({ throttleLimits: { ...strict, maxFailuresPerAddress: 4 } })
  const { server } = world
  const statuses: number[] = []
  for (let count = 0; count < 6; count++) {
    const { searchParams } = await authorise(server, 'mara')
    statuses.push((await finish(server, { ...Object.fromEntries(searchParams), code_verifier: verifier })).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200])
})

test.each([
  ['one browser', true, ['phone']],
  ['a person', false, ['phone', 'tablet']],
])('an app ends with its sign-in at the provider, which reports the sign-out of %s', async (_, named, ended) => {
  await using world = await startReported(named)
  const { server, provider } = world
  const origin = server.listen()
  const signIn = async (name: string, jar: Jar) => {
    const back = await authorise(server, name, good, jar)
    const { json } = await finish(server, { ...Object.fromEntries(back.searchParams), code_verifier: verifier })
    const live = liveApp(origin)
    await live.connected
    expect((await live.auth(json.user.accessToken)).name).toBe('init')
    return { live, access: json.user.accessToken, refresh: json.user.refreshToken, left: live.once('disconnect') }
  }
  const jar: Jar = new Map()
  const apps = {
    phone: await signIn('mara', jar),
    tablet: await signIn('mara', new Map()),
    others: await signIn('zoe', new Map()),
  }

  await leaveProvider(provider.origin, jar)
  for (const [name, app] of Object.entries(apps)) {
    const status = (await appAt(server, app.access).get('/api/me')).status
    const renewed = await appAt(server).call('POST', '/auth/refresh', { headers: { 'x-refresh-token': app.refresh } })
    const isEnded = ended.includes(name)
    expect([name, status, renewed.status]).toEqual([name, isEnded ? 401 : 200, isEnded ? 401 : 200])
    if (isEnded) await app.left
    else expect([name, app.live.socket.connected]).toEqual([name, true])
    app.live.close()
  }
})

test('a sign-out at the provider while its claims are read lets no app in', async () => {
  await using world = await startReported(true)
  const { server, provider } = world
  const jar: Jar = new Map()
  const back = await authorise(server, 'mara', good, jar)
  provider.answerUserInfo(async () => {
    await leaveProvider(provider.origin, jar)
    return Response.json({ sub: 'sub-mara', preferred_username: 'mara' })
  })
  const answer = await finish(server, { ...Object.fromEntries(back.searchParams), code_verifier: verifier })
  expect(answer.status).toBe(401)
  expect(server.context.store.users.findBySubject(provider.origin, 'sub-mara')).toBeNull()
})
