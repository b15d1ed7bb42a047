import { expect, test } from 'bun:test'
import { DAY } from '../../../../src/server/platform/clock'
import { createTasks } from '../../../../src/server/tasks'
import { refusal, startClock, startTestApp, temporaryFolder, withPasswords, type TestApp } from '../../../support/app'
import { rss, silentMp3, type ItemSpec } from '../../../support/builders'
import { startFeedHost, type FeedHost } from '../../../support/feed-host'
import { bellOf, endDownloads } from '../../../support/notices'
import { connect } from '../../../support/socket'

const explicit = '<itunes:explicit>true</itunes:explicit>'

/**
 * Adds a podcast as root. `publish` puts episodes into its feed; `publishAndRefresh` also waits until the server has
 * read it.
 */
async function addPodcast(
  app: TestApp,
  host: FeedHost,
  { prefill = 0, autoDownload = false, items = [{ guid: 'a' }] as ItemSpec[] } = {},
) {
  app.prefill(prefill)
  app.context.store.settings.edit({ autoDownload })
  const root = app.as('root', 'Sup3rSecret')
  let all: ItemSpec[] = []
  function publish(...more: ItemSpec[]) {
    const named = more.map((item, index) => {
      const guid = item.guid ?? item.title ?? `item-${all.length + index}`
      const date = new Date(Date.UTC(2026, 0, 50 + all.length + index)).toUTCString()
      return { guid, title: guid, enclosure: `https://cdn.example/${guid}.mp3`, date, ...item }
    })
    all = [...named, ...all]
    return host.feed('/feed.xml', rss({ items: all }))
  }
  const podcast = await root.podcasts.add(publish(...items))
  const id = app.context.store.podcasts.allIds()[0]!
  return {
    root,
    podcast,
    id,
    publish,
    publishAndRefresh(...more: ItemSpec[]) {
      publish(...more)
      return app.context.refresh.refresh(id)
    },
    async eidOf(title: string) {
      const { data } = await root.podcasts.episodes(podcast.id, {}, null)
      return data.find(({ podcastEpisode }) => podcastEpisode.name === title)!.podcastEpisode.episode_id
    },
  }
}

test('an episode that is not downloaded automatically is announced when published, to users who added or favour the podcast', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  const { root, podcast, publishAndRefresh } = await addPodcast(app, host)
  const [fan, other] = [await app.signUp('fan'), await app.signUp('other')]
  await fan.podcasts.favour(podcast.id, true)
  await publishAndRefresh({ title: 'Fog' })
  for (const user of [root, fan]) expect(await bellOf(user)).toEqual(['NewEpisodes Lighthouse Radio'])
  expect(await bellOf(other)).toEqual([])
})

test("a person's choice for a podcast decides about its notices, whoever added or favours it, until it is taken back", async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  const { root, podcast, publishAndRefresh } = await addPodcast(app, host)
  const [fan, other] = [await app.signUp('fan'), await app.signUp('other')]
  await fan.podcasts.favour(podcast.id, true)
  await fan.podcasts.editPreferences(podcast.id, { notify: false })
  await other.podcasts.editPreferences(podcast.id, { notify: true })
  await publishAndRefresh({ title: 'Fog' })
  for (const user of [root, other]) expect(await bellOf(user)).toEqual(['NewEpisodes Lighthouse Radio'])
  expect(await bellOf(fan)).toEqual([])
  for (const user of [fan, other]) await user.podcasts.editPreferences(podcast.id, { notify: null })
  await publishAndRefresh({ title: 'Lamp' })
  expect((await bellOf(fan)).length).toBe(1)
  expect((await bellOf(other)).length).toBe(1)
  expect((await bellOf(root)).length).toBe(2)
})

test('an episode that is downloaded automatically is announced once, when its download is complete', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  const { root, podcast, publishAndRefresh } = await addPodcast(app, host, { autoDownload: true })
  const [fan, other] = [await app.signUp('fan'), await app.signUp('other')]
  await fan.podcasts.favour(podcast.id, true)
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  host.on('/fog.mp3', async () => {
    await isReleased
    return new Response(silentMp3(1) as BodyInit, { headers: { 'Content-Type': 'audio/mpeg' } })
  })
  await publishAndRefresh({ title: 'Fog', enclosure: `${host.origin}/fog.mp3`, date: new Date(clock()).toUTCString() })
  for (const user of [root, fan, other]) expect(await bellOf(user)).toEqual([])
  release()
  await endDownloads(app, clock)
  for (const user of [root, fan]) expect(await bellOf(user)).toEqual(['Download Fog'])
  expect(await bellOf(other)).toEqual([])
})

test('a user who requests a download is notified when it ends, and nobody else is', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  const items = [{ title: 'Fog', enclosure: host.file('/a.mp3', silentMp3(2)) }]
  const { root, podcast, eidOf } = await addPodcast(app, host, { items })
  const [fan, uma, ulf] = [
    await app.signUp('fan'),
    await app.signUp('uma', 'uploader'),
    await app.signUp('ulf', 'uploader'),
  ]
  await fan.podcasts.favour(podcast.id, true)
  const origin = app.listen()
  const hers = await connect(origin, { Authorization: uma.authorization! })
  const others = await connect(origin, { Authorization: fan.authorization! })
  await app.context.downloads.pauseAll()
  for (const user of [uma, ulf]) await user.episodes.download(await eidOf('Fog'))
  app.context.downloads.resumeAll()
  const { notification } = await hers.frame('notification')
  expect(notification).toMatchObject({
    typeOfMessage: 'Download',
    message: 'Fog',
    status: 'unread',
    podcastId: podcast.id,
  })
  await endDownloads(app, clock)
  for (const user of [uma, ulf]) expect(await bellOf(user)).toEqual(['Download Fog'])
  for (const user of [fan, root]) expect(await bellOf(user)).toEqual([])
  expect(others.frames.filter(({ type }) => type === 'notification')).toEqual([])

  const [{ id } = { id: '' }] = await uma.notifications.unread()
  expect(await refusal(ulf.notifications.dismiss(id))).toMatchObject({ status: 404, code: 'notification-not-found' })
  await uma.notifications.dismiss(id)
  await uma.notifications.dismiss(id)
  expect(await bellOf(uma)).toEqual([])
  expect(await bellOf(ulf)).toHaveLength(1)
  for (const { socket } of [hers, others]) socket.close()
})

test('a user who requests an automatic download is notified as well, and nobody twice', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  const { root, publishAndRefresh, eidOf } = await addPodcast(app, host, { autoDownload: true })
  const uma = await app.signUp('uma', 'uploader')
  await app.context.downloads.pauseAll()
  const enclosure = host.file('/fog.mp3', silentMp3(1))
  await publishAndRefresh({ title: 'Fog', enclosure, date: new Date(clock()).toUTCString() })
  for (const user of [uma, root]) await user.episodes.download(await eidOf('Fog'))
  app.context.downloads.resumeAll()
  await endDownloads(app, clock)
  for (const user of [uma, root]) expect(await bellOf(user)).toEqual(['Download Fog'])
})

test('episodes published or downloaded together share one notice, and the first downloads of a podcast are quiet', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  const item = (title: string) => ({
    guid: title,
    title,
    enclosure: host.file(`/${title}.mp3`, silentMp3(1)),
    date: new Date(clock()).toUTCString(),
  })
  const first = ['a', 'b', 'c'].map(item)
  const { root, publishAndRefresh } = await addPodcast(app, host, { autoDownload: true, prefill: 2, items: first })
  await endDownloads(app, clock)
  expect(await bellOf(root)).toEqual([])
  clock.advance(1000)
  await publishAndRefresh(item('d'), item('e'), item('f'))
  await endDownloads(app, clock)
  expect(await bellOf(root)).toEqual(['Download Lighthouse Radio × 3'])
  app.context.store.settings.edit({ autoDownload: false })
  clock.advance(1000)
  await publishAndRefresh(item('g'), item('h'))
  clock.advance(1000)
  await publishAndRefresh(item('i'))
  expect((await bellOf(root)).slice(0, 2)).toEqual(['NewEpisodes Lighthouse Radio', 'NewEpisodes Lighthouse Radio × 2'])
})

test('hidden explicit episodes are neither announced nor counted', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  const { podcast, publishAndRefresh } = await addPodcast(app, host)
  const [fan, withoutConsent] = [await app.signUp('fan', 'user', true), await app.signUp('without-consent')]
  for (const user of [fan, withoutConsent]) await user.podcasts.favour(podcast.id, true)
  await publishAndRefresh({ title: 'Rum', extra: explicit })
  expect([await bellOf(fan), await bellOf(withoutConsent)]).toEqual([['NewEpisodes Lighthouse Radio'], []])
  await publishAndRefresh({ title: 'Gin', extra: explicit }, { title: 'Tea' }, { title: 'Milk' })
  expect((await bellOf(fan))[0]).toBe('NewEpisodes Lighthouse Radio × 3')
  expect(await bellOf(withoutConsent)).toEqual(['NewEpisodes Lighthouse Radio × 2'])
})

test('a notice about an explicit podcast is hidden from a user whose consent was withdrawn', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  const { root, podcast, id } = await addPodcast(app, host)
  const fan = await app.signUp('fan', 'user', true)
  await fan.podcasts.favour(podcast.id, true)
  host.feed('/feed.xml', rss({ extra: explicit, items: [{ guid: 'b' }, { guid: 'a' }] }))
  await app.context.refresh.refresh(id)
  expect(await bellOf(fan)).toHaveLength(1)
  await root.users.change('fan', { role: 'user', explicitConsent: false })
  expect(await bellOf(fan)).toEqual([])
})

test('a failed download notifies admins once per episode, and the requester every time', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  const items = [{ title: 'Gone', enclosure: `${host.origin}/gone.mp3` }]
  const { root, eidOf } = await addPodcast(app, host, { items })
  const uma = await app.signUp('uma', 'uploader')
  for (const times of [1, 2]) {
    await uma.episodes.download(await eidOf('Gone'))
    await endDownloads(app, clock)
    expect(await bellOf(root)).toEqual(['DownloadFailed Gone'])
    expect(await bellOf(uma)).toEqual(Array.from({ length: times }, () => 'DownloadFailed Gone'))
  }
  // Resuming counts as requesting, too.
  const { items: failed } = (await root.downloads.page(null)).data
  await root.downloads.resume(failed[0]!.id)
  await endDownloads(app, clock)
  expect([await bellOf(root), await bellOf(uma)].map(bell => bell.length)).toEqual([2, 2])
})

test('an episode whose automatic download fails or is cancelled is announced as published', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  const { root, podcast, id, publishAndRefresh } = await addPodcast(app, host, { autoDownload: true })
  const fan = await app.signUp('fan')
  await fan.podcasts.favour(podcast.id, true)
  const date = () => new Date(clock()).toUTCString()
  await publishAndRefresh({ title: 'Gone', enclosure: `${host.origin}/gone.mp3`, date: date() })
  await endDownloads(app, clock)
  expect(await bellOf(fan)).toEqual(['NewEpisodes Lighthouse Radio'])
  // Root was already notified of the episode, by the failure.
  expect(await bellOf(root)).toEqual(['DownloadFailed Gone'])

  // A refused download has its feed read again: the next reading is to be one of its own.
  await app.context.refresh.refresh(id)
  await app.context.downloads.pauseAll()
  await publishAndRefresh({ title: 'Fog', enclosure: `${host.origin}/fog.mp3`, date: date() })
  const queued = (await root.downloads.page(null)).data.items.find(({ state }) => state === 'queued')
  await root.downloads.cancel(queued!.id)
  expect(await bellOf(fan)).toEqual(['NewEpisodes Lighthouse Radio', 'NewEpisodes Lighthouse Radio'])
})

test('an edited episode, a moved feed and another `sendDue` announce nothing again', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  const { root, podcast, id, publish } = await addPodcast(app, host, { autoDownload: true })
  const date = new Date(clock()).toUTCString()
  const fog = { title: 'Fog', enclosure: host.file('/fog.mp3', silentMp3(1)), date }
  publish(fog)
  await app.context.refresh.refresh(id)
  await endDownloads(app, clock)
  expect(await bellOf(root)).toEqual(['Download Fog'])
  const edited = rss({ items: [{ ...fog, guid: 'Fog', title: 'Fog, corrected' }] })
  host.feed('/feed.xml', edited)
  await app.context.refresh.refresh(id)
  await root.podcasts.changeFeed(podcast.id, host.feed('/moved.xml', edited))
  host.on('/moved.xml', () => Response.redirect(host.feed('/elsewhere.xml', edited), 301))
  await app.context.refresh.refresh(id)
  app.context.notifications.sendDue()
  await endDownloads(app, clock)
  expect(await bellOf(root)).toEqual(['Download Fog'])
})

test('episodes stored before the server was killed are announced once after the restart', async () => {
  using host = startFeedHost()
  const clock = startClock()
  const folder = temporaryFolder()
  {
    await using app = await startTestApp({ env: withPasswords, now: clock, folder })
    const { podcast, publish, id } = await addPodcast(app, host)
    // The second thread has stored the episodes, but the server died before anyone was notified.
    const { store } = app.context
    publish({ title: 'Fog' }, { title: 'Wind' })
    const body = new Uint8Array(await (await fetch(podcast.rssfeed)).arrayBuffer())
    const tasks = createTasks(() => store)
    const read = await tasks.digestFeed(
      { body, contentType: '', contentEncoding: '', address: podcast.rssfeed, maxBytes: 1e6, podcastId: id },
      1,
    )
    if (!read.ok) throw new Error(read.reason)
    const validators = { etag: null, lastModified: null, digest: null }
    await tasks.applyDigests({ podcastId: id, digestIds: [read.summary.digestId], validators, now: clock() }, 2)
    expect(await bellOf(app.as('root', 'Sup3rSecret'))).toEqual([])
  }
  for (let start = 0; start < 2; start++) {
    await using app = await startTestApp({ env: withPasswords, now: clock, folder })
    app.context.notifications.recover()
    app.context.notifications.sendDue()
    expect(await bellOf(app.as('root', 'Sup3rSecret'))).toEqual(['NewEpisodes Lighthouse Radio × 2'])
  }
})

test('dismissed notices are removed after 30 days, unread ones never', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ env: withPasswords, now: clock })
  const { root, publishAndRefresh } = await addPodcast(app, host)
  const { notifications, store } = app.context
  const ids = () => [1, 2].filter(id => store.notifications.find(id))
  await publishAndRefresh({ title: 'Fog' })
  const [notice] = await root.notifications.unread()
  await root.notifications.dismiss(notice!.id)
  await publishAndRefresh({ title: 'Rain' })
  clock.advance(30 * DAY)
  await notifications.removeOld()
  expect(ids()).toEqual([1, 2])
  clock.advance(1)
  await notifications.removeOld()
  expect(ids()).toEqual([2])
})

test('episodes from a refresh that a kill interrupted are announced at the next start, not before', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: withPasswords })
  const { root, id } = await addPodcast(app, host)
  const { notifications, store } = app.context
  const [episode] = store.episodes.knownOf(id)
  store.announcements.add(episode!.id, 'reading')
  notifications.sendDue()
  expect(await bellOf(root)).toEqual([])
  notifications.recover()
  notifications.sendDue()
  expect(await bellOf(root)).toEqual(['NewEpisodes Lighthouse Radio'])
})
