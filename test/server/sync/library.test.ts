import { expect, test } from 'bun:test'
import { refusal, startTestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { appOf, play, startLibrary, textOf } from '../../support/podcast-app'

test('what an app told before the library had the feed counts once it has', async () => {
  await using running = await startLibrary()
  const { host, phone, root } = running
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const feed = host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure, duration: '600' }] }))
  await phone.subscribe('phone', [feed])
  await phone.upload([play(120, { podcast: feed, episode: enclosure, guid: 'one' })])
  expect(await root.podcasts.available()).toEqual([{ device: 'phone', podcast: feed }])
  const podcast = await root.podcasts.add(feed)
  expect(await root.podcasts.available()).toEqual([])
  const [episode] = (await root.podcasts.episodes(podcast.id, {}, null)).data
  expect(episode!.podcastHistoryItem).toMatchObject({ position: 120, total: 600, finished: false })
})

test('phone and browser have one position: the newest counts, finished is finished, and it is told at once', async () => {
  await using running = await startLibrary()
  const { app, host, now, phone, root } = running
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const feed = host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure, duration: '600' }] }))
  const podcast = await root.podcasts.add(feed)
  const episode = async () => (await root.podcasts.episodes(podcast.id, {}, null)).data[0]!
  const podcastEpisodeId = (await episode()).podcastEpisode.episode_id
  await phone.subscribe('phone', [feed])

  now.advance(60_000)
  const since = Math.floor(now() / 1000)
  await root.playback.save({ podcastEpisodeId, time: 300, total: 600 })
  await root.playback.save({ podcastEpisodeId, time: 330, total: 600 })
  const { actions } = await phone.received(`since=${since}`)
  const played = { podcast: feed, episode: enclosure, guid: 'one', action: 'play', device: 'castellan' }
  expect(actions).toEqual([{ ...played, timestamp: textOf(now()), started: 0, position: 330, total: 600 }])
  // An older report changes nothing; a newer one does, and reaches the browser.
  await phone.upload([play(200, { podcast: feed, episode: enclosure, timestamp: '2026-05-01T09:00:00' })])
  expect((await episode()).podcastHistoryItem).toMatchObject({ position: 330 })
  now.advance(60_000)
  await phone.upload([play(600, { podcast: feed, episode: enclosure, timestamp: undefined })])
  await app.event('progress', ({ finished, device }) => finished && device === 'phone')
  expect((await episode()).podcastHistoryItem).toMatchObject({ position: 600, finished: true })
  expect((await root.timeline.page({ notListened: true }, null)).data.data).toEqual([])
})

test('an app gets a length with each position of the library, since it takes one without for the end', async () => {
  await using running = await startLibrary()
  const { host, phone, root } = running
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const feed = host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure }] }))
  const podcast = await root.podcasts.add(feed)
  const { podcastEpisode } = (await root.podcasts.episodes(podcast.id, {}, null)).data[0]!
  const podcastEpisodeId = podcastEpisode.episode_id
  await phone.subscribe('phone', [feed])
  for (const [time, total] of [
    [45, 3600],
    [4000, 4001],
  ] as const) {
    await root.playback.save({ podcastEpisodeId, time })
    expect((await phone.received()).actions).toMatchObject([{ started: 0, position: time, total }])
    expect(await phone.toldByCloud()).toMatchObject([{ started: 0, position: time, total }])
  }
})

test('the library is one more device: what somebody favours reaches his phone, and what he leaves there stays in the library', async () => {
  await using running = await startLibrary()
  const { app, host, root } = running
  const [one, two] = [host.feed('/one.xml', rss({ title: 'One' })), host.feed('/two.xml', rss({ title: 'Two' }))]
  const first = await root.podcasts.add(one)
  const second = await root.podcasts.add(two)
  const alice = await app.signUp('alice')
  const phone = appOf(app, 'alice')
  await alice.podcasts.favour(first.id, true)
  await phone.subscribe('phone', [])
  // Not the whole household's library.
  expect((await phone.changes('phone')).json).toMatchObject({ add: [one] })
  await alice.podcasts.favour(second.id, true)
  expect((await phone.changes('phone')).json).toMatchObject({ add: [one, two] })
  await phone.subscribe('phone', [], [two])
  const names = async () => (await alice.podcasts.list()).filter(({ favorites }) => favorites).map(({ name }) => name)
  expect(await names()).toEqual(['One'])
  expect((await alice.podcasts.list()).length).toBe(2)
  await phone.subscribe('phone', [two])
  expect((await names()).sort()).toEqual(['One', 'Two'])
  // A podcast that is deleted here unsubscribes nobody's phone.
  await root.podcasts.remove(first.id, false)
  expect(await phone.list('phone')).toEqual([one, two])
})

test('devices are listed, named and removed in the settings; what they subscribe to may be added by itself', async () => {
  await using running = await startLibrary()
  const { app, host, now, phone, root } = running
  const [first, second] = [host.feed('/1.xml', rss({ title: 'One' })), host.feed('/2.xml', rss({ title: 'Two' }))]
  await phone.subscribe('phone', [first])
  await phone.changes('phone')
  expect(await root.devices.list()).toEqual([
    { id: 'phone', caption: 'New Device', type: 'other', lastSyncAt: new Date(now()).toISOString() },
  ])
  expect(await root.devices.edit('phone', { caption: 'Pixel', type: 'mobile' })).toMatchObject({ caption: 'Pixel' })
  expect(await root.devices.wishes()).toEqual({ autoAdd: false })
  await root.devices.setWishes({ autoAdd: true })
  await phone.subscribe('phone', [second])
  await app.event('addedPodcast')
  expect((await root.podcasts.list()).map(({ name }) => name)).toEqual(['Two'])
  expect(await root.podcasts.available()).toEqual([{ device: 'phone', podcast: first }])
  await root.devices.remove('phone')
  expect(await root.devices.list()).toEqual([])
  // Nobody sees, names or removes what is another's.
  const alice = await app.signUp('alice')
  expect(await alice.devices.list()).toEqual([])
  expect(await refusal(alice.devices.edit('phone', { caption: 'Mine' }))).toMatchObject({ status: 404 })
})

test('marking a podcast as played, and taking it back, reaches the phone', async () => {
  await using running = await startLibrary()
  const { host, now, phone, root } = running
  const items = [
    { title: 'One', duration: '600' },
    { title: 'Two', duration: '300' },
  ]
  const { id } = await root.podcasts.add(host.feed('/1.xml', rss({ items })))
  await phone.subscribe('phone', [])
  const { undo } = await root.podcasts.markListened(id, { finished: true })
  const positions = async () => (await phone.received()).actions.map(({ position }) => Number(position)).sort()
  expect(await positions()).toEqual([300, 600])
  now.advance(5000)
  await root.podcasts.undoListened(id, undo)
  expect(await positions()).toEqual([0, 0])
})

test('liked episodes are favourites', async () => {
  await using running = await startLibrary()
  const { host, phone, root } = running
  const feed = host.feed('/1.xml', rss({ title: 'One', items: [{ title: 'Fog' }, { title: 'Lamps' }] }))
  const { id } = await root.podcasts.add(feed)
  const [first] = (await root.podcasts.episodes(id, {}, null)).data
  await root.episodes.like(first!.podcastEpisode.id, true)
  const favourites = (await phone.call('GET', '/api/2/favorites/root.json')).json
  expect(favourites).toMatchObject([{ title: 'Fog', podcast_title: 'One', podcast_url: feed }])
})

test('where nobody signs in there is nothing to sync with', async () => {
  await using app = await startTestApp()
  expect((await app.fetch('/api/2/devices/admin.json')).status).toBe(404)
})

test('episodes are found by guid and by address, however it is spelled; finished ones leave the queue, all at once', async () => {
  await using running = await startLibrary()
  const { app, host, phone, root } = running
  const media = (name: string) => `https://cdn.example/${name}.mp3?by=feed%20er`
  const items = ['guid', 'exact', 'spelled', 'other'].map(guid => ({ guid, title: guid, enclosure: media(guid) }))
  const feed = host.feed('/feed.xml', rss({ items }))
  const podcast = await root.podcasts.add(feed)
  const { data } = await root.podcasts.episodes(podcast.id, {}, null)
  await root.queue.reorder({ items: data.map(({ podcastEpisode }) => ({ episode: podcastEpisode.id })) })
  const changes = () => app.events.filter(({ type }) => type === 'queueChanged').length
  const before = changes()

  const ended = (episode: string, more: object = {}) => play(600, { podcast: feed, episode, ...more })
  await phone.upload([
    ended('https://elsewhere.example/moved.mp3', { guid: 'guid' }),
    ended(media('exact')),
    ended(media('spelled').replace('https', 'http').replace('%20', ' ')),
    ended('https://cdn.example/unknown.mp3', { guid: 'unknown' }),
  ])
  expect((await root.queue.find()).items.map(({ podcastEpisode }) => podcastEpisode.name)).toEqual(['other'])
  expect(changes()).toBe(before + 1)
})
