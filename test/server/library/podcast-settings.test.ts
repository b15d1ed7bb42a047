import { expect, test } from 'bun:test'
import { findOwnPreferences } from '../../../src/ui/api/library'
import { refusal, startClock, startTestApp, withPasswords } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const DAY = 86_400_000
const dated = (at: number) => new Date(at).toUTCString()

test('a podcast inherits what it does not say itself, and says so', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({})))
  expect(await app.podcasts.settings(id)).toMatchObject({
    podcastId: id,
    activated: false,
    autoDownload: true,
    autoDownloadMode: 'inherit',
    podcastPrefill: 0,
    episodeFormat: '{episodeTitle}',
    include: null,
  })
  const changed = await app.podcasts.editSettings(id, {
    autoDownloadMode: 'off',
    autoCleanup: true,
    autoCleanupDays: 7,
    include: ' fog, storm ',
    episodeFormat: '{date}',
  })
  expect(changed).toMatchObject({
    activated: true,
    autoDownload: false,
    autoDownloadMode: 'off',
    autoCleanupMode: 'on',
    autoCleanupDays: 7,
    include: 'fog, storm',
    episodeFormat: '{date}',
  })
  await app.system.editSettings({ autoCleanupDays: 99, keepLast: 3 })
  expect(await app.podcasts.settings(id)).toMatchObject({ autoCleanupDays: 7, keepLast: 3 })
  expect(await app.podcasts.editSettings(id, { autoCleanupDays: null })).toMatchObject({ autoCleanupDays: 99 })
  expect(await app.podcasts.editSettings(id, { activated: false })).toMatchObject({
    activated: false,
    autoDownload: true,
    include: null,
  })
  expect(await refusal(app.podcasts.editSettings(id, { episodeFormat: '{x}' }))).toMatchObject({
    code: 'invalid-format',
  })
  expect(await refusal(app.podcasts.editSettings(id, { autoCleanupDays: 0 }))).toMatchObject({ status: 422 })
})

test('its own rules say which new episodes are downloaded', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const mp3 = host.file('/a.mp3', silentMp3(1))
  const item = (title: string, hours: number, extra = '') => ({
    guid: title,
    title,
    enclosure: `${mp3}?${encodeURIComponent(title)}`,
    date: dated(clock() + hours * 3_600_000),
    extra,
  })
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [item('Start', -1)] })))
  await app.podcasts.editSettings(id, {
    include: 'fog, STORM',
    exclude: 'repeat',
    skipTrailers: true,
    maxNewPerRefresh: 2,
  })
  host.feed(
    '/feed.xml',
    rss({
      items: [
        item('Fog 1', 1),
        item('Fog 2', 2),
        item('Storm 3', 3),
        item('Fog 4 (repeat)', 4),
        item('Calm 5', 5),
        item('Fog 6', 6, '<itunes:episodeType>trailer</itunes:episodeType>'),
      ],
    }),
  )
  clock.advance(DAY)
  await app.refreshDue()
  await app.context.downloads.settled()
  const here = app.context.store.episodes.withFilesOf(app.context.store.podcasts.allIds()[0]!)
  expect(here.map(({ title }) => title)).toEqual(['Fog 2', 'Storm 3'])
})

test('updates and cleanup of a podcast are as it says, whatever the server does', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(1)
  const add = async (name: string) => {
    const mp3 = host.file(`/${name}.mp3`, silentMp3(1))
    return app.podcasts.add(host.feed(`/${name}.xml`, rss({ title: name, items: [{ enclosure: mp3, title: name }] })))
  }
  const [usual, always, never] = [await add('usual'), await add('always'), await add('never')]
  await app.context.downloads.settled()
  await app.podcasts.editSettings(always.id, { autoUpdateMode: 'on', autoCleanupMode: 'on', autoCleanupDays: 1 })
  await app.podcasts.editSettings(never.id, { autoUpdateMode: 'off', autoCleanupMode: 'off' })
  await app.system.editSettings({ autoUpdate: false })
  clock.advance(40 * DAY)
  await app.refreshDue()
  expect(['/usual.xml', '/always.xml', '/never.xml'].map(path => host.requestsTo(path).length)).toEqual([1, 2, 1])
  await app.system.editSettings({ autoUpdate: true })
  await app.refreshDue()
  expect(['/usual.xml', '/never.xml'].map(path => host.requestsTo(path).length)).toEqual([2, 1])

  // By itself only what says so; asked for, everything but what says not.
  await app.context.retention.sweepIfWanted()
  const here = () => app.context.store.episodes.allWithFiles().map(({ file_path }) => file_path.split('/')[0])
  expect(here()).toEqual(['usual', 'never'])
  expect(await app.system.cleanup()).toMatchObject({ total: 1, episodes: [{ podcastName: 'usual' }] })
  await app.system.runCleanup()
  expect(here()).toEqual(['never'])
  expect(usual.name).toBe('usual')
})

test('a private feed is asked with its password and its own user agent, which are never shown', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const feed = host.on('/feed.xml', () => new Response(rss({ items: [{}] })))
  const { id } = await app.podcasts.add(feed)
  await app.podcasts.editSettings(id, { username: 'mara', password: 'pä:ss', userAgent: 'Special/1.0' })
  await app.podcasts.refresh(id)
  await app.event('refreshedPodcast')
  const { headers } = host.requestsTo('/feed.xml').at(-1)!
  expect(headers.get('user-agent')).toBe('Special/1.0')
  expect(headers.get('authorization')).toBe(`Basic ${Buffer.from('mara:pä:ss').toString('base64')}`)
  expect(JSON.stringify(await app.podcasts.settings(id))).not.toContain('pä:ss')
  expect(await app.podcasts.find(id)).toMatchObject({ has_credentials: true })
  await app.podcasts.editSettings(id, { username: '', password: '' })
  expect(await app.podcasts.find(id)).toMatchObject({ has_credentials: false })
  expect(await refusal(app.podcasts.editSettings(id, { userAgent: 'ü\n' }))).toMatchObject({
    args: { field: 'userAgent' },
  })
})

test('a podcast gets another feed address, and its episodes are recognised', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const { id } = await app.podcasts.add(host.feed('/old.xml', rss({ items: [{ guid: 'a' }] })))
  const other = await app.podcasts.add(host.feed('/other.xml', rss({ title: 'Other' })))
  const fresh = host.feed('/new.xml', rss({ items: [{ guid: 'b', title: 'New one' }, { guid: 'a' }] }))
  expect(await app.podcasts.changeFeed(id, fresh)).toMatchObject({ rssfeed: fresh, episode_count: 2 })
  expect(await refusal(app.podcasts.add(host.feed('/old.xml', rss({}))))).toMatchObject({
    code: 'podcast-already-added',
  })
  expect(await refusal(app.podcasts.changeFeed(id, other.rssfeed))).toMatchObject({ code: 'podcast-already-added' })
  const page = host.on('/page', () => new Response('<html><body>no feed</body></html>'))
  expect(await refusal(app.podcasts.changeFeed(id, page))).toMatchObject({ code: 'not-a-feed' })
  expect(await app.podcasts.find(id)).toMatchObject({ rssfeed: fresh })
})

test('playback preferences of a podcast belong to each listener', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  const root = app.as('root', 'Sup3rSecret')
  app.prefill(0)
  const { id } = await root.podcasts.add(host.feed('/feed.xml', rss({})))
  const alice = await app.signUp('alice')
  const nothing = {
    speed: null,
    boost: null,
    skipIntro: 0,
    skipOutro: 0,
    skipSilence: null,
    skipMarked: false,
    queueNew: null,
    queueMost: 3,
    form: null,
    notify: null,
    inTimeline: true,
  }
  expect(await alice.podcasts.preferences(id)).toEqual(nothing)
  expect(await alice.podcasts.editPreferences(id, { speed: 1.5, skipIntro: 30 })).toEqual({
    ...nothing,
    speed: 1.5,
    skipIntro: 30,
  })
  expect(await alice.podcasts.editPreferences(id, { boost: 150 })).toMatchObject({ speed: 1.5, boost: 150 })
  expect(await root.podcasts.preferences(id)).toEqual(nothing)
  expect(await alice.podcasts.editPreferences(id, { speed: 1.35, skipSilence: false })).toMatchObject({
    speed: 1.35,
    skipSilence: false,
  })
  for (const speed of [1.33, 0.45, 3.05, 0])
    expect(await refusal(alice.podcasts.editPreferences(id, { speed }))).toMatchObject({ args: { field: 'speed' } })
  expect(await refusal(alice.podcasts.editPreferences(id, { skipOutro: 601, skipMarked: false }))).toMatchObject({
    status: 422,
  })
  expect(await refusal(alice.podcasts.settings(id))).toMatchObject({ code: 'not-uploader' })
})

test('a user lists the podcasts that they play at a speed of their own or queue, and nobody else does', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const add = (title: string) => root.podcasts.add(host.feed(`/${title}.xml`, rss({ title })))
  const [fog, tides, moths] = [await add('Fog'), await add('Tides'), await add('Moths')]
  await root.podcasts.editPreferences(fog.id, { speed: 1.5 })
  await root.podcasts.editPreferences(tides.id, { queueNew: 'front' })
  await root.podcasts.editPreferences(moths.id, { notify: false })
  await root.podcasts.editPreferences((await add('Ponds')).id, { skipSilence: true })
  expect(await findOwnPreferences(root.client)).toEqual([
    { podcastId: fog.id, speed: 1.5, skipSilence: null, queueNew: null },
    { podcastId: tides.id, speed: null, skipSilence: null, queueNew: 'front' },
    expect.objectContaining({ speed: null, skipSilence: true }),
  ])
  expect(await findOwnPreferences((await app.signUp('alice')).client)).toEqual([])
})
