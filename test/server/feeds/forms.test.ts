import { existsSync } from 'node:fs'
import { expect, test } from 'bun:test'
import { refusal, startClock, startTestApp, type TestApp } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { fileOf, MINUTE, parts, sha } from '../../support/downloads'
import { serveBytes, startFeedHost, type FeedHost } from '../../support/feed-host'

const sri = (bytes: Uint8Array) => `sha384-${new Bun.CryptoHasher('sha384').update(bytes).digest('base64')}`
const main = noise(300_000) as Uint8Array<ArrayBuffer>
const small = noise(100_000, 7) as Uint8Array<ArrayBuffer>

/** A podcast of one episode with a smaller form, whose first source is away, and a form as video. */
async function withForms(app: TestApp, host: FeedHost, integrity = sri(small)) {
  app.prefill(0)
  host.on('/small-away.opus', () => new Response('away', { status: 404 }))
  const extra = `<podcast:alternateEnclosure type="audio/opus" length="100000" bitrate="32000" lang="en" title="Low bandwidth" rel="low" codecs="opus" default="false">
<podcast:source uri="ipfs://QmdwGqd3d2gFPGeJNLLCshdiPert45fMu84552Y4XHTy4y"/><podcast:source uri="${host.origin}/small-away.opus" contentType="audio/opus"/>
<podcast:source uri="${host.file('/small.opus', small, { type: 'audio/ogg' })}" contentType="audio/ogg"/>
<podcast:integrity type="sri" value="${integrity}"/></podcast:alternateEnclosure>
<podcast:alternateEnclosure type="video/mp4" length="9000000" height="720" title="Video"><podcast:source uri="https://cdn.example/v.mp4"/><podcast:integrity type="pgp-signature" value="${'x'.repeat(5000)}"/></podcast:alternateEnclosure>`
  const item = {
    title: 'Fog',
    enclosure: host.on('/media/a.mp3', request => serveBytes(request, main, 'audio/mpeg', '"v1"')),
    length: 300_000,
    extra,
  }
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [item] })))
  const { data } = await app.podcasts.episodes(id, {}, null)
  return { id, eid: data[0]!.podcastEpisode.episode_id, listed: data[0]! }
}
const formsOf = async (app: TestApp, eid: string) => (await app.episodes.find(eid)).extras.forms!
const bodyOf = async (app: TestApp, address: string) => {
  const { pathname, search } = new URL(address)
  return new Uint8Array(await (await app.fetch(pathname + search)).arrayBuffer())
}

test('the forms of an episode are read, shown with it alone, streamed from a source that answers, and published again', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { id, eid, listed } = await withForms(app, host)
  expect(JSON.stringify(listed)).not.toContain('forms')

  const forms = await formsOf(app, eid)
  expect(forms).toEqual([
    {
      id: expect.stringMatching(/^\w+$/),
      type: 'audio/opus',
      title: 'Low bandwidth',
      language: 'en',
      codecs: 'opus',
      rel: 'low',
      size: 100_000,
      bitrate: 32_000,
      isDefault: false,
      integrity: 'sri',
      local_url: expect.stringContaining(`/media/${eid}.`),
      isFile: false,
    },
    {
      id: expect.any(String),
      type: 'video/mp4',
      title: 'Video',
      size: 9_000_000,
      height: 720,
      isDefault: false,
      integrity: 'pgp-signature',
      local_url: expect.any(String),
      isFile: false,
    },
  ])
  expect(await bodyOf(app, forms[0]!.local_url)).toEqual(small)
  expect(host.requestsTo('/small-away.opus')).toHaveLength(1)
  const missing = await app.fetch(`/media/${eid}.mp3?form=none`)
  expect(new Uint8Array(await missing.arrayBuffer())).toEqual(main)

  const feed = await (await app.fetch(`/rss/${id}`)).text()
  expect(feed).toContain(
    `<podcast:alternateEnclosure type="audio/opus" length="100000" bitrate="32000" lang="en" title="Low bandwidth" rel="low" codecs="opus"><podcast:source uri="${forms[0]!.local_url}" contentType="audio/opus"/><podcast:integrity type="sri" value="${sri(small)}"/>`,
  )
})

test('a download takes the next source where one is away, and is checked by its digest', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  const { eid } = await withForms(app, host)
  const [form] = await formsOf(app, eid)
  await app.episodes.download(eid, form!.id)
  await app.event('downloadProgress', ({ state }) => state === 'waiting')
  clock.advance(MINUTE)
  app.context.downloads.pump()
  await app.event('downloadFinished')
  expect(host.requests.map(({ path }) => path).filter(path => path !== '/feed.xml')).toEqual([
    '/small-away.opus',
    '/small.opus',
  ])
  const { podcastEpisode, extras } = await app.episodes.find(eid)
  expect(podcastEpisode).toMatchObject({ status: true, file_size: 100_000 })
  expect(extras.forms![0]).toMatchObject({ isFile: true })
  expect(sha(await bodyOf(app, podcastEpisode.local_url))).toBe(sha(small))
})

test('a file with another digest than the feed states is not kept', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { eid } = await withForms(app, host, sri(main))
  const url = host.file('/small-away.opus', small, { type: 'audio/ogg' })
  expect(url).toBeTruthy()
  const [form] = await formsOf(app, eid)
  await app.episodes.download(eid, form!.id)
  const failed = await app.event('downloadProgress', ({ errorCode }) => errorCode !== null)
  expect(failed).toMatchObject({ errorCode: 'integrity-mismatch' })
  expect(parts(app)).toEqual([])
  expect(existsSync(fileOf(app))).toBe(false)
  expect((await app.downloads.page(null)).data.items[0]).toMatchObject({
    errorCode: 'integrity-mismatch',
    message: expect.stringContaining('not the one that the feed describes'),
  })
})

test('the file that is here stays until the form that replaces it has arrived', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { eid } = await withForms(app, host, sri(main))
  host.file('/small-away.opus', small, { type: 'audio/ogg' })
  const arrived = app.event('downloadFinished')
  await app.episodes.download(eid)
  await arrived
  await app.context.downloads.settled()
  const [form] = await formsOf(app, eid)
  await app.episodes.download(eid, form!.id)
  await app.event('downloadProgress', ({ errorCode }) => errorCode === 'integrity-mismatch')
  expect((await app.episodes.find(eid)).podcastEpisode).toMatchObject({ status: true, file_size: main.byteLength })
  expect(sha(await Bun.file(fileOf(app)).arrayBuffer())).toBe(sha(main))
})

test("a podcast's settings choose the form of its downloads", async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { id, eid } = await withForms(app, host)
  host.file('/small-away.opus', small, { type: 'audio/ogg' })
  expect(await app.podcasts.editSettings(id, { preferredForm: 'smallest' })).toMatchObject({
    preferredForm: 'smallest',
  })
  await app.episodes.download(eid)
  await app.event('downloadFinished')
  const { podcastEpisode, extras } = await app.episodes.find(eid)
  expect(podcastEpisode).toMatchObject({ status: true, file_size: 100_000 })
  expect(extras.forms![0]).toMatchObject({ isFile: true })
  expect(await bodyOf(app, podcastEpisode.local_url)).toEqual(small)
  expect(sha(await bodyOf(app, `${podcastEpisode.local_url}?form=main`))).toBe(sha(main))

  await app.episodes.download(eid, 'main')
  await app.event('downloadFinished', () => app.events.filter(({ type }) => type === 'downloadFinished').length === 2)
  expect((await app.episodes.find(eid)).extras.forms![0]).toMatchObject({ isFile: false })
  expect(sha(await bodyOf(app, podcastEpisode.local_url))).toBe(sha(main))
  expect(await refusal(app.episodes.download(eid, 'other'))).toMatchObject({ code: 'invalid-field' })
})

test('hostile forms are bounded', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const source = (index: number) => `<podcast:source uri="https://cdn.example/${index}.opus"/>`
  const sources = Array.from({ length: 60 }, (_, index) => source(index)).join('')
  const form = (index: number) =>
    `<podcast:alternateEnclosure type="${'a'.repeat(9000)}" title="${'t'.repeat(9000)}">${source(index)}${sources}<podcast:integrity type="sri" value="${'v'.repeat(9000)}"/></podcast:alternateEnclosure>`
  const extra = Array.from({ length: 30 }, (_, index) => form(index)).join('')
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ extra }] })))
  const { data } = await app.podcasts.episodes(id, {}, null)
  const forms = await formsOf(app, data[0]!.podcastEpisode.episode_id)
  expect(forms).toHaveLength(20)
  expect(forms[0]!.title).toHaveLength(200)
  expect(forms[0]!.integrity).toBeUndefined()
  expect(app.context.store.episodes.findByEid(data[0]!.podcastEpisode.episode_id)!.extras!.length).toBeLessThan(40_000)
})
