import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { readSyncBody } from '../../../src/server/http/apps/gpodder/body'
import {
  basic,
  goodPassword,
  refusal,
  startTestApp,
  temporaryFolder,
  withPasswords,
  type TestApp,
} from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { appOf, beginLoginFlow, type Granted } from '../../support/podcast-app'
import { connect } from '../../support/socket'

/** The calls open to strangers, and no others: every new route must ask who is there. */
const forStrangers = [
  /^GET \/(healthz|readyz|api-docs|api-docs\/openapi\.json|ui|ui\/|ui\/\*|ui\/assets\/:name|ui\/public\/.*|clientconfig\.json|)$/,
  /^GET \/api\/v1\/(sys\/config|invites\/:id)$/,
  /^POST \/api\/v1\/(login|users)$/,
]

function protectedRoutes(app: TestApp) {
  const all = app.app.routes.map(({ method, path }) => ({ method, path }))
  const found = all.filter(({ method, path }) => !forStrangers.some(open => open.test(`${method} ${path}`)))
  expect(all.length - found.length).toBeLessThan(25)
  expect(found.length).toBeGreaterThan(120)
  return found.filter(({ method }) => method !== 'WS')
}
const filled = (path: string) => path.replace(/:\w+/g, 'x').replace('*', 'x')
/** Keys in addresses may be guessed here as often as we like. */
const unhindered = {
  freeFailures: 9e9,
  maxFailuresPerPair: 9e9,
  maxFailuresPerAddress: 9e9,
  firstPauseMs: 1,
  longestPauseMs: 1,
}
const json = { 'Content-Type': 'application/json' }

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

test('A3: an empty password, an unknown user, a user without a password and an invalid key sign nobody in', async () => {
  await using app = await startTestApp({ env: withPasswords, throttleLimits: unhindered })
  const { users } = app.context
  users.add({ username: 'elsewhere', role: 'admin', explicit_consent: 0, subject: 's', issuer: 'i' })
  users.add({ username: 'proxied', role: 'admin', explicit_consent: 0, proxied: 1 })
  const paths = [
    '/api/v1/users/me',
    '/rss',
    '/covers/podcasts/x',
    '/media/x',
    '/api/2/devices/root.json',
    '/index.php/apps/gpoddersync/subscriptions',
    '/subscriptions/root.json',
  ]
  const passwords = ['', 'null', '0'.repeat(32)]
  const headers = [
    ...['root', 'nobody', 'elsewhere', 'proxied', ''].flatMap(name => passwords.map(word => basic(name, word))),
    'Basic',
    'Basic ',
    'Basic Og==',
    'Basic !!',
    'Bearer',
    'Bearer ',
    'Bearer null',
    'Bearer undefined',
    `Bearer ${'0'.repeat(32)}`,
    'Negotiate x',
  ]
  const keys = ['', 'null', 'undefined', '0', '0'.repeat(32), '%00', '[object Object]']
  const answers = await Promise.all([
    ...paths.flatMap(path =>
      headers.map(async Authorization => [
        path,
        Authorization,
        (await app.fetch(path, { headers: { Authorization } })).status,
      ]),
    ),
    ...paths.flatMap(path => keys.map(async key => [path, key, (await app.fetch(`${path}?apiKey=${key}`)).status])),
    ...keys.map(async key => ['rss', key, (await app.fetch(`/rss/apiKey/${key}`)).status]),
    ...['', 'null'].map(async word => [
      'cookie',
      word,
      (await app.fetch('/covers/podcasts/x', { headers: { Cookie: `castellan=${word}; sessionid=${word}` } })).status,
    ]),
  ])
  // The gPodder protocol tells a header that nobody can read from one that is wrong; and without a key there is no
  // feed.
  const isWrong = ([path, given, status]: (typeof answers)[number]) =>
    status !== 401 && !(status === 400 && String(given).startsWith('Basic')) && !(path === 'rss' && given === '')
  expect(answers.filter(isWrong)).toEqual([])
  for (const password of passwords)
    expect(await refusal(app.session.login({ username: 'elsewhere', password }))).not.toBeNull()
})

const newKey = () => crypto.randomUUID().replaceAll('-', '')
const slowly = { freeFailures: 5, maxFailuresPerPair: 8, maxFailuresPerAddress: 20, firstPauseMs: 1, longestPauseMs: 5 }

test('A4: guessing is refused after a while, whichever door is tried, and a podcast app that first calls without a password is no guesser', async () => {
  const doors = {
    login: (app: TestApp, from: object, word: string) =>
      app.fetch('/api/v1/login', {
        method: 'POST',
        body: JSON.stringify({ username: 'root', password: word }),
        headers: { ...json, ...from },
      }),
    basic: (app: TestApp, from: object, word: string) =>
      app.fetch('/api/v1/users/me', { headers: { Authorization: basic('root', word), ...from } }),
    gpodder: (app: TestApp, from: object, word: string) =>
      app.fetch('/api/2/devices/root.json', { headers: { Authorization: basic('root', word), ...from } }),
    'feed key': (app: TestApp, from: object, word: string) =>
      app.fetch(`/rss/apiKey/${word}`, { headers: { ...from } }),
    bearer: (app: TestApp, from: object, word: string) =>
      app.fetch('/api/v1/users/me', { headers: { Authorization: `Bearer ${word}`, ...from } }),
    invitation: (app: TestApp, from: object, word: string) =>
      app.fetch(`/api/v1/invites/${word}`, { headers: { ...from } }),
  }
  await using app = await startTestApp({ env: withPasswords, throttleLimits: slowly })
  for (const [index, [name, knock]] of Object.entries(doors).entries()) {
    const from = { 'X-Forwarded-For': `203.0.113.${index}` }
    for (let count = 0; count < 30; count++) await app.fetch('/api/2/devices/root.json', { headers: from })
    const statuses: number[] = []
    for (let count = 0; count < 9; count++) statuses.push((await knock(app, from, newKey())).status)
    expect([name, statuses[0], statuses[8]]).toEqual([name, name === 'invitation' ? 404 : 401, 429])
  }
})

test('A4: whoever invents where he comes from is not believed, but by a trusted proxy', async () => {
  const env = { ...withPasswords, TRUSTED_PROXIES: '10.9.9.9' }
  await using app = await startTestApp({ env, throttleLimits: slowly })
  const origin = app.listen()
  const guess = async (index: number) => {
    const headers = { Authorization: basic('root', `Wr0ng${index}`), 'X-Forwarded-For': `203.0.113.${index}` }
    return (await fetch(`${origin}/api/v1/users/me`, { headers })).status
  }
  const statuses: number[] = []
  for (let index = 0; index < 9; index++) statuses.push(await guess(index))
  expect(statuses.at(-1)).toBe(429)
})

/** All that somebody can be signed in by: each says whether it still works. */
async function everyWayIn(app: TestApp, origin: string, name: string) {
  const { row, authorization, users } = await app.signUp(name)
  const headers = { Authorization: authorization! }
  const started = await app.fetch('/api/v1/session', { method: 'POST', headers })
  const Cookie = started.headers.get('set-cookie')!.split(';')[0]!
  const apiKey = newKey()
  await users.edit(name, { apiKey })
  const phone = appOf(app, name)
  const { cookie } = await phone.devices()
  const flow = await beginLoginFlow(app, 'Phone')
  await app.fetch(`/api/v1/access-requests/${flow.id}/grant`, { method: 'POST', headers })
  const { appPassword } = (await (await flow.pollAsForm()).json()) as Granted
  const feedKey = app.context.feedKeys.of(row)
  const socket = await connect(origin, { Cookie, Origin: origin })
  expect(socket.isOpen).toBe(true)
  const ok = async (path: string, headers: Record<string, string> = {}) =>
    (await app.fetch(path, { headers })).status !== 401
  const sync = `/api/2/devices/${name}.json`
  return {
    name,
    users,
    authorization: authorization!,
    Cookie,
    async works() {
      return {
        password: await ok('/api/v1/users/me', headers),
        cookie: await ok('/covers/podcasts/x', { Cookie }),
        apiKey: await ok('/api/v1/users/me', { Authorization: `Bearer ${apiKey}` }),
        feedKey: await ok('/covers/podcasts/x?apiKey=' + feedKey),
        syncCookie: await ok(sync, { Cookie: `sessionid=${cookie}` }),
        appPassword: await ok(sync, { Authorization: basic(name, appPassword) }),
        socket: socket.socket.readyState === WebSocket.OPEN,
      }
    },
    socket,
  }
}
const all = {
  password: true,
  cookie: true,
  apiKey: true,
  feedKey: true,
  syncCookie: true,
  appPassword: true,
  socket: true,
}
const nothing = {
  password: false,
  cookie: false,
  apiKey: false,
  feedKey: false,
  syncCookie: false,
  appPassword: false,
  socket: false,
}

test('A5: logout, a new password, a new role and deletion end what they should, sockets too, and of nobody else', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const root = app.as('root', 'Sup3rSecret')
  const [bystander, leaving, changing, promoted, removed] = await Promise.all(
    ['bystander', 'leaving', 'changing', 'promoted', 'removed'].map(name => everyWayIn(app, origin, name)),
  )
  expect(await removed!.works()).toEqual(all)
  const headers = { Authorization: leaving!.authorization, Cookie: leaving!.Cookie }
  await app.fetch('/api/v1/session', { method: 'DELETE', headers })
  await changing!.users.edit('changing', { password: 'Ano7herOne' })
  await root.users.change('promoted', { role: 'uploader' })
  await root.users.remove('removed')
  await Promise.all([leaving, changing, promoted, removed].map(somebody => somebody!.socket.closed))

  expect(await leaving!.works()).toEqual({ ...all, cookie: false, socket: false })
  expect(await changing!.works()).toMatchObject({ password: false, cookie: false, syncCookie: false, socket: false })
  expect(await promoted!.works()).toMatchObject({ cookie: false, socket: false })
  expect(await removed!.works()).toEqual(nothing)
  expect(await bystander!.works()).toEqual(all)
  bystander!.socket.socket.close()
})

test('A5: a session that was planted before is not the one that a sign-in begins', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const Cookie = 'castellan=planted-by-somebody-else'
  const login = await app.fetch('/api/v1/login', {
    method: 'POST',
    body: JSON.stringify({ username: 'root', password: 'Sup3rSecret' }),
    headers: { ...json, Cookie },
  })
  const token = /castellan=([^;]+)/.exec(login.headers.get('set-cookie')!)![1]!
  expect(token).toMatch(/^[\w-]{43}$/)
  expect((await app.fetch('/covers/podcasts/x', { headers: { Cookie } })).status).toBe(401)
})

test('A6: the secret is drawn at the first start, read by its owner alone, and so is every backup of it', async () => {
  const folder = temporaryFolder()
  await using app = await startTestApp({ env: withPasswords, folder })
  await using other = await startTestApp({ env: withPasswords })
  const secretOf = (from: string) => Bun.file(`${from}/secret.key`).bytes()
  expect(statSync(`${folder}/secret.key`).mode & 0o777).toBe(0o600)
  expect(await secretOf(folder)).not.toEqual(await secretOf(other.folder))
  const { name } = await app.context.backups.create('manual')
  const path = `${folder}/backups/${name}`
  expect(existsSync(path)).toBe(true)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const feedKeyOf = (one: TestApp) => one.context.feedKeys.of({ id: 1, feed_key_version: 0 })
  expect(feedKeyOf(app)).not.toBe(feedKeyOf(other))
})

test('A6: nothing that has to be secret is drawn by Math.random', async () => {
  const found: string[] = []
  for (const path of new Bun.Glob('src/**/*.{ts,tsx}').scanSync('.'))
    if ((await Bun.file(path).text()).includes('Math.random')) found.push(path)
  // The time of a feed check is no secret.
  expect(found).toEqual(['src/server/feeds/schedule.ts'])
})

test('R2: another user’s objects look absent to every call that takes an id, and stay unchanged', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({
    env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8', USER_PODCAST_LIMIT: '9' },
  })
  app.prefill(0)
  const [alice, bob] = [await app.signUp('alice', 'uploader'), await app.signUp('bob')]
  const feed = host.feed('/a.xml', rss({ items: [{ enclosure: host.file('/a.mp3', silentMp3(2)) }, {}] }))
  const podcast = await bob.podcasts.add(feed)
  const { data } = await bob.podcasts.episodes(podcast.id, {}, null)
  const { id: episode, episode_id: eid } = data[0]!.podcastEpisode
  const { store, appPasswords } = app.context

  const tag = await bob.tags.create({ name: 'Hers', color: 'Green' })
  await bob.tags.assign(tag.id, podcast.id)
  const playlist = await bob.playlists.create({ name: 'Hers', items: [{ episode }] })
  await bob.playback.save({ podcastEpisodeId: eid, time: 1, device: 'hers' })
  await bob.episodes.like(episode, true)
  const bookmark = (await bob.client.post('/bookmarks', { episode, time: 5 })) as { id: string }
  await bob.queue.add({ episode, at: 'last' })
  const { items } = await bob.queue.find()
  await appOf(app, 'bob').saveDevice('phone', { caption: 'Hers', type: 'mobile' })
  const flow = await beginLoginFlow(app, 'Hers')
  appPasswords.grant(flow.id, bob.row)
  const [password] = store.appPasswords.list(bob.row.id)
  const job = store.jobs.add(bob.row.id, 'opml', [], 1)
  const known = store.episodes.findByEid(eid)!
  const subject = { podcastId: known.podcast_id, podcastTitle: 'x', episodeId: known.id, episodeTitle: 'x' }
  store.notifications.add({ userId: bob.row.id, type: 'Download', ...subject, batch: 1, episodeCount: 1 }, 1)
  const [notification] = (await bob.client.get('/notifications/unread')) as { id: string }[]

  const ids: readonly (readonly [RegExp, string])[] = [
    [/\/tags\/:id|\/rss\/tag\/:id/, tag.id],
    [/\/playlist\/:id/, playlist.id],
    [/\/bookmarks\/:id/, bookmark.id],
    [/\/queue\/items\/:id/, String(items[0]!.id)],
    [/\/devices\/:id/, 'phone'],
    [/\/appPasswords\/:id/, password!.uuid],
    [/\/jobs\/:id/, job.uuid],
    [/\/users\/:username/, 'bob'],
    [/\/podcasts\/episode\/:id/, eid],
  ]
  /** Shared objects and calls for admins: the table of permissions covers these. */
  const notPersonal =
    /\/(podcasts|episodes|media|covers|downloads|invites|backups|access-requests|assets|proxy)\/|\/rss\/:id|:key|opml\/:type/
  const calls = app.app.routes
    .filter(({ path }) => path.includes(':'))
    .map(({ method, path }) => {
      const known = ids.find(([pattern]) => pattern.test(path))
      return { method, path, known }
    })
  expect(calls.filter(({ path, known }) => !known && !notPersonal.test(path)).map(({ path }) => path)).toEqual([])

  const seen = async () =>
    JSON.stringify(
      await Promise.all(
        [
          '/tags',
          '/playlist',
          `/playlist/${playlist.id}`,
          '/bookmarks',
          '/queue',
          '/devices',
          '/users/me/appPasswords',
          '/jobs',
          `/jobs/${job.uuid}`,
          '/notifications/unread',
          `/podcasts/episode/${eid}`,
          '/users/me',
          `/podcasts/${podcast.id}/preferences`,
          '/podcasts',
        ].map(path => bob.client.get(path)),
      ),
    )
  const before = await seen()
  const bodies: Record<string, unknown> = {
    'PUT /api/v1/playlist/:id': { name: 'Mine', items: [] },
    'PUT /api/v1/tags/:id': { name: 'Mine', color: 'Red' },
    'PUT /api/v1/devices/:id': { caption: 'Mine' },
    'PUT /api/v1/users/:username': { username: 'mine', password: 'Ano7herOne' },
    'PUT /api/v1/users/:username/role': { role: 'admin' },
  }
  const headers = { Authorization: alice.authorization!, ...json }
  const call = async (method: string, path: string, body: unknown) => {
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await app.fetch(path, init)
    return [`${method} ${path}`, response.status, /hers/i.test(await response.text())] as const
  }
  const answers = [
    ...(await Promise.all(
      calls.flatMap(({ method, path, known }) => {
        if (!known || method === 'WS') return []
        const address = path
          .replace(/:(id|username)/, encodeURIComponent(known[1]))
          .replace(/:(podcast)/, podcast.id)
          .replace(/:(episode)/, episode)
          .replace(':key', app.context.feedKeys.of(alice.row))
        return [call(method, address, bodies[`${method} ${path}`])]
      }),
    )),
    await call('PUT', '/api/v1/notifications/dismiss', { id: notification!.id }),
    await call('GET', '/api/2/devices/bob.json', undefined),
    await call('POST', '/api/2/devices/bob/phone.json', { caption: 'Mine' }),
    await call('GET', '/api/2/lists/bob.json', undefined),
    await call('PUT', '/subscriptions/bob/phone.json', []),
    await call('POST', '/api/2/episodes/bob.json', []),
  ]
  expect(answers.length).toBeGreaterThan(25)
  // The gPodder protocol says 400 to who names another; an episode is everybody's, where one is in it is one's own.
  const mayAnswer = (path: string, status: number) =>
    status === 404 ||
    status === 403 ||
    (status === 400 && /^\w+ \/(api\/2|subs)/.test(path)) ||
    (status === 200 && path === `GET /api/v1/podcasts/episode/${eid}`)
  const wrong = answers.filter(([path, status, isTold]) => isTold || !mayAnswer(path, status))
  expect(wrong).toEqual([])
  expect(await seen()).toBe(before)
})

test('R3: an invitation says who somebody is; nothing else that is sent along counts, and it counts once', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const greedy = {
    role: 'admin',
    isAdmin: true,
    explicitConsent: true,
    explicit_consent: 1,
    built_in: 1,
    createdAt: '2000-01-01',
    id: 1,
  }
  const { id } = app.context.invites.create('user', false)
  const signUp = (username: string) => ({ ...greedy, username, password: goodPassword, inviteId: id })
  const post = (body: object) =>
    app.fetch('/api/v1/users', { method: 'POST', body: JSON.stringify(body), headers: json })
  const statuses = (await Promise.all(Array.from({ length: 20 }, (_, index) => post(signUp(`guest-${index}`))))).map(
    ({ status }) => status,
  )
  expect(statuses.filter(status => status === 200)).toHaveLength(1)
  expect(statuses.filter(status => status === 409)).toHaveLength(19)
  const guest = app.context.store.users.list().find(({ username }) => username.startsWith('guest'))
  expect(guest).toMatchObject({ role: 'user', explicit_consent: 0, built_in: 0 })
  const own = app.as(guest!.username, goodPassword)
  await own.users.edit(guest!.username, { ...greedy, username: guest!.username } as never)
  expect(await own.users.me()).toMatchObject({ role: 'user', explicitConsent: false })

  const late = app.context.store.invites.add({
    id: crypto.randomUUID(),
    role: 'admin',
    explicit_consent: 1,
    created_at: 1,
    expires_at: 2,
  })
  expect((await post({ ...signUp('late'), inviteId: late.id })).status).toBe(410)
  expect(await refusal(app.as('root', 'Sup3rSecret').users.remove('root'))).not.toBeNull()
})

test('C1: no GET changes anything, and no other site makes a change', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const origin = app.listen()
  const root = { Authorization: basic('root', 'Sup3rSecret'), ...json }
  const changes = app.app.routes.filter(({ method }) => /^(POST|PUT|DELETE|PATCH)$/.test(method))
  const foreign = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: `${origin}.evil.example` },
  ] as Record<string, string>[]
  const letIn: string[] = []
  for (const { method, path } of changes)
    for (const headers of foreign) {
      const { status } = await app.fetch(filled(path), { method, headers: { ...root, ...headers } })
      if (status !== 403) letIn.push(`${method} ${path} ${JSON.stringify(headers)} ${status}`)
    }
  expect(letIn).toEqual([])
  const preflight = await app.fetch('/api/v1/settings', { method: 'OPTIONS', headers: foreign[0]! })
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()

  // The cookie signs in whoever reads; it changes nothing, from whichever page.
  const { Cookie } = await everyWayIn(app, origin, 'alice')
  for (const { method, path } of changes) {
    if (forStrangers.some(open => open.test(`${method} ${path}`))) continue
    expect([
      path,
      (await app.fetch(filled(path), { method, headers: { Cookie, Origin: 'http://localhost' } })).status,
    ]).toEqual([path, 401])
  }

  using database = new Database(`${app.folder}/castellan.db`, { readonly: true })
  const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  // A podcast app that calls for the first time is given a session, and its changes are counted from then on.
  const told = tables.filter(({ name }) => !/^(session|sqlite_sequence|sync_clock|sync_time)$/.test(name))
  const rows = (name: string) => database.query(`SELECT * FROM "${name}"`).all()
  const dump = () => JSON.stringify(told.map(({ name }) => rows(name))).replaceAll(/"sync_begun":\d/g, '')
  const before = dump()
  expect(before).toContain('alice')
  for (const { method, path } of app.app.routes) if (method === 'GET') await app.fetch(filled(path), { headers: root })
  expect(dump()).toBe(before)
})

test('T1: addresses for players and podcast apps hold a key that reads, of one user, and can be renewed; never a password or API key', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const feed = rss({ items: [{ enclosure: host.file('/a.mp3', silentMp3(2)) }] })
  await app.as('root', 'Sup3rSecret').podcasts.add(host.feed('/feed.xml', feed))
  const alice = await app.signUp('alice')
  const apiKey = newKey()
  await alice.users.edit('alice', { apiKey })
  const { feedKey } = await alice.users.me()
  const text = await (await app.fetch(`/rss/apiKey/${feedKey}`)).text()
  expect(text).toContain(feedKey!)
  for (const secret of [apiKey, goodPassword, alice.authorization!.slice(6)]) expect(text).not.toContain(secret)

  const media = /http:\/\/localhost(\/media\/[^"&]+)/.exec(text)![1]!
  const withKey = (key: string) => app.fetch(`${media.replace(/\?.*/, '')}?apiKey=${key}`)
  expect((await withKey(feedKey!)).status).toBe(200)
  for (const { method, path } of protectedRoutes(app))
    if (/^\/(api|ws)|^\/subscriptions/.test(path)) {
      const { status } = await app.fetch(`${filled(path)}?apiKey=${feedKey}`, { method })
      expect([method, path, status]).toEqual([method, path, 401])
    }
  await alice.users.renewFeedKey()
  expect((await withKey(feedKey!)).status).toBe(401)
  expect((await app.fetch(`/rss/apiKey/${feedKey}`)).status).toBe(401)
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
