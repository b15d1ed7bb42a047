import { expect, test } from 'bun:test'
import { json } from '../../support/access'
import { addClip } from '../../support/add-clip'
import { goodPassword, refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { plantHook } from '../../support/destinations'
import { startFeedHost } from '../../support/feed-host'
import { appOf, beginLoginFlow } from '../../support/podcast-app'
import { besidesHeader, passkeyRow } from '../../support/sessions'

type SignedUp = Awaited<ReturnType<TestApp['signUp']>>

/** Gives bob one of everything that can be somebody's own. */
async function plantForBob(app: TestApp, bob: SignedUp, feed: string) {
  const { store, appPasswords, appSessions, sessions } = app.context
  const podcast = await bob.podcasts.add(feed)
  const { data } = await bob.podcasts.episodes(podcast.id, {}, null)
  const { id: episode, episode_id: eid } = data[0]!.podcastEpisode
  const tag = await bob.tags.create({ name: 'Hers', color: 'Green' })
  await bob.tags.assign(tag.id, podcast.id)
  const playlist = await bob.playlists.create({ name: 'Hers', items: [{ episode }] })
  await bob.playback.save({ podcastEpisodeId: eid, time: 1, device: 'hers' })
  await bob.episodes.like(episode, true)
  const bookmark = (await bob.client.post('/bookmarks', { episode, time: 5 })) as { id: string }
  const mark = await bob.client.post<{ id: string }>('/skip-marks', { episode, start: 5, end: 9, skip: true })
  await bob.playback.saveLoudness(eid, { lufs: -21.5, seconds: 90 })
  await bob.client.post('/queues', { name: 'Hers' })
  await bob.queue.add({ episode, at: 'last' })
  const { items, others } = await bob.queue.find()
  await appOf(app, 'bob').saveDevice('phone', { caption: 'Hers', type: 'mobile' })
  const flow = await beginLoginFlow(app, 'Hers')
  appPasswords.grant(flow.id, bob.row)
  const [password] = store.appPasswords.list(bob.row.id)
  appSessions.start(bob.row, {
    app_password_id: null,
    apiKey: null,
    provider_session: null,
    name: 'Hers',
    last_address: '192.0.2.1',
  })
  const [session] = store.appSessions.list(bob.row.id)
  sessions.start(bob.row, null, besidesHeader)
  const [browser] = store.sessions.list(bob.row.id, app.context.now())
  const job = store.jobs.add(bob.row.id, 'opml', [], 1)
  const from = { source: 'gpodder', file_name: 'Hers', own_name: null, authority: 'self', with_users: 0 } as const
  const move = store.moves.add({ uuid: crypto.randomUUID(), user_id: bob.row.id, ...from }, [], 1)
  const known = store.episodes.findByEid(eid)!
  const subject = { podcastId: known.podcast_id, podcastTitle: 'x', episodeId: known.id, episodeTitle: 'x' }
  store.notifications.add({ userId: bob.row.id, type: 'Download', ...subject, batch: 1, episodeCount: 1 }, 1)
  const [notification] = (await bob.client.get('/notifications/unread')) as { id: string }[]
  const destination = plantHook(app, bob.row.id, 'Hers')
  return {
    destination,
    podcast: podcast.id,
    episode,
    eid,
    tag: tag.id,
    playlist: playlist.id,
    bookmark: bookmark.id,
    mark: mark.id,
    item: String(items[0]!.id),
    queue: others[0]!.id,
    password: password!.uuid,
    session: session!.uuid,
    browser: browser!.uuid,
    passkey: store.passkeys.add(bob.row.id, passkeyRow('bob'), 1).uuid,
    job: job.uuid,
    move: move.uuid,
    notification: notification!.id,
    clip: addClip(app, bob.row.id, known.id),
  }
}
type Planted = Awaited<ReturnType<typeof plantForBob>>

/** The id for each route that takes one of something personal. */
const idsOf = (planted: Planted): readonly (readonly [RegExp, string])[] => [
  [/\/tags\/:id|\/rss\/tag\/:id/, planted.tag],
  [/\/playlist\/:id/, planted.playlist],
  [/\/bookmarks\/:id/, planted.bookmark],
  [/\/skip-marks\/:id/, planted.mark],
  [/\/queue\/items\/:id/, planted.item],
  [/\/queues\/:id/, planted.queue],
  [/\/devices\/:id/, 'phone'],
  [/\/destinations\/:id/, planted.destination],
  [/\/appPasswords\/:id/, planted.password],
  [/\/appSessions\/:id/, planted.session],
  [/\/me\/sessions\/:id/, planted.browser],
  [/\/passkeys\/:id/, planted.passkey],
  [/\/clips\/:id/, planted.clip],
  [/\/jobs\/:id/, planted.job],
  [/\/moves\/:id/, planted.move],
  [/\/users\/:username/, 'bob'],
  [/\/podcasts\/episode\/:id/, planted.eid],
]
/** Shared objects and calls for admins: the table of permissions covers these. */
const notPersonal =
  /\/(podcasts|episodes|media|covers|discover|downloads|transcriptions|invites|backups|access-requests|assets|proxy|clip|help)\/|\/rss\/:id|:key|opml\/:type/

/** Reads everything that bob can see of his own. */
async function readAll(bob: SignedUp, planted: Planted) {
  const paths = [
    '/tags',
    '/playlist',
    '/playlists',
    `/playlist/${planted.playlist}`,
    '/bookmarks',
    `/podcasts/episode/${planted.eid}/loudness`,
    `/skip-marks?episode=${planted.episode}`,
    '/queue',
    '/queues',
    '/devices',
    '/destinations',
    '/users/me/appPasswords',
    '/users/me/appSessions',
    '/users/me/sessions',
    '/users/me/passkeys',
    '/clips',
    '/jobs',
    `/jobs/${planted.job}`,
    '/moves',
    `/moves/${planted.move}`,
    '/notifications/unread',
    `/podcasts/episode/${planted.eid}`,
    '/users/me',
    `/podcasts/${planted.podcast}/preferences`,
    '/podcasts',
  ]
  return JSON.stringify(await Promise.all(paths.map(path => bob.client.get(path))))
}

const bodies: Record<string, unknown> = {
  'PUT /api/v1/playlist/:id': { name: 'Mine', items: [] },
  'POST /api/v1/playlist/:id/episodes': { episodes: [] },
  'PUT /api/v1/playlist/:id/episode/:episode': { before: null },
  'PUT /api/v1/tags/:id': { name: 'Mine', color: 'Red' },
  'PUT /api/v1/bookmarks/:id': { note: 'Mine' },
  'PUT /api/v1/devices/:id': { caption: 'Mine' },
  'PUT /api/v1/queues/:id': { name: 'Mine' },
  'POST /api/v1/queues/:id/use': {},
  'PUT /api/v1/destinations/:id': { name: 'Mine' },
  'PUT /api/v1/users/me/passkeys/:id': { name: 'Mine' },
  'PUT /api/v1/podcasts/episode/:id/loudness': { lufs: -5, seconds: 60 },
  'PUT /api/v1/users/:username': { username: 'mine', password: 'Ano7herOne' },
  'PUT /api/v1/users/:username/role': { role: 'admin' },
}

test('R2: another user’s objects look absent to every call that takes an id, and stay unchanged', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({
    env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8', USER_PODCAST_LIMIT: '9' },
  })
  app.prefill(0)
  const [alice, bob] = [await app.signUp('alice', 'uploader'), await app.signUp('bob')]
  const feed = host.feed('/a.xml', rss({ items: [{ enclosure: host.file('/a.mp3', silentMp3(2)) }, {}] }))
  const planted = await plantForBob(app, bob, feed)

  const ids = idsOf(planted)
  const calls = app.app.routes
    .filter(({ path }) => path.includes(':'))
    .map(({ method, path }) => {
      const known = ids.find(([pattern]) => pattern.test(path))
      return { method, path, known }
    })
  expect(calls.filter(({ path, known }) => !known && !notPersonal.test(path)).map(({ path }) => path)).toEqual([])

  const before = await readAll(bob, planted)
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
          .replace(/:(podcast)/, planted.podcast)
          .replace(/:(episode)/, planted.episode)
          .replace(':key', app.context.feedKeys.of(alice.row))
        return [call(method, address, bodies[`${method} ${path}`])]
      }),
    )),
    await call('PUT', '/api/v1/notifications/dismiss', { id: planted.notification }),
    await call('GET', '/api/2/devices/bob.json', undefined),
    await call('POST', '/api/2/devices/bob/phone.json', { caption: 'Mine' }),
    await call('GET', '/api/2/lists/bob.json', undefined),
    await call('PUT', '/subscriptions/bob/phone.json', []),
    await call('POST', '/api/2/episodes/bob.json', []),
  ]
  expect(answers.length).toBeGreaterThan(25)
  // The gPodder protocol answers 400 to a call that names another user. An episode is everybody's; the progress in it,
  // its measured loudness, and whether it is to be continued, are the caller's own.
  const mayAnswer = (path: string, status: number) =>
    status === 404 ||
    status === 403 ||
    (status === 400 && /^\w+ \/(api\/2|subs)/.test(path)) ||
    (status === 200 && path === `GET /api/v1/podcasts/episode/${planted.eid}`) ||
    (status === 200 && path === `GET /api/v1/podcasts/episode/${planted.eid}/loudness`) ||
    (status === 204 && /\/(hidden|loudness)$/.test(path) && path.includes(planted.eid))
  const wrong = answers.filter(([path, status, isTold]) => isTold || !mayAnswer(path, status))
  expect(wrong).toEqual([])
  expect(await readAll(bob, planted)).toBe(before)
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
