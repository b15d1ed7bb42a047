import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { frameOf } from '../../../src/server/http/api/frames'
import { startClock, startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost, type FeedHost } from '../../support/feed-host'
import { paintSquare } from '../../support/paint-square'
import { openBeside } from '../../support/other-writer'

const DAY = 86_400_000
const redPicture = paintSquare(() => [200, 30, 30])
const bluePicture = paintSquare(() => [30, 60, 190])

const picture = (host: FeedHost, path: string, bytes: Uint8Array<ArrayBuffer>) =>
  host.on(path, () => new Response(bytes))

async function startWithCovers(options: Parameters<typeof startTestApp>[0] = {}) {
  const host = startFeedHost()
  const app = await startTestApp(options)
  app.prefill(0)
  const image = picture(host, '/red.png', redPicture)
  const own = picture(host, '/blue.png', bluePicture)
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ image, items: [{ image: own }, {}] })))
  await app.context.covers.fetchDue()
  const episodes = async () => (await app.podcasts.episodes(id, {}, null)).data.map(item => item.podcastEpisode)
  return {
    host,
    app,
    id,
    episodes,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host[Symbol.dispose]()
    },
  }
}

/** Changes the colours behind the back of the server, as an older version left them or to recognise them again. */
function paintOver(folder: string, color: string | null) {
  using db = openBeside(join(folder, 'castellan.db'))
  db.query('UPDATE cover SET color = ?').run(color)
}

test('a podcast has the colour of its cover, an episode that of its own picture once that is here', async () => {
  await using here = await startWithCovers()
  expect((await here.app.podcasts.find(here.id)).coverColor).toBe('#c81e1e')
  expect((await here.app.podcasts.list())[0]!.coverColor).toBe('#c81e1e')
  expect((await here.episodes()).map(episode => episode.coverColor)).toEqual(['#c81e1e', '#c81e1e'])

  const withOwn = (await here.episodes()).find(episode => episode.image_url.endsWith('/blue.png'))
  await here.app.fetch(`/covers/episodes/${withOwn!.id}?size=64`)
  const colors = (await here.episodes()).map(episode => [episode.image_url.split('/').at(-1), episode.coverColor])
  expect(Object.fromEntries(colors)).toEqual({ 'blue.png': '#1e3cbe', 'red.png': '#c81e1e' })
})

test('the frame that announces a cover carries its colour', async () => {
  await using here = await startWithCovers()
  const event = await here.app.event('coverStored')
  const viewer = { id: 1, explicit_consent: 1, role: 'user' as const }
  const links = { base: '/', key: null, feedKey: null }
  const frame = frameOf({ type: 'coverStored', ...event }, here.app.context.store, viewer, links)
  expect(frame).toMatchObject({ type: 'refreshedPodcast', podcast: { coverColor: '#c81e1e' } })
})

test('the same picture is not examined again when it is fetched anew', async () => {
  const clock = startClock()
  await using here = await startWithCovers({ now: clock })
  paintOver(here.app.folder, '#123456')
  clock.advance(8 * DAY)
  await here.app.context.covers.fetchDue()
  expect(here.host.requestsTo('/red.png')).toHaveLength(2)
  expect((await here.app.podcasts.find(here.id)).coverColor).toBe('#123456')
})

test('covers of a library from before get their colours later, and those that cannot be read stay without', async () => {
  await using here = await startWithCovers()
  paintOver(here.app.folder, null)
  expect((await here.app.podcasts.find(here.id)).coverColor).toBeNull()
  await here.app.context.covers.findColors()
  expect((await here.app.podcasts.find(here.id)).coverColor).toBe('#c81e1e')

  paintOver(here.app.folder, null)
  const { store, covers } = here.app.context
  const podcast = store.podcasts.findByFeed(`${here.host.origin}/feed.xml`)!
  await Bun.write((await covers.find(podcast.id, podcast.image_url!, null))!.path, 'no picture')
  await covers.findColors()
  expect((await here.app.podcasts.find(here.id)).coverColor).toBeNull()
  expect(store.covers.listColorless(9)).toEqual([])
})

test('a cover that cannot be decoded to its end stays a cover without a colour', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const image = picture(host, '/cut.png', redPicture.slice(0, 60))
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ image, items: [{}] })))
  await app.context.covers.fetchDue()
  expect((await app.podcasts.find(id)).coverColor).toBeNull()
  expect((await app.fetch(`/covers/podcasts/${id}`)).headers.get('etag')).not.toBe('"built-in"')
})
