import { expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../../support/builders'
import { refused, startWorld, uuid, type World } from '../../../support/specification'

test('GET /api/v1/notifications/unread', async () => {
  await using world: World = await startWorld()
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
  await using world: World = await startWorld()
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

test('GET /api/v1/settings', async () => {
  await using world: World = await startWorld()
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
      parallelDownloads: null,
      maxParallelDownloads: 3,
      sidecars: false,
      writeTags: false,
      nfoFormat: 'off',
    },
  })
  expect(refused(await world.stranger('GET /settings'))).toEqual([401, 'not-signed-in'])
})

test('PUT /api/v1/settings', async () => {
  await using world: World = await startWorld()
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
  const files = { parallelDownloads: 50, sidecars: true, writeTags: true }
  expect((await root('PUT /settings', files)).body).toMatchObject({ ...five, autoUpdate: true, ...files })
  expect((await root('GET /settings')).body).toMatchObject({ ...files, maxParallelDownloads: 50 })
  // What other programs send back of the number in force changes nothing.
  expect((await root('PUT /settings', { parallelDownloads: null, maxParallelDownloads: 9 })).body).toMatchObject({
    parallelDownloads: null,
    maxParallelDownloads: 3,
  })
  expect(refused(await alice('PUT /settings', five))).toEqual([403, 'not-admin'])
  for (const [field, value] of [
    ['autoCleanupDays', 0],
    ['autoCleanupDays', 36_501],
    ['autoCleanupDays', 1.5],
    ['autoCleanupDays', '7'],
    ['podcastPrefill', -1],
    ['podcastPrefill', 10_001],
    ['parallelDownloads', 0],
    ['parallelDownloads', 51],
    ['parallelDownloads', '3'],
    ['sidecars', 'yes'],
    ['writeTags', 1],
    ['autoUpdate', 'yes'],
    ['replacementStrategy', 'explode'],
  ] as const)
    expect(await root('PUT /settings', { [field]: value })).toMatchObject({
      status: 422,
      body: { arguments: { field } },
    })
  expect((await root('GET /settings')).body).toMatchObject({ autoCleanupDays: 7, podcastPrefill: 10_000 })
})

test('the initial download count: 0 lists episodes alone, 10000 archives all', async () => {
  await using world: World = await startWorld()
  const { root, app, host } = world
  const files = () => app.context.store.episodes.allWithFiles().length
  const add = async (name: string) => {
    const items = Array.from({ length: 12 }, (_, at) => ({
      guid: `${name}-${at}`,
      enclosure: host.file(`/${name}-${at}.mp3`, silentMp3(1)),
    }))
    const rssFeedUrl = host.feed(`/${name}.xml`, rss({ title: name, items }))
    expect((await root('POST /podcasts/feed', { rssFeedUrl })).body.episode_count).toBe(12)
  }
  await add('listed')
  await root('PUT /settings', { podcastPrefill: 10_000 })
  await add('archived')
  while (files() < 12) await new Promise(setImmediate)
  expect(app.context.store.episodes.allWithFiles().filter(({ file_path }) => !/archived/.test(file_path!))).toEqual([])
})

test('PUT /api/v1/settings/runcleanup', async () => {
  await using world: World = await startWorld()
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
  await using world: World = await startWorld()
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
