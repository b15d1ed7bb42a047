import { expect, test } from 'bun:test'
import { rss, silentMp3 } from '../../support/builders'
import { refusal, startClock, startTestApp } from '../../support/app'
import { serveBytes, startFeedHost } from '../../support/feed-host'

const DAY = 24 * 60 * 60 * 1000

test('an episode whose address went to a newer one says so, keeps its file, and plays nothing else', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(1)
  const recordings = new Map([3, 4, 5].map(number => [number, silentMp3(number)]))
  let newest = 4
  const enclosure = host.on('/newscast.mp3', request =>
    serveBytes(request, recordings.get(newest)!, 'audio/mpeg', `"${newest}"`),
  )
  const feed = host.on('/feed.xml', () => {
    const items = [newest, newest - 1].map(number => ({
      guid: `news-${number}`,
      title: `News ${number}`,
      date: new Date(clock() - (newest - number) * DAY).toUTCString(),
      enclosure,
      length: recordings.get(number)?.byteLength ?? 0,
    }))
    return new Response(rss({ items }))
  })
  const podcast = await app.podcasts.add(feed)
  await app.event('downloadFinished')
  const episodes = async () =>
    (await app.podcasts.episodes(podcast.id, {}, null)).data.map(({ podcastEpisode }) => podcastEpisode)
  const mediaOf = (eid: string) => app.fetch(`/media/${eid}.mp3`)

  const [four, three] = await episodes()
  expect(four).toMatchObject({ name: 'News 4', status: true, superseded: false })
  expect(three).toMatchObject({ name: 'News 3', status: false, superseded: true })

  newest = 5
  clock.advance(DAY)
  await app.refreshDue()
  await app.context.downloads.settled()

  expect((await episodes()).map(({ name, status, superseded }) => [name, status, superseded])).toEqual([
    ['News 5', true, false],
    ['News 4', true, true],
    ['News 3', false, true],
  ])
  expect((await mediaOf(four!.episode_id)).headers.get('content-length')).toBe(String(recordings.get(4)!.byteLength))
  const gone = await mediaOf(three!.episode_id)
  expect([gone.status, await gone.json()]).toMatchObject([410, { errorCode: 'media-superseded' }])
  expect(await refusal(app.episodes.download(three!.episode_id))).toMatchObject({ code: 'media-superseded' })
  expect(await app.podcasts.downloadAll(podcast.id)).toMatchObject({ queued: 0 })
  const { feedKey } = await app.users.me()
  const feedOut = await (await app.fetch(`/rss/apiKey/${feedKey}/${podcast.id}`)).text()
  expect(feedOut.match(/<title>News \d/g)).toEqual(['<title>News 5', '<title>News 4'])
})

test('a recording that was replaced at its address before the feed says so is not kept under the old title', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  let newest = 5
  const sizeOf = (number: number) => 30_000 + number * 417
  const enclosure = host.on('/newscast.mp3', request =>
    serveBytes(request, silentMp3(10).slice(0, sizeOf(newest)), 'audio/mpeg', `"${newest}"`),
  )
  const feed = host.on('/feed.xml', () => {
    const items = [newest, newest - 1].map(number => ({
      guid: `news-${number}`,
      title: `News ${number}`,
      date: new Date(Date.UTC(2026, 3, number)).toUTCString(),
      enclosure,
      length: sizeOf(number),
    }))
    return new Response(rss({ items }))
  })
  const podcast = await app.podcasts.add(feed)
  const listed = async () =>
    (await app.podcasts.episodes(podcast.id, {}, null)).data.map(({ podcastEpisode }) => podcastEpisode)
  const [five] = await listed()

  newest = 6
  await app.episodes.download(five!.episode_id)
  await app.event('downloadProgress', ({ eid, state }) => eid === five!.episode_id && state === 'failed')
  // The feed was read again at once.
  await app.event('addedEpisodes')

  expect((await listed()).map(({ name, status, superseded }) => [name, status, superseded])).toEqual([
    ['News 6', false, false],
    ['News 5', false, true],
    ['News 4', false, true],
  ])
})
