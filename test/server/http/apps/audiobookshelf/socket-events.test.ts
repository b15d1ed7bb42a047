import { expect, test } from 'bun:test'
import { createItemNews } from '../../../../../src/server/http/apps/audiobookshelf/socket/item-news'
import { socketLimits } from '../../../../../src/server/http/apps/audiobookshelf/socket/wire'
import type { Peers } from '../../../../../src/server/http/apps/audiobookshelf/socket/peers'
import { createSessions } from '../../../../../src/server/http/apps/audiobookshelf/socket/sessions'
import type { UserRow } from '../../../../../src/server/store/users'
import { startTestApp, withPasswords, type TestApp } from '../../../../support/app'
import { appAt } from '../../../../support/audiobookshelf-app'
import { rss, silentMp3 } from '../../../../support/builders'
import { startFeedHost, type FeedHost } from '../../../../support/feed-host'
import { signedInLiveApp, type LiveApp } from '../../../../support/live-app'

const explicit = '<itunes:explicit>true</itunes:explicit>'

/** A server that tells at once. */
const start = () => startTestApp({ env: withPasswords, socketLimits: { settleMs: 1, itemsMs: 1 } })

const root = (server: TestApp) => server.as('root', 'Sup3rSecret')

async function addPodcast(server: TestApp, host: FeedHost, path: string, feed: Parameters<typeof rss>[0]) {
  server.prefill(0)
  const { id } = await root(server).podcasts.add(host.feed(path, rss(feed)))
  const row = server.context.store.podcasts.require({ id: 0, explicit_consent: 1 }, id)
  const { catalogue } = server.context.store
  const episodes = catalogue.episodesOf({ id: 0, explicit_consent: 1 }, row.id, { limit: 100, withNotes: true })
  return { id: row.id, uuid: row.uuid, episodes }
}

const namesOf = (app: LiveApp) => app.events.map(({ name }) => name)

/** Waits until an app has heard everything that was said before. */
async function settled(server: TestApp, app: LiveApp, userId: number) {
  const before = app.events.length
  server.context.publish({ type: 'episodesMarked', userId, podcastId: 1, episodeIds: [], source: 'library' })
  while (!app.events.slice(before).some(({ name }) => name === 'user_updated')) await app.once('user_updated')
}

/** Connections that are not there, over which a user is signed in. */
function startPeers(user: UserRow) {
  const peers: Peers = new Map()
  const access = { user, appSessionId: 1 }
  const sessions = createSessions({
    limits: { ...socketLimits, tickMs: 3_600_000 },
    elapsed: () => 0,
    onOpen: session => void peers.set(session, { session, isConnected: true, access, refusals: 0 }),
    onEnd: session => void peers.delete(session),
    onTick: () => {},
  })
  return { peers, sessions }
}

test('W1: a position goes to all apps of its user as a whole, and to nobody else', async () => {
  using host = startFeedHost()
  await using server = await start()
  const [anna, bert] = [await server.signUp('anna'), await server.signUp('bert')]
  const { uuid, episodes } = await addPodcast(server, host, '/a.xml', { items: [{ guid: 'one' }] })
  const origin = server.listen()
  using phone = await signedInLiveApp(server, origin, 'anna')
  using tablet = await signedInLiveApp(server, origin, 'anna', { transports: ['polling'] })
  using other = await signedInLiveApp(server, origin, 'bert')
  const { eid } = server.context.store.episodes.find(episodes[0]!.id)!
  await server
    .as('anna', 'Corr3ctHorse')
    .client.post('/podcasts/episode', { podcastEpisodeId: eid, time: 30, total: 120, device: 'kitchen' })
  for (const app of [phone, tablet]) {
    const told = await app.event('user_item_progress_updated')
    expect(told).toMatchObject({ sessionId: '', deviceDescription: 'kitchen', id: episodes[0]!.uuid })
    expect(told.data).toEqual({
      id: episodes[0]!.uuid,
      userId: anna.row.uuid,
      libraryItemId: uuid,
      episodeId: episodes[0]!.uuid,
      mediaItemId: episodes[0]!.uuid,
      mediaItemType: 'podcastEpisode',
      duration: 120,
      progress: 0.25,
      currentTime: 30,
      isFinished: false,
      hideFromContinueListening: false,
      ebookLocation: null,
      ebookProgress: 0,
      lastUpdate: expect.any(Number),
      startedAt: expect.any(Number),
      finishedAt: null,
    })
  }
  await settled(server, other, bert.row.id)
  expect(namesOf(other)).toEqual(['init', 'user_updated'])
})

test('the app that caused a change is named by its play session', async () => {
  using host = startFeedHost()
  await using server = await start()
  const { row } = await server.signUp('anna')
  const { episodes } = await addPodcast(server, host, '/a.xml', { items: [{ guid: 'one' }] })
  using app = await signedInLiveApp(server, server.listen(), 'anna')
  const { playback, store } = server.context
  const episode = store.episodes.find(episodes[0]!.id)!
  const recording = playback.write(row.id, episode, { position: 5, total: 100 })
  playback.announce([recording], 'library', { playSession: 'the-session' })
  expect((await app.event('user_item_progress_updated')).sessionId).toBe('the-session')
})

test('a position that is gone, and many at once, come as the user', async () => {
  using host = startFeedHost()
  await using server = await start()
  const { row } = await server.signUp('anna')
  const items = Array.from({ length: 30 }, (_, at) => ({ guid: `g${at}` }))
  const { episodes } = await addPodcast(server, host, '/a.xml', { items })
  using app = await signedInLiveApp(server, server.listen(), 'anna')
  const { playback, store } = server.context
  const record = (at: number, position: number) =>
    playback.record(row.id, store.episodes.find(episodes[at]!.id)!, { position, total: 100 })
  record(0, 5)
  await app.event('user_item_progress_updated')
  record(0, 0)
  expect((await app.event('user_updated')).mediaProgress).toEqual([])
  for (let at = 0; at < 30; at++) record(at, 50)
  const user = await app.event('user_updated', ({ mediaProgress }) => mediaProgress.length === 30)
  expect(user).toMatchObject({ id: row.uuid, username: 'anna' })
  expect(user.accessToken).toBeUndefined()
  expect(namesOf(app)).toEqual(['init', 'user_item_progress_updated', 'user_updated', 'user_updated'])
})

test('an episode that is removed from what is to be continued comes as the user', async () => {
  using host = startFeedHost()
  await using server = await start()
  const { row } = await server.signUp('anna')
  const { episodes } = await addPodcast(server, host, '/a.xml', { items: [{ guid: 'one' }] })
  using app = await signedInLiveApp(server, server.listen(), 'anna')
  const { playback, hide, store } = server.context
  const episode = store.episodes.find(episodes[0]!.id)!
  playback.record(row.id, episode, { position: 5, total: 100 })
  await app.event('user_item_progress_updated')
  hide(row.id, episode, true)
  const user = await app.event('user_updated')
  expect(user.mediaProgress).toMatchObject([{ episodeId: episode.uuid, hideFromContinueListening: true }])
})

test('W1: a podcast comes, changes and goes with all its episodes, as each user may see it', async () => {
  using host = startFeedHost()
  await using server = await start()
  await server.signUp('anna', 'user', true)
  const bert = await server.signUp('bert')
  const origin = server.listen()
  using hers = await signedInLiveApp(server, origin, 'anna')
  using his = await signedInLiveApp(server, origin, 'bert')
  const items = [{ guid: 'tame' }, { guid: 'rude', extra: explicit }]
  const tame = await addPodcast(server, host, '/tame.xml', { title: 'Tame', items })
  const rude = await addPodcast(server, host, '/rude.xml', { title: 'Rude', extra: explicit, items })

  const complete = (count: number) => (item: any) => item.media.episodes.length === count
  const added = await hers.event('item_added', complete(2))
  expect(added).toMatchObject({ id: tame.uuid, mediaType: 'podcast', media: { metadata: { title: 'Tame' } } })
  expect(added.media.episodes[0].audioTrack.contentUrl).toStartWith(`/api/items/${tame.uuid}/file/`)
  expect((await his.event('item_added', complete(1))).id).toBe(tame.uuid)
  await hers.event('item_added', ({ id }) => id === rude.uuid)

  host.feed('/tame.xml', rss({ title: 'Tame', items: [...items, { guid: 'new' }] }))
  await server.context.refresh.refresh(tame.id, { isAsked: true })
  await hers.event('item_updated', complete(3))
  await his.event('item_updated', complete(2))
  await root(server).client.put(`/podcasts/${tame.uuid}/name`, { name: 'Tamer' })
  await his.event('item_updated', ({ media }) => media.metadata.title === 'Tamer')

  for (const { uuid } of [rude, tame]) await root(server).client.remove(`/podcasts/${uuid}`, { delete_files: false })
  const { id: libraryId } = server.context.store.settings.current()
  expect(await hers.event('item_removed', ({ id }) => id === rude.uuid)).toEqual({ id: rude.uuid, libraryId })
  expect(await his.event('item_removed')).toEqual({ id: tame.uuid, libraryId })
  await settled(server, his, bert.row.id)
  expect(JSON.stringify(his.events)).not.toContain(rude.uuid)
  expect(JSON.stringify(his.events)).not.toContain('Rude')
})

test('tags are those of the user who is told', async () => {
  using host = startFeedHost()
  await using server = await start()
  const [anna] = [await server.signUp('anna'), await server.signUp('bert')]
  const { id, uuid } = await addPodcast(server, host, '/a.xml', { items: [{ guid: 'one' }] })
  const tag = await anna.client.post<{ id: string }>('/tags', { name: 'News', color: 'Green' })
  await anna.client.post(`/tags/${tag.id}/${uuid}`)
  const origin = server.listen()
  using hers = await signedInLiveApp(server, origin, 'anna')
  using his = await signedInLiveApp(server, origin, 'bert')
  server.context.publish({ type: 'coverStored', podcastId: id })
  expect((await hers.event('item_updated')).media.tags).toEqual(['News'])
  expect((await his.event('item_updated')).media.tags).toEqual([])
})

test('a podcast that changes many times meanwhile is told once, as it is then', async () => {
  using host = startFeedHost()
  await using server = await startTestApp({ env: withPasswords, socketLimits: { settleMs: 1, itemsMs: 20 } })
  const { row } = await server.signUp('anna')
  const { id } = await addPodcast(server, host, '/a.xml', { items: [{ guid: 'one' }] })
  using app = await signedInLiveApp(server, server.listen(), 'anna')
  for (let times = 0; times < 100; times++) server.context.publish({ type: 'coverStored', podcastId: id })
  await app.event('item_updated')
  await settled(server, app, row.id)
  expect(namesOf(app).filter(name => name === 'item_updated')).toHaveLength(1)
  server.context.publish({ type: 'addedPodcast', source: 'library', podcastId: id })
  server.context.publish({ type: 'coverStored', podcastId: id })
  await app.event('item_added')
})

test('files and texts that come and go are told, and a check that found nothing is not', async () => {
  using host = startFeedHost()
  await using server = await start()
  const { row } = await server.signUp('anna')
  const { id, episodes } = await addPodcast(server, host, '/a.xml', { items: [{ guid: 'one' }] })
  using app = await signedInLiveApp(server, server.listen(), 'anna')
  const none = { added: 0, updated: 0 }
  server.context.publish({ type: 'refreshedPodcast', podcastId: id, result: 'unchanged', ...none, explicit: none })
  await settled(server, app, row.id)
  expect(namesOf(app)).not.toContain('item_updated')
  for (const type of ['textsStored', 'downloadFinished', 'fileRemoved'] as const) {
    const told = app.once('item_updated')
    server.context.publish({ type, episodeId: episodes[0]!.id })
    await told
  }
})

test('whoever signs in while a podcast is sent gets nothing that was written for the user before', async () => {
  using host = startFeedHost()
  await using server = await start()
  const [anna, bert] = [(await server.signUp('anna', 'user', true)).row, (await server.signUp('bert')).row]
  const { id } = await addPodcast(server, host, '/a.xml', { items: [{ guid: 'rude', extra: explicit }] })
  const sent: string[][] = [[], []]
  const done = Promise.withResolvers<void>()
  const { peers, sessions } = startPeers(anna)
  for (const [at, frames] of sent.entries())
    sessions.open('here', {
      send(text) {
        frames.push(text)
        // The second one signs in anew as the first one is told.
        if (at === 0 && text.startsWith('42')) [...peers.values()][1]!.access = { user: bert, appSessionId: 2 }
        if (at === 0 && text.startsWith('42["item_updated"')) setTimeout(done.resolve)
      },
      close: () => {},
      bufferedBytes: () => 0,
    })
  createItemNews({ app: server.context, peers, limits: { ...socketLimits, itemsMs: 1 } }).changed(id)
  await done.promise
  sessions.close()
  expect(sent.map(frames => frames.filter(frame => frame.startsWith('42')).length)).toEqual([1, 0])
})

test('clients that do not read fill no memory together, and keep nobody waiting for ever', async () => {
  using host = startFeedHost()
  await using server = await start()
  const anna = (await server.signUp('anna')).row
  const { id } = await addPodcast(server, host, '/a.xml', { items: [{ guid: 'one' }] })
  const { peers, sessions } = startPeers(anna)
  const closed: number[] = []
  const told = Promise.withResolvers<string>()
  // They were sent a text before, and have not read it.
  const stalled = { send: () => {}, close: (code: number) => void closed.push(code), bufferedBytes: () => 4_000_000 }
  sessions.open('here', {
    send: text => void (text.startsWith('42') && told.resolve(text)),
    close: () => {},
    bufferedBytes: () => 0,
  })
  for (let at = 0; at < 17; at++) sessions.open('here', stalled)
  const limits = { ...socketLimits, itemsMs: 1, drainMs: 1 }
  createItemNews({ app: server.context, peers, limits }).changed(id)
  expect(await told.promise).toStartWith('42["item_updated"')
  expect(closed).toEqual(Array.from({ length: 17 }, () => 1013))
  sessions.close()
})

test('a podcast that is too long for a frame is sent without notes, or with its newest episodes alone', async () => {
  using host = startFeedHost()
  await using server = await start()
  await server.signUp('anna')
  const notes = `<p>${'long '.repeat(40_000)}</p>`
  const items = Array.from({ length: 30 }, (_, at) => ({ guid: `g${at}`, notes }))
  const long = await addPodcast(server, host, '/long.xml', { items })
  const many = await addPodcast(server, host, '/many.xml', {
    items: Array.from({ length: 2500 }, (_, at) => ({ guid: `m${at}` })),
  })
  const length = long.episodes.reduce((sum, { notes }) => sum + notes.length, 0)
  expect(length).toBeGreaterThan(4_000_000)
  using app = await signedInLiveApp(server, server.listen(), 'anna')
  for (const { id } of [long, many]) server.context.publish({ type: 'coverStored', podcastId: id })
  const { media } = await app.event('item_updated', ({ id }) => id === long.uuid)
  expect(media.episodes.map(({ description }: { description: string }) => description)).toEqual(items.map(() => ''))
  const newest = await app.event('item_updated', ({ id }) => id === many.uuid)
  expect(newest.media.episodes).toHaveLength(1000)
  const newestOf = many.episodes.toSorted((a, b) => b.published_at - a.published_at)[0]!
  expect(newest.media.episodes[0].id).toBe(newestOf.uuid)
})

test('a download is told step by step, each once, and never to those who may not see its episode', async () => {
  using host = startFeedHost()
  await using server = await start()
  const anna = await server.signUp('anna', 'user', true)
  const bert = await server.signUp('bert')
  const enclosure = host.file('/a.mp3', silentMp3(3))
  const { uuid, episodes } = await addPodcast(server, host, '/a.xml', {
    items: [{ guid: 'one', enclosure, extra: explicit }],
  })
  const origin = server.listen()
  using hers = await signedInLiveApp(server, origin, 'anna')
  using his = await signedInLiveApp(server, origin, 'bert')
  await root(server).client.put(`/podcasts/${episodes[0]!.uuid}/episodes/download`)
  expect(await hers.event('episode_download_queued')).toMatchObject({
    libraryItemId: uuid,
    isFinished: false,
    failed: false,
    podcastExplicit: false,
  })
  await hers.event('episode_download_started')
  expect(await hers.event('episode_download_finished')).toMatchObject({ isFinished: true, failed: false })
  await hers.event('item_updated', item => item.size > 0)
  const { eid } = server.context.store.episodes.find(episodes[0]!.id)!
  const figures = { receivedBytes: 1, totalBytes: 2, bytesPerSecond: 1, errorCode: null, status: null }
  for (let times = 0; times < 3; times++)
    server.context.publish({
      type: 'downloadProgress',
      id: 'again',
      eid,
      state: 'running',
      nextAttemptAt: null,
      ...figures,
    })
  await hers.event('episode_download_started', ({ id }) => id === 'again')
  await settled(server, hers, anna.row.id)
  const steps = namesOf(hers).filter(name => name.startsWith('episode_download'))
  const once = ['episode_download_queued', 'episode_download_started', 'episode_download_finished']
  expect(steps).toEqual([...once, 'episode_download_started'])
  await settled(server, his, bert.row.id)
  expect(namesOf(his).filter(name => name.startsWith('episode_download'))).toEqual([])
})

test('playlists come, change and go for the apps of their user, whoever changes them', async () => {
  using host = startFeedHost()
  await using server = await start()
  const [anna, bert] = [await server.signUp('anna'), await server.signUp('bert')]
  const { uuid, episodes } = await addPodcast(server, host, '/a.xml', { items: [{ guid: 'one' }, { guid: 'two' }] })
  const origin = server.listen()
  using hers = await signedInLiveApp(server, origin, 'anna')
  using his = await signedInLiveApp(server, origin, 'bert')
  const app = appAt(server, hers.token)
  const [first, second] = episodes.map(episode => episode.uuid)
  const held =
    (...uuids: unknown[]) =>
    (list: any) =>
      JSON.stringify(list.items.map((item: any) => item.episodeId)) === JSON.stringify(uuids)

  const { id } = await anna.playlists.create({ name: 'Evening', items: [{ episode: first! }] })
  expect(await hers.event('playlist_added')).toMatchObject({ id, name: 'Evening', userId: anna.row.uuid })
  expect((await hers.event('playlist_added', held(first))).items[0].libraryItem.media.numEpisodes).toBe(2)
  const item = { libraryItemId: uuid, episodeId: second }
  await app.post(`/api/playlists/${id}/item`, item)
  await hers.event('playlist_updated', held(first, second))
  await app.patch(`/api/playlists/${id}`, { name: 'Night' })
  await hers.event('playlist_updated', list => list.name === 'Night')
  await anna.client.remove(`/playlist/${id}/episode/${first}`)
  await hers.event('playlist_updated', held(second))
  // Taking out the last episode removes the list, for an app.
  await app.delete(`/api/playlists/${id}/item/${item.libraryItemId}/${second}`)
  expect(await hers.event('playlist_removed')).toMatchObject({ id, name: 'Night', items: [] })

  const other = (await app.post('/api/playlists', { name: 'Noon', items: [item] })).json
  await hers.event('playlist_added', list => list.id === other.id)
  await app.delete(`/api/playlists/${other.id}`)
  await hers.event('playlist_removed', list => list.id === other.id)
  const { uuid: quick } = server.context.store.playlists.add(anna.row.id, 'Quick', 1)
  const made = { type: 'playlistChanged', userId: anna.row.id, uuid: quick, name: 'Quick', createdAt: 1 } as const
  for (const change of ['added', 'changed'] as const) server.context.publish({ ...made, change })
  await hers.event('playlist_added', list => list.id === quick)
  await settled(server, his, bert.row.id)
  expect(namesOf(his)).toEqual(['init', 'user_updated'])
})

test('a real client that does not read is cut, and others hear on', async () => {
  using host = startFeedHost()
  await using server = await start()
  await server.signUp('anna')
  const notes = `<p>${'long '.repeat(40_000)}</p>`
  const items = Array.from({ length: 15 }, (_, at) => ({ guid: `g${at}`, notes }))
  const { id, uuid } = await addPodcast(server, host, '/a.xml', { items })
  const origin = server.listen()
  using quick = await signedInLiveApp(server, origin, 'anna')
  const slow = await connectAndStop(origin, quick.token)
  for (let times = 0; times < 12; times++) {
    server.context.publish({ type: 'coverStored', podcastId: id })
    await quick.once('item_updated')
  }
  // It is cut before it reads that it is.
  expect(server.app.server!.pendingWebSockets).toBe(1)
  slow.resume()
  expect(await slow.ended).toBeLessThan(12)
  expect((await quick.event('item_updated')).id).toBe(uuid)
  expect(quick.socket.connected).toBe(true)
})

/** A client that signs in over a websocket of its own, and then does not read. */
async function connectAndStop(origin: string, token: string) {
  const { hostname, port, host } = new URL(origin)
  const signedIn = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<number>()
  let heard = ''
  let items = 0
  const connection = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(socket, bytes) {
        heard = heard.slice(-20) + bytes.toString('latin1')
        items += heard.split('42["item_updated"').length - 1
        if (items > 0) heard = ''
        if (!heard.includes('42["init"')) return
        heard = ''
        socket.pause()
        signedIn.resolve()
      },
      close: () => ended.resolve(items),
    },
  })
  const headers = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13'
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  connection.write(
    `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n${key}\r\n\r\n`,
  )
  for (const text of ['40', `42${JSON.stringify(['auth', token])}`])
    connection.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
  await signedIn.promise
  return { ended: ended.promise, resume: () => connection.resume() }
}
