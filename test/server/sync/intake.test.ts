import { expect, test } from 'bun:test'
import type { DomainEvents } from '../../../src/server/platform/events'
import { rss, silentMp3 } from '../../support/builders'
import { play, startLibrary } from '../../support/podcast-app'

/** A library with one podcast of one episode, 600 seconds long, whose phone is subscribed to it. */
async function startWithEpisode() {
  const running = await startLibrary()
  const { host, phone, root } = running
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const feed = host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure, duration: '600' }] }))
  const podcast = await root.podcasts.add(feed)
  await phone.subscribe('phone', [feed])
  const report = (position: number, more: object) =>
    phone.upload([play(position, { podcast: feed, episode: enclosure, guid: 'one', ...more })])
  const played = async () => (await root.info.stats({})).totalListenedSeconds
  return { ...running, feed, podcast, report, played }
}

test('playing the beginning again counts once more, also where the app reports it with the same start', async () => {
  await using running = await startWithEpisode()
  const { report, played } = running
  await report(100, { started: 0, timestamp: '2026-05-01T08:00:00' })
  await report(50, { started: 0, timestamp: '2026-05-01T08:30:00' })
  expect(await played()).toBe(150)
})

test('no report counts for more than a day of playing', async () => {
  await using running = await startWithEpisode()
  const { report, played } = running
  await report(1_000_000, { started: 0, total: 1_000_000, timestamp: '2026-05-01T08:00:00' })
  expect(await played()).toBe(86_400)
})

test('subscribing on a phone makes a podcast a favourite, and says that a phone did it', async () => {
  await using running = await startLibrary()
  const { app, host, phone, root } = running
  const feed = host.feed('/feed.xml', rss({}))
  await phone.subscribe('phone', [feed])
  const podcast = await root.podcasts.add(feed)
  const bySync = (event: DomainEvents['podcastFavoured']) => event.source === 'sync'
  expect(await app.event('podcastFavoured', bySync)).toMatchObject({ favoured: true })
  expect((await root.podcasts.find(podcast.id)).favorites).toBeTrue()
  await phone.subscribe('phone', [], [feed])
  const ended = (event: DomainEvents['podcastFavoured']) => bySync(event) && !event.favoured
  expect(await app.event('podcastFavoured', ended)).toMatchObject({ source: 'sync' })
  expect((await root.podcasts.find(podcast.id)).favorites).toBeFalse()
})

test('a phone that sends its whole list keeps what was added elsewhere in the second of its last sync', async () => {
  await using running = await startLibrary()
  const { host, phone, root } = running
  const own = host.feed('/own.xml', rss({ title: 'Own' }))
  await phone.put('phone', 'txt', `${own}\n`)
  await phone.changes('phone')
  const elsewhere = host.feed('/elsewhere.xml', rss({ title: 'Elsewhere' }))
  await root.podcasts.add(elsewhere)
  await phone.put('phone', 'txt', `${own}\n`)
  expect((await phone.list('other')).sort()).toEqual([elsewhere, own].sort())
})

test("an action whose podcast is the episode's own address counts for that episode, of all podcasts", async () => {
  await using running = await startWithEpisode()
  const { host, root, phone, report, played, podcast } = running
  await root.podcasts.add(host.feed('/other.xml', rss({ title: 'Other', items: [{}, {}] })))
  const { url } = (await root.podcasts.episodes(podcast.id, {}, null)).data[0]!.podcastEpisode
  await report(120, { podcast: url, guid: undefined })
  const [episode] = (await root.podcasts.episodes(podcast.id, {}, null)).data
  expect(episode!.podcastHistoryItem).toMatchObject({ position: 120 })
  expect(await played()).toBe(120)
  // Other apps hear of the feed.
  expect((await phone.received()).actions).toMatchObject([{ podcast: running.feed, episode: url, position: 120 }])
})

test('such an action counts once the library has the episode, and not for an address that is no episode of it', async () => {
  await using running = await startLibrary()
  const { host, phone, root } = running
  const enclosure = host.file('/one.mp3', silentMp3(3))
  const feed = host.feed('/feed.xml', rss({ items: [{ guid: 'one', enclosure, duration: '600' }] }))
  for (const address of [enclosure, `${host.origin}/another.mp3`])
    await phone.upload([play(90, { podcast: address, episode: address })])
  const podcast = await root.podcasts.add(feed)
  const [episode] = (await root.podcasts.episodes(podcast.id, {}, null)).data
  expect(episode!.podcastHistoryItem).toMatchObject({ position: 90 })
})
