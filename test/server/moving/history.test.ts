import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { HOUR } from '../../../src/server/platform/clock'
import { segmentsOf } from '../../support/segments-of'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { moreOf, reportOf } from '../../support/foreign/dump'
import { writePodfetch } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { moveIn, openWorld } from './world'

async function startMoving() {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  await app.signUp('alice')
  const { store, subscribe, admin } = app.context
  const episodeOf = async (feed: string, guid: string) => {
    const address = `${host.origin}${feed}`
    const podcast = store.podcasts.findByFeed(address) ?? (await subscribe(admin, address))
    return store.episodes.find(store.episodes.knownOf(podcast.id).find(one => one.guid === guid)!.id)!
  }
  return {
    host,
    app,
    store,
    episodeOf,
    path: writePodfetch(join(temporaryFolder(), 'copy.db'), host.origin, 'C'),
    more: () => moreOf(app.folder, host.origin),
    report: (kind: string) => reportOf(app.folder).filter(line => line.startsWith(kind)),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

const firstHour = Date.UTC(2026, 1, 1, 10) / HOUR

test('of an hour the longer listening counts: that of a later copy, or our own', async () => {
  await using world = await startMoving()
  const { store, app } = world
  const alice = store.users.findByName('alice')!
  const episode = await world.episodeOf('/alpha.xml', 'a1')
  store.listened.add(alice.id, firstHour, episode.id, episode.podcast_id, 40)
  store.listened.add(alice.id, firstHour + 1, episode.id, episode.podcast_id, 200)
  await moveIn(app, world.path)
  const own = () => world.more().listened.filter(line => line.startsWith('alice | /alpha.xml | a1'))
  expect(own()).toEqual([
    `alice | /alpha.xml | a1 | ${firstHour} | 90`,
    `alice | /alpha.xml | a1 | ${firstHour + 1} | 200`,
  ])
  const noted = store.moves.changesSince(1, 0, 1000).filter(({ kind }) => kind === 'listened')
  expect(noted.map(({ other_id, before }) => [other_id, before])).toContainEqual([
    firstHour,
    '{"seconds":40,"saved":null,"trimmed":null}',
  ])
  expect(world.report('listened')).toContain('listened present: 1')

  changeForeign(world.path, "UPDATE listening_events SET delta_seconds = 100 WHERE listened_at = '2026-02-01 10:00:10'")
  await moveIn(app, world.path)
  expect(own()[0]).toBe(`alice | /alpha.xml | a1 | ${firstHour} | 160`)
  expect(world.report('listened taken')).toEqual(['listened taken: 1'])
})

test('explicit episodes do not appear in the statistics of people who do not see them', async () => {
  await using world = await startMoving()
  world.host.feed(
    '/alpha.xml',
    `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Alpha</title>
     <item><title>Title a1</title><guid>a1</guid><itunes:explicit>true</itunes:explicit>
     <enclosure url="${world.host.origin}/a1.mp3" type="audio/mpeg"/></item></channel></rss>`,
  )
  await moveIn(world.app, world.path)
  expect(world.report('listened')).toContain('listened left-out hidden: 2')
  expect(world.more().listened.filter(line => line.includes('| a1 |'))).toEqual([])
})

test('a transcript that the server has made is shown, found and handed out', async () => {
  await using world = await startMoving()
  const { app } = world
  await moveIn(app, world.path)
  const { uuid, podcast_uuid } = await world.episodeOf('/alpha.xml', 'a1')
  expect(await app.episodes.transcript(uuid)).toMatchObject({
    source: 'generated',
    language: 'en',
    status: 'parsed',
    segments: [
      { startMs: 500, endMs: 2000, speaker: null, text: 'This is the story' },
      { startMs: 2000, endMs: 3500, speaker: 'Ann', text: 'of the <lighthouse> & the sea' },
    ],
  })
  const listed = (await (await app.fetch(`/api/v1/podcasts/episodes/${uuid}/transcripts`)).json()) as { id: string }[]
  const file = await app.fetch(`/api/v1/podcasts/episodes/${uuid}/transcripts/${listed[0]!.id}/file`)
  expect(file.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  const written = await file.text()
  expect(segmentsOf(written)).toMatchObject([
    { startMs: 500, endMs: 2000, text: 'This is the story' },
    { startMs: 2000, endMs: 3500, speaker: 'Ann', text: 'of the <lighthouse> & the sea' },
  ])
  await app.context.indexer.run()
  const found = (await (await app.fetch('/api/v1/transcripts/search?q=lighthouse')).json()) as { hits: unknown[] }[]
  expect(found).toMatchObject([{ episode: { has_transcript: true }, hits: [{ startMs: 2000 }] }])
  const { episodes } = (await app.search.find({ q: 'lighthouse' }, null)).data
  expect(episodes).toMatchObject([{ matchedIn: 'transcripts', startMs: 2000 }])
  const feed = await (await app.fetch(`/rss/${podcast_uuid}`)).text()
  expect(feed).toContain(`media/transcripts/${listed[0]!.id}.vtt`)
})

/** The feed of a1 as it names a transcript of its own. */
const withTranscript = (origin: string) =>
  `<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Alpha</title>
   <item><title>Title a1</title><guid>a1</guid><enclosure url="${origin}/a1.mp3" type="audio/mpeg"/>
   <podcast:transcript url="${origin}/a1.srt" type="application/srt"/></item></channel></rss>`

test('the transcript of the publisher goes before one that a program made, whichever came first', async () => {
  await using world = await startMoving()
  const { host, app, store } = world
  host.on('/a1.srt', () => new Response('1\n00:00:00,000 --> 00:00:01,000\nby the publisher\n'))
  await moveIn(app, world.path)
  const { id, uuid, podcast_id } = await world.episodeOf('/alpha.xml', 'a1')
  host.feed('/alpha.xml', withTranscript(host.origin))
  await app.context.refresh.refresh(podcast_id, { isAsked: true })
  expect(store.episodes.find(id)).toMatchObject({ has_generated_transcript: 1 })
  expect(await app.episodes.transcript(uuid)).toMatchObject({
    source: 'feed',
    segments: [{ text: 'by the publisher' }],
  })

  await using other = await startMoving()
  other.host.feed('/alpha.xml', withTranscript(other.host.origin))
  await moveIn(other.app, other.path)
  expect(other.report('transcripts')).toEqual([
    'transcripts left-out empty: 1',
    'transcripts present: 1',
    'transcripts taken: 1',
  ])
})

test('where the transcript of the publisher cannot be had, the other one is shown', async () => {
  await using world = await startMoving()
  const { host, app } = world
  await moveIn(app, world.path)
  host.feed('/alpha.xml', withTranscript(host.origin))
  const { uuid, podcast_id } = await world.episodeOf('/alpha.xml', 'a1')
  await app.context.refresh.refresh(podcast_id, { isAsked: true })
  expect(await app.episodes.transcript(uuid)).toMatchObject({ source: 'generated' })
})

test('a transcript that is too long is left out, and the next one comes', async () => {
  await using world = await startMoving()
  const words = "replace(hex(zeroblob(2000)), '00', 'ab')"
  changeForeign(
    world.path,
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1010)
     INSERT INTO podcast_episode_transcript_segments (transcript_id, idx, start_ms, text) SELECT 't1', i, i, ${words} FROM n`,
  )
  await moveIn(world.app, world.path)
  await world.app.context.indexer.run()
  expect(world.more().transcripts).toEqual(['/gone.xml | g1 | en | parsed | 1 | 1 | 0'])
  expect(world.report('transcripts')).toContain('transcripts left-out too-many: 1')
})

test('rules that somebody has given a podcast here stay as they are', async () => {
  await using world = await startMoving()
  const { store, app } = world
  const { podcast_id } = await world.episodeOf('/alpha.xml', 'a1')
  store.podcastSettings.keep(podcast_id, { ...store.podcastSettings.of(podcast_id), keep_last: 3 })
  await moveIn(app, world.path)
  expect(world.more().settings[0]).toBe('/alpha.xml | - | - | - | - | - | - | - | - | - | - | -')
  expect(world.report('rules')).toEqual(['rules present: 1', 'rules taken: 1'])
})
