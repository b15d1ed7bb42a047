import { expect, test } from 'bun:test'
import { packDocument } from '../../../src/server/store/documents'
import { refusal, startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { encode } from '../../support/encode'
import { startFeedHost } from '../../support/feed-host'

const vtt = (words: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${words}`
const srt = (words: string) => `1\n00:00:01,000 --> 00:00:02,000\n${words}`

async function plant(transcripts: string) {
  const host = startFeedHost()
  const app = await startTestApp()
  app.prefill(0)
  host.on('/en.vtt', () => new Response(vtt('Ahoy')))
  host.on('/de.srt', () => new Response(srt('Moin')))
  host.on('/page.vtt', () => new Response('<!DOCTYPE html><html><body>Not here</body></html>'))
  const extra = transcripts.replaceAll('@', host.origin)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{ extra }] })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const { id } = data[0]!.podcastEpisode
  return { app, id, [Symbol.asyncDispose]: async () => void (await app[Symbol.asyncDispose](), host[Symbol.dispose]()) }
}

test("a transcript can be read in any of its languages, the podcast's first", async () => {
  await using planted = await plant(`<podcast:transcript url="@/de.srt" type="application/x-subrip" language="de"/>
    <podcast:transcript url="@/en.vtt" type="text/vtt" language="en"/>`)
  const { app, id } = planted
  const words = async (language?: string) => (await app.episodes.transcript(id, language)).segments[0]!.text
  expect([await words(), await words('de'), await words('EN')]).toEqual(['Ahoy', 'Moin', 'Ahoy'])
  // The words of both are found, each where it was said.
  await app.context.indexer.run()
  for (const word of ['Ahoy', 'Moin'])
    expect(await app.search.said(word)).toMatchObject([{ hits: [{ startMs: 1000 }] }])
  expect(await refusal(app.episodes.transcript(id, 'fr'))).toMatchObject({ code: 'transcript-not-found' })
})

test('where the best transcript cannot be understood, the next is shown, and the first says why', async () => {
  await using planted = await plant(`<podcast:transcript url="@/page.vtt" type="text/vtt"/>
    <podcast:transcript url="@/de.srt" type="application/x-subrip"/>
    <podcast:transcript url="@/gone.txt" type="application/x-unknown"/>`)
  const { app, id } = planted
  expect((await app.episodes.transcript(id)).segments).toMatchObject([{ text: 'Moin' }])
  expect(await app.episodes.transcripts(id)).toMatchObject([
    { status: 'failed', cause: 'other:html', error: 'Expected a transcript, got an HTML page' },
    { status: 'parsed', cause: null },
    { status: 'pending', cause: null },
  ])
  const { store, texts } = app.context
  const published = await texts.publishedTranscriptOf(store.episodes.find(store.episodes.knownOf(1)[0]!.id)!)
  expect(published).toMatchObject({ type: 'application/x-subrip', state: 'parsed' })
})

test('a type that is not known is fetched as well, and a chapter file says why it is none', async () => {
  await using planted = await plant(`<podcast:transcript url="@/gone.txt" type="application/x-unknown"/>
    <podcast:chapters url="@/page.vtt" type="application/json+chapters"/>`)
  const { app, id } = planted
  expect(await refusal(app.episodes.transcript(id))).toMatchObject({ code: 'transcript-not-found' })
  expect(await app.episodes.transcripts(id)).toMatchObject([{ status: 'failed', cause: 'status:404' }])
  expect(await app.episodes.chapters(id)).toEqual([])
  expect(await app.episodes.chapterFiles(id)).toEqual([
    { status: 'failed', cause: 'other:html', error: 'Expected a chapter file, got an HTML page' },
  ])
})

test('captions of a video are served as WebVTT, whatever they are written in', async () => {
  await using planted = await plant(`<podcast:transcript url="@/de.srt" type="application/x-subrip" rel="captions"/>
    <podcast:transcript url="@/en.vtt" type="text/html"/>`)
  const { app, id } = planted
  const [captions, transcript] = await app.episodes.transcripts(id)
  expect(transcript!.captions).toBeNull()
  const served = await app.fetch(new URL(captions!.captions!).pathname)
  expect(served.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  expect(await served.text()).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nMoin\n')
})

test('where the feed names no captions, every transcript with times serves as captions', async () => {
  await using planted = await plant(`<podcast:transcript url="@/de.srt" type="application/x-subrip"/>
    <podcast:transcript url="@/en.txt" type="text/plain"/><podcast:transcript url="@/page.html" type="text/html"/>`)
  const { app, id } = planted
  const [timed, ...others] = await app.episodes.transcripts(id)
  expect(others.map(({ captions }) => captions)).toEqual([null, null])
  const served = await app.fetch(new URL(timed!.captions!).pathname)
  expect(await served.text()).toContain('00:00:01.000 --> 00:00:02.000\nMoin')
})

test('a transcript that an earlier version read by its label is read again from what is stored', async () => {
  await using planted = await plant('<podcast:transcript url="@/en.vtt" type="text/vtt"/>')
  const { app, id } = planted
  await app.episodes.transcript(id)
  const { store, texts } = app.context
  const [row] = store.documents.of(store.episodes.knownOf(1)[0]!.id, 'transcript')
  const segments = [{ startMs: 0, endMs: null, speaker: null, text: 'J\uFFFDai' }]
  const keep = (body: Uint8Array) =>
    store.documents.keep(row!.id, { ...packDocument(body, segments), format: null as never }, 7)
  keep(encode(vtt('J’ai dit “bonjour”'), 'windows-1252'))
  await texts.fetchDue()
  expect((await app.episodes.transcript(id)).segments).toMatchObject([{ startMs: 1000, text: 'J’ai dit “bonjour”' }])
  expect(store.documents.of(row!.episode_id, 'transcript')).toMatchObject([{ format: 'vtt', fetched_at: 7 }])

  keep(Buffer.from('%PDF'))
  await texts.fetchDue()
  expect((await app.episodes.transcript(id)).segments).toMatchObject([{ text: 'J\uFFFDai' }])
  expect(store.documents.readByLabel(10)).toEqual([])
})
