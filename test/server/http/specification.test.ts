import { expect, test } from 'bun:test'
import { goodPassword, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

// The calls that the product promises by name, one test each, over plain HTTP: with what they document, and with what
// they must refuse. Programs of other people depend on them.

type Answer = { status: number; body: any; text: string; headers: Headers }

type World = Awaited<ReturnType<typeof start>>

/** An admin, a plain user, a podcast with three episodes of which one can be downloaded. */
async function start(env: Record<string, string> = withPasswords) {
  const host = startFeedHost()
  const app = await startTestApp({ env })
  app.prefill(0)
  const isOpen = Object.keys(env).length === 0
  const root = isOpen ? app.withHeader(null) : app.as('root', 'Sup3rSecret')
  const alice = isOpen ? root : await app.signUp('alice')
  const enclosure = host.file('/fog.mp3', silentMp3(2))
  const items = [
    { guid: 'fog', title: 'Fog', enclosure, duration: '100' },
    { guid: 'lamps', title: 'Lamps', duration: '200' },
    { guid: 'ropes', title: 'Ropes' },
  ]
  const feed = host.feed('/feed.xml', rss({ title: 'Lighthouse Radio', items }))
  const podcast = await root.podcasts.add(feed)
  const { data } = await root.podcasts.episodes(podcast.id, {}, null)
  const episodes = data.map(({ podcastEpisode }) => podcastEpisode)
  const [fog, lamps, ropes] = episodes as [(typeof episodes)[0], (typeof episodes)[0], (typeof episodes)[0]]
  return {
    host,
    app,
    feed,
    podcast,
    fog: fog!,
    lamps: lamps!,
    ropes: ropes!,
    root: asking(app, root.authorization),
    alice: asking(app, alice.authorization),
    stranger: asking(app, null),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

/** Calls below /api/v1, as somebody sends them; a body that is a string goes as it is. */
const asking =
  (app: TestApp, authorization: string | null) =>
  async (call: string, body?: unknown): Promise<Answer> => {
    const [method, path] = call.split(' ') as [string, string]
    const response = await app.fetch(`/api/v1${path}`, {
      method,
      headers: {
        ...(authorization && { Authorization: authorization }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, body: isJson ? JSON.parse(text) : null, text, headers: response.headers }
  }

/** The status and the code of a refusal. */
const refused = ({ status, body }: Answer) => [status, body?.errorCode]
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const nobody = '00000000-0000-4000-8000-000000000000'

test('POST /api/v1/login', async () => {
  await using world: World = await start()
  const { stranger } = world
  const answer = await stranger('POST /login', { username: 'alice', password: goodPassword, remember: true })
  expect(answer).toMatchObject({ status: 200, body: { username: 'alice', role: 'user', apiKey: null } })
  expect(answer.headers.get('set-cookie')).toMatch(/^castellan=.*HttpOnly/i)
  const wrong = await stranger('POST /login', { username: 'alice', password: 'wrong' })
  expect(refused(wrong)).toEqual([401, 'wrong-user-or-password'])
  expect(wrong.headers.has('www-authenticate')).toBe(false)
  expect(refused(await stranger('POST /login', { username: 'nobody', password: 'wrong' }))).toEqual([
    401,
    'wrong-user-or-password',
  ])
  expect(refused(await stranger('POST /login', { username: 'alice' }))).toEqual([422, 'invalid-field'])
  expect(refused(await stranger('POST /login', { username: 1, password: goodPassword }))).toEqual([
    422,
    'invalid-field',
  ])
  expect(refused(await stranger('POST /login', '{'))).toEqual([400, 'bad-request'])
  await using open: World = await start({})
  expect(refused(await open.stranger('POST /login', { username: 'a', password: 'b' }))).toEqual([403, 'basic-auth-off'])
})

test('GET /api/v1/sys/config', async () => {
  await using world: World = await start()
  const { status, body } = await world.stranger('GET /sys/config')
  expect([status, body]).toMatchObject([
    200,
    {
      basicAuth: true,
      oidcConfigured: false,
      oidcConfig: null,
      reverseProxy: false,
      serverUrl: 'http://localhost/',
      wsUrl: 'ws://localhost/ws',
    },
  ])
})

test('GET /api/v1/users/me', async () => {
  await using world: World = await start()
  expect(await world.alice('GET /users/me')).toMatchObject({
    status: 200,
    body: { id: expect.stringMatching(uuid), username: 'alice', role: 'user', explicitConsent: false, apiKey: null },
  })
  expect(refused(await world.stranger('GET /users/me'))).toEqual([401, 'not-signed-in'])
})

test('GET /api/v1/notifications/unread', async () => {
  await using world: World = await start()
  const { root, alice, app, fog } = world
  expect(await alice('GET /notifications/unread')).toMatchObject({ status: 200, body: [] })
  await root(`PUT /podcasts/${fog.episode_id}/episodes/download`)
  await app.event('notification')
  expect((await root('GET /notifications/unread')).body).toMatchObject([
    { id: expect.stringMatching(uuid), typeOfMessage: 'Download', message: 'Fog', status: 'unread' },
  ])
  expect((await alice('GET /notifications/unread')).body).toEqual([])
  expect(refused(await world.stranger('GET /notifications/unread'))).toEqual([401, 'not-signed-in'])
})

test('PUT /api/v1/notifications/dismiss', async () => {
  await using world: World = await start()
  const { root, alice, app, fog } = world
  await root(`PUT /podcasts/${fog.episode_id}/episodes/download`)
  await app.event('notification')
  const [{ id }] = (await root('GET /notifications/unread')).body
  expect(refused(await alice('PUT /notifications/dismiss', { id }))).toEqual([404, 'notification-not-found'])
  expect(await root('PUT /notifications/dismiss', { id })).toMatchObject({ status: 204, text: '' })
  expect((await root('GET /notifications/unread')).body).toEqual([])
  expect((await root('PUT /notifications/dismiss', { id })).status).toBe(204)
  expect(refused(await root('PUT /notifications/dismiss', {}))).toEqual([422, 'invalid-field'])
})

test('GET /api/v1/playlist', async () => {
  await using world: World = await start()
  const { alice, root, fog } = world
  expect((await alice('GET /playlist')).body).toEqual([])
  await alice('POST /playlist', { name: 'B', items: [{ episode: fog.id }] })
  await alice('POST /playlist', { name: 'a', items: [] })
  expect((await alice('GET /playlist')).body).toMatchObject([
    { name: 'a', items: [] },
    { name: 'B', items: [{ podcastEpisode: { id: fog.id, name: 'Fog' }, podcastHistoryItem: null }] },
  ])
  expect((await root('GET /playlist')).body).toEqual([])
})

test('GET /api/v1/playlist/{playlist_id}', async () => {
  await using world: World = await start()
  const { alice, root, fog } = world
  const { id } = (await alice('POST /playlist', { name: 'Mine', items: [{ episode: fog.id }] })).body
  expect(await alice(`GET /playlist/${id}`)).toMatchObject({ status: 200, body: { id, name: 'Mine' } })
  for (const answer of [
    await root(`GET /playlist/${id}`),
    await alice(`GET /playlist/${nobody}`),
    await alice('GET /playlist/-1'),
  ])
    expect(refused(answer)).toEqual([404, 'playlist-not-found'])
})

test('POST /api/v1/playlist', async () => {
  await using world: World = await start()
  const { alice, fog, lamps } = world
  const items = [{ episode: lamps.id }, { episode: fog.id }, { episode: lamps.id }]
  const created = await alice('POST /playlist', { id: '-1', name: ' Train ', items })
  expect(created).toMatchObject({ status: 200, body: { id: expect.stringMatching(uuid), name: 'Train' } })
  expect(created.body.items.map((item: any) => item.podcastEpisode.name)).toEqual(['Lamps', 'Fog'])
  expect(refused(await alice('POST /playlist', { name: 'train', items: [] }))).toEqual([409, 'playlist-name-taken'])
  const unknown = await alice('POST /playlist', { name: 'X', items: [{ episode: fog.id }, { episode: nobody }] })
  expect(unknown).toMatchObject({ status: 422, body: { arguments: { field: 'items[1].episode' } } })
  for (const body of [{}, { name: '', items: [] }, { name: 'x'.repeat(201), items: [] }, { name: 'x', items: 'y' }, []])
    expect(refused(await alice('POST /playlist', body))).toEqual([422, 'invalid-field'])
})

test('PUT /api/v1/playlist/{playlist_id}', async () => {
  await using world: World = await start()
  const { alice, root, fog, lamps } = world
  const { id } = (await alice('POST /playlist', { name: 'Old', items: [{ episode: fog.id }] })).body
  const changed = await alice(`PUT /playlist/${id}`, { id, name: 'New', items: [{ episode: lamps.id }] })
  expect(changed).toMatchObject({
    status: 200,
    body: { id, name: 'New', items: [{ podcastEpisode: { name: 'Lamps' } }] },
  })
  expect(refused(await root(`PUT /playlist/${id}`, { id, name: 'Hers', items: [] }))).toEqual([
    404,
    'playlist-not-found',
  ])
  await alice('POST /playlist', { name: 'Other', items: [] })
  expect(refused(await alice(`PUT /playlist/${id}`, { id, name: 'OTHER', items: [] }))).toEqual([
    409,
    'playlist-name-taken',
  ])
  expect(refused(await alice(`PUT /playlist/${id}`, { id, items: [{ episode: 1 }] }))).toEqual([422, 'invalid-field'])
})

test('DELETE /api/v1/playlist/{playlist_id}', async () => {
  await using world: World = await start()
  const { alice, root } = world
  const { id } = (await alice('POST /playlist', { name: 'Gone', items: [] })).body
  expect(refused(await root(`DELETE /playlist/${id}`))).toEqual([404, 'playlist-not-found'])
  expect(await alice(`DELETE /playlist/${id}`)).toMatchObject({ status: 204, text: '' })
  expect(refused(await alice(`DELETE /playlist/${id}`))).toEqual([404, 'playlist-not-found'])
})

test('GET /api/v1/settings', async () => {
  await using world: World = await start()
  const answer = await world.alice('GET /settings')
  expect(answer).toMatchObject({
    status: 200,
    body: {
      autoCleanup: false,
      autoCleanupDays: 30,
      autoUpdate: true,
      autoDownload: true,
      podcastPrefill: 0,
      episodeFormat: '{episodeTitle}',
      maxParallelDownloads: 3,
      nfoFormat: 'off',
    },
  })
  expect(refused(await world.stranger('GET /settings'))).toEqual([401, 'not-signed-in'])
})

test('PUT /api/v1/settings', async () => {
  await using world: World = await start()
  const { root, alice } = world
  const five = { autoCleanup: true, autoCleanupDays: 7, autoUpdate: false, autoDownload: false, podcastPrefill: 10_000 }
  expect(await root('PUT /settings', five)).toMatchObject({ status: 200, body: five })
  // In part, and whole as other programs send it back, with what is fixed here.
  const whole = (await root('GET /settings')).body
  expect((await root('PUT /settings', { ...whole, sponsorblockEnabled: true, autoUpdate: true })).body).toMatchObject({
    ...five,
    autoUpdate: true,
    sponsorblockEnabled: false,
  })
  expect(refused(await alice('PUT /settings', five))).toEqual([403, 'not-admin'])
  for (const [field, value] of [
    ['autoCleanupDays', 0],
    ['autoCleanupDays', 36_501],
    ['autoCleanupDays', 1.5],
    ['autoCleanupDays', '7'],
    ['podcastPrefill', -1],
    ['podcastPrefill', 10_001],
    ['autoUpdate', 'yes'],
    ['replacementStrategy', 'explode'],
  ] as const)
    expect(await root('PUT /settings', { [field]: value })).toMatchObject({
      status: 422,
      body: { arguments: { field } },
    })
  expect((await root('GET /settings')).body).toMatchObject({ autoCleanupDays: 7, podcastPrefill: 10_000 })
})

test('PUT /api/v1/settings/runcleanup', async () => {
  await using world: World = await start()
  const { root, alice, app, fog } = world
  await root(`PUT /podcasts/${fog.episode_id}/episodes/download`)
  await app.event('downloadFinished')
  expect(await root('PUT /settings/runcleanup')).toMatchObject({ status: 200, body: { affected: 0, freedBytes: 0 } })
  await root('POST /podcasts/episode', { podcastEpisodeId: fog.episode_id, time: 100, total: 100 })
  await root('PUT /settings', { deleteAfterListened: true })
  const { affected, freedBytes } = (await root('PUT /settings/runcleanup', {})).body
  expect([affected, freedBytes]).toEqual([1, silentMp3(2).length])
  expect(refused(await alice('PUT /settings/runcleanup'))).toEqual([403, 'not-admin'])
})

test('GET /api/v1/settings/opml/{type_of}', async () => {
  await using world: World = await start()
  const { alice, feed, podcast } = world
  const online = await alice('GET /settings/opml/online')
  expect(online.headers.get('content-type')).toContain('xml')
  expect(online.headers.get('content-disposition')).toBe('attachment; filename="podcast_online.opml"')
  expect(online.text).toContain(`xmlUrl="${feed}"`)
  const local = await alice('GET /settings/opml/local')
  expect(local.headers.get('content-disposition')).toContain('podcast_local.opml')
  expect(local.text).toMatch(new RegExp(`xmlUrl="http://localhost/rss/apiKey/[0-9a-f]{32}/${podcast.id}"`))
  expect(refused(await alice('GET /settings/opml/both'))).toEqual([422, 'invalid-field'])
})

test('GET /api/v1/podcasts', async () => {
  await using world: World = await start()
  const { alice, podcast, feed } = world
  expect(await alice('GET /podcasts')).toMatchObject({
    status: 200,
    body: [{ id: podcast.id, name: 'Lighthouse Radio', rssfeed: feed, episode_count: 3, favorites: false, tags: [] }],
  })
  expect(refused(await world.stranger('GET /podcasts'))).toEqual([401, 'not-signed-in'])
})

test('DELETE /api/v1/podcasts/{id}', async () => {
  await using world: World = await start()
  const { root, alice, app, fog, podcast } = world
  await root(`PUT /podcasts/${fog.episode_id}/episodes/download`)
  await app.event('downloadFinished')
  const path = app.context.store.episodes.allWithFiles()[0]!.file_path
  expect(refused(await alice(`DELETE /podcasts/${podcast.id}`, { delete_files: true }))).toEqual([403, 'not-uploader'])
  expect(refused(await root(`DELETE /podcasts/${podcast.id}`, { delete_files: 'yes' }))).toEqual([422, 'invalid-field'])
  expect(refused(await root(`DELETE /podcasts/${nobody}`, { delete_files: true }))).toEqual([404, 'podcast-not-found'])
  expect(await root(`DELETE /podcasts/${podcast.id}`, { delete_files: true })).toMatchObject({ status: 204, text: '' })
  expect(app.context.files.exists(path)).toBe(false)
  expect((await root('GET /podcasts')).body).toEqual([])
})

test('GET /api/v1/podcasts/available/gpodder', async () => {
  await using world: World = await start()
  expect(await world.alice('GET /podcasts/available/gpodder')).toMatchObject({ status: 200, body: [] })
  expect(refused(await world.stranger('GET /podcasts/available/gpodder'))).toEqual([401, 'not-signed-in'])
})

test('POST /api/v1/podcasts/feed', async () => {
  await using world: World = await start()
  const { root, alice, host, feed } = world
  const other = host.feed('/other.xml', rss({ title: 'Other', items: [{}] }))
  expect(await root('POST /podcasts/feed', { rssFeedUrl: other })).toMatchObject({
    status: 200,
    body: { name: 'Other', episode_count: 1 },
  })
  expect(await root('POST /podcasts/feed', { rssFeedUrl: feed })).toMatchObject({
    status: 409,
    body: { errorCode: 'podcast-already-added', arguments: { name: 'Lighthouse Radio' } },
  })
  expect(refused(await alice('POST /podcasts/feed', { rssFeedUrl: other }))).toEqual([403, 'podcast-limit-reached'])
  const page = host.on('/page', () => new Response('<html></html>', { headers: { 'Content-Type': 'text/html' } }))
  const locked = host.on('/locked', () => new Response('', { status: 401 }))
  for (const [rssFeedUrl, status, code] of [
    [page, 422, 'not-a-feed'],
    [`${host.origin}/missing`, 422, 'feed-gone'],
    [locked, 422, 'feed-needs-credentials'],
    ['http://127.0.0.1:9/x', 502, 'feed-unreachable'],
    ['file:///etc/passwd', 422, 'address-not-allowed'],
    ['http://169.254.169.254/latest', 422, 'address-not-allowed'],
    ['', 422, 'invalid-field'],
    [7, 422, 'invalid-field'],
  ] as const)
    expect(refused(await root('POST /podcasts/feed', { rssFeedUrl }))).toEqual([status, code])
  expect(refused(await root('POST /podcasts/feed', {}))).toEqual([422, 'invalid-field'])
})

test('GET /api/v1/podcasts/{id}', async () => {
  await using world: World = await start()
  const { alice, podcast } = world
  expect(await alice(`GET /podcasts/${podcast.id}`)).toMatchObject({
    status: 200,
    body: { id: podcast.id, extras: { funding: [], persons: [] } },
  })
  for (const id of [nobody, 'nonsense', '1', '%00', '..%2f..'])
    expect(refused(await alice(`GET /podcasts/${id}`))).toEqual([404, 'podcast-not-found'])
})

test('GET /api/v1/podcasts/episode/{id}', async () => {
  await using world: World = await start()
  const { alice, root, lamps } = world
  const never = { status: 200, body: { position: 0, total: 200, timestamp: null, finished: false, action: 'new' } }
  expect(await alice(`GET /podcasts/episode/${lamps.episode_id}`)).toMatchObject(never)
  expect(refused(await alice(`GET /podcasts/episode/${nobody}`))).toEqual([404, 'episode-not-found'])
  await alice('POST /podcasts/episode', { podcastEpisodeId: lamps.episode_id, time: 42 })
  expect(await alice(`GET /podcasts/episode/${lamps.episode_id}`)).toMatchObject({
    status: 200,
    body: { position: 42, total: 200, finished: false, guid: 'lamps', action: 'play' },
  })
  expect(await root(`GET /podcasts/episode/${lamps.episode_id}`)).toMatchObject(never)
})

test('GET /api/v1/users', async () => {
  await using world: World = await start()
  const answer = await world.root('GET /users')
  expect(answer).toMatchObject({
    status: 200,
    body: [
      { username: 'alice', role: 'user' },
      { username: 'root', role: 'admin' },
    ],
  })
  expect(answer.text).not.toMatch(/password|hash|apiKey/i)
  expect(refused(await world.alice('GET /users'))).toEqual([403, 'not-admin'])
})

test('POST /api/v1/users/', async () => {
  await using world: World = await start()
  const { root, stranger, app } = world
  const { id } = (await root('POST /invites', { role: 'uploader', explicitConsent: true })).body
  const bad = (change: object) =>
    stranger('POST /users/', { username: 'carla', password: goodPassword, inviteId: id, ...change })
  expect(refused(await bad({ inviteId: nobody }))).toEqual([404, 'invite-not-found'])
  expect(refused(await bad({ username: 'a:b' }))).toEqual([422, 'invalid-field'])
  expect(refused(await bad({ password: 'weak' }))).toEqual([422, 'password-too-weak'])
  expect(refused(await bad({ username: 'ALICE' }))).toEqual([409, 'username-taken'])
  expect(refused(await stranger('POST /users/', {}))).toEqual([422, 'invalid-field'])
  const created = await bad({})
  expect(created).toMatchObject({ status: 200, body: { username: 'carla', role: 'uploader', explicitConsent: true } })
  expect(await app.as('carla', goodPassword).users.me()).toMatchObject({ username: 'carla' })
  expect(refused(await bad({ username: 'dora' }))).toEqual([409, 'invite-accepted'])
})

test('DELETE /api/v1/users/{username}', async () => {
  await using world: World = await start()
  const { root, alice } = world
  expect(refused(await alice('DELETE /users/root'))).toEqual([403, 'not-admin'])
  expect(refused(await root('DELETE /users/root'))).toEqual([403, 'account-read-only'])
  expect(refused(await root('DELETE /users/nobody'))).toEqual([404, 'user-not-found'])
  expect(await root('DELETE /users/alice')).toMatchObject({ status: 204, text: '' })
  expect((await alice('GET /users/me')).status).toBe(401)
})

test('PUT /api/v1/users/{username}/role', async () => {
  await using world: World = await start()
  const { root, alice } = world
  expect(await root('PUT /users/alice/role', { role: 'uploader', explicitConsent: true })).toMatchObject({
    status: 200,
    body: { username: 'alice', role: 'uploader', explicitConsent: true },
  })
  expect((await root('PUT /users/alice/role', { role: 'user' })).body).toMatchObject({
    role: 'user',
    explicitConsent: true,
  })
  expect(refused(await alice('PUT /users/alice/role', { role: 'admin' }))).toEqual([403, 'not-admin'])
  expect(refused(await root('PUT /users/alice/role', { role: 'king' }))).toEqual([422, 'invalid-field'])
  expect(refused(await root('PUT /users/nobody/role', { role: 'user' }))).toEqual([404, 'user-not-found'])
  expect(refused(await root('PUT /users/root/role', { role: 'user' }))).toEqual([403, 'account-read-only'])
})

test('PUT /api/v1/users/{username}', async () => {
  await using world: World = await start()
  const { root, alice, app } = world
  const apiKey = crypto.randomUUID().replaceAll('-', '')
  expect(refused(await alice('PUT /users/alice', { username: 'root' }))).toEqual([409, 'username-taken'])
  expect(refused(await alice('PUT /users/alice', { username: 'alice', password: 'weak' }))).toEqual([
    422,
    'password-too-weak',
  ])
  expect(refused(await alice('PUT /users/alice', { username: 'alice', apiKey: 'short' }))).toEqual([
    422,
    'invalid-field',
  ])
  expect(refused(await root('PUT /users/alice', { username: 'x' }))).toEqual([404, 'user-not-found'])
  const saved = await alice('PUT /users/alice', { username: 'Alicia', password: '', apiKey })
  expect(saved).toMatchObject({ status: 200, body: { username: 'Alicia', apiKey } })
  expect(await app.as('Alicia', goodPassword).users.me()).toMatchObject({
    username: 'Alicia',
    apiKey: null,
    apiKeySet: true,
  })
})

test('GET /api/v1/invites', async () => {
  await using world: World = await start()
  const { root, alice } = world
  await root('POST /invites', { role: 'admin', explicitConsent: true })
  const { body } = await root('GET /invites')
  expect(body).toMatchObject([
    { role: 'admin', explicitConsent: true, acceptedAt: null },
    { role: 'user', acceptedAt: expect.any(String) },
  ])
  expect(refused(await alice('GET /invites'))).toEqual([403, 'not-admin'])
})

test('POST /api/v1/invites', async () => {
  await using world: World = await start()
  const { root, alice } = world
  const { status, body } = await root('POST /invites', {})
  expect([status, body]).toMatchObject([200, { role: 'user', explicitConsent: false, acceptedAt: null }])
  expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(7 * 86_400_000)
  expect(refused(await root('POST /invites', { role: 'king' }))).toEqual([422, 'invalid-field'])
  expect(refused(await alice('POST /invites', {}))).toEqual([403, 'not-admin'])
})

test('GET /api/v1/invites/{invite_id}', async () => {
  await using world: World = await start()
  const { root, stranger } = world
  const { id } = (await root('POST /invites', { role: 'uploader' })).body
  expect(await stranger(`GET /invites/${id}`)).toMatchObject({ status: 200, body: { id, role: 'uploader' } })
  expect(refused(await stranger(`GET /invites/${nobody}`))).toEqual([404, 'invite-not-found'])
})

test('GET /api/v1/invites/{invite_id}/link', async () => {
  await using world: World = await start()
  const { root, alice } = world
  const { id } = (await root('POST /invites', {})).body
  const answer = await root(`GET /invites/${id}/link`)
  expect([answer.status, answer.text]).toEqual([200, `http://localhost/ui/invite/${id}`])
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(refused(await root(`GET /invites/${nobody}/link`))).toEqual([404, 'invite-not-found'])
  expect(refused(await alice(`GET /invites/${id}/link`))).toEqual([403, 'not-admin'])
})

test('DELETE /api/v1/invites/{invite_id}', async () => {
  await using world: World = await start()
  const { root, stranger, alice } = world
  const { id } = (await root('POST /invites', {})).body
  expect(refused(await alice(`DELETE /invites/${id}`))).toEqual([403, 'not-admin'])
  expect(await root(`DELETE /invites/${id}`)).toMatchObject({ status: 204, text: '' })
  expect(refused(await root(`DELETE /invites/${id}`))).toEqual([404, 'invite-not-found'])
  expect(refused(await stranger(`GET /invites/${id}`))).toEqual([404, 'invite-not-found'])
})

test('GET /api/v1/tags', async () => {
  await using world: World = await start()
  const { alice, root } = world
  await alice('POST /tags', { name: 'b', color: 'Red' })
  await alice('POST /tags', { name: 'A', color: 'Blue' })
  expect((await alice('GET /tags')).body).toMatchObject([
    { name: 'A', color: 'Blue', description: null },
    { name: 'b', color: 'Red' },
  ])
  expect((await root('GET /tags')).body).toEqual([])
})

test('PUT /api/v1/tags/{tag_id}', async () => {
  await using world: World = await start()
  const { alice, root } = world
  const { id } = (await alice('POST /tags', { name: 'Old', color: 'Red' })).body
  await alice('POST /tags', { name: 'Other', color: 'Red' })
  expect(await alice(`PUT /tags/${id}`, { name: 'New', color: 'Green' })).toMatchObject({
    status: 200,
    body: { id, name: 'New', color: 'Green' },
  })
  expect((await alice(`PUT /tags/${id}`, { color: 'Blue' })).body).toMatchObject({ name: 'New', color: 'Blue' })
  expect(refused(await alice(`PUT /tags/${id}`, { name: 'other' }))).toEqual([409, 'tag-name-taken'])
  expect(refused(await root(`PUT /tags/${id}`, { name: 'Hers' }))).toEqual([404, 'tag-not-found'])
  for (const body of [{ name: '' }, { name: 'x'.repeat(101) }, { color: 'Mauve' }])
    expect(refused(await alice(`PUT /tags/${id}`, body))).toEqual([422, 'invalid-field'])
})

test('DELETE /api/v1/tags/{tag_id}', async () => {
  await using world: World = await start()
  const { alice, root, podcast } = world
  const { id } = (await alice('POST /tags', { name: 'Gone', color: 'Red' })).body
  await alice(`POST /tags/${id}/${podcast.id}`)
  expect(refused(await root(`DELETE /tags/${id}`))).toEqual([404, 'tag-not-found'])
  expect(await alice(`DELETE /tags/${id}`)).toMatchObject({ status: 204, text: '' })
  expect((await alice(`GET /podcasts/${podcast.id}`)).body.tags).toEqual([])
  expect(refused(await alice(`DELETE /tags/${id}`))).toEqual([404, 'tag-not-found'])
})

test('the progress save (POST /api/v1/podcasts/episode)', async () => {
  await using world: World = await start()
  const { alice, lamps } = world
  const save = (body: object) => alice('POST /podcasts/episode', { podcastEpisodeId: lamps.episode_id, ...body })
  expect(await save({ time: 13.9 })).toMatchObject({ status: 200, body: { position: 13, total: 200, finished: false } })
  expect((await save({ time: 201 })).body).toMatchObject({ position: 200, finished: true })
  expect((await save({ time: 3, timestamp: '2020-01-01T00:00:00Z' })).body).toMatchObject({ position: 200 })
  expect((await save({ time: 0 })).body).toMatchObject({ position: 0, finished: false })
  for (const body of [{}, { time: -1 }, { time: '5' }, { time: 1, timestamp: 'yesterday' }, { time: null }])
    expect((await save(body)).status).toBe(422)
  expect(refused(await alice('POST /podcasts/episode', { podcastEpisodeId: nobody, time: 1 }))).toEqual([
    404,
    'episode-not-found',
  ])
})
