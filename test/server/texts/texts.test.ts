import { expect, test } from 'bun:test'
import { chaptersInNotes } from '../../../src/server/feeds/parse/chapters'
import { refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3, withChapters, type ItemSpec } from '../../support/builders'
import { utf16 } from '../../support/encode'
import { startFeedHost } from '../../support/feed-host'

const vtt = `WEBVTT

1
00:00:01.000 --> 00:00:04.500 align:start
<v Mara Field>Welcome to the <i>lighthouse</i> &amp; its keeper

NOTE nobody reads this

00:01:10.000 --> 00:01:14.000
<v Tom>The foghorn was loud`

const chapterFile = JSON.stringify({
  version: '1.2.0',
  chapters: [
    { startTime: 0, title: 'Welcome' },
    { startTime: 61.5, title: 'The <b>keeper</b>', url: 'https://keeper.example/', img: '/keeper.png' },
    { startTime: 90, title: 'Hidden', toc: false },
    { startTime: 'soon', title: 'Nonsense' },
    { startTime: 120, title: 'javascript', url: 'javascript:alert(1)' },
  ],
})

async function plant(app: TestApp, host: ReturnType<typeof startFeedHost>, items: ItemSpec[]) {
  app.prefill(0)
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  return data.map(({ podcastEpisode }) => podcastEpisode)
}

test("chapters come from the feed's file, fetched when somebody looks and then kept", async () => {
  using host = startFeedHost()
  host.on('/chapters.json', () => new Response(chapterFile))
  await using app = await startTestApp()
  const [episode] = await plant(app, host, [
    {
      duration: '3:00',
      extra: `<podcast:chapters url="${host.origin}/chapters.json" type="application/json+chapters"/>`,
    },
  ])
  expect(episode!.has_chapters).toBe(true)
  const chapters = await app.episodes.chapters(episode!.id)
  expect(chapters).toMatchObject([
    { startTime: 0, endTime: 61.5, title: 'Welcome', href: null, image: null },
    { startTime: 61.5, endTime: 120, title: 'The <b>keeper</b>', href: 'https://keeper.example/' },
    { startTime: 120, endTime: 180, title: 'javascript', href: null },
  ])
  expect(chapters[1]!.image).toBe(`http://localhost/covers/chapters/${chapters[1]!.id}`)
  await app.episodes.chapters(episode!.id)
  expect(host.requestsTo('/chapters.json')).toHaveLength(1)
  const forApps = await app.fetch(`/media/chapters/${episode!.episode_id}.json`)
  expect(await forApps.json()).toMatchObject({
    version: '1.2.0',
    chapters: [{ startTime: 0, title: 'Welcome' }, {}, {}],
  })
})

test('chapters stand in the feed itself, in the audio file, or in the notes', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const file = withChapters(silentMp3(20), [
    { start: 0, end: 5000, title: 'From the file' },
    { start: 5000, end: 20_000, title: 'Second' },
  ])
  host.file('/with.mp3', file)
  const notes = '<p>0:00 Hello<br>1:30 – The storm</p><ul><li>(1:02:03) The end</li></ul>'
  const [podlove, inFile, inNotes, none] = await plant(app, host, [
    {
      notes,
      extra: `<psc:chapters xmlns:psc="http://podlove.org/simple-chapters" version="1.2">
        <psc:chapter start="00:01:00.500" title="Later &amp; better" href="https://later.example/"/>
        <psc:chapter start="0" title="First"/></psc:chapters>`,
    },
    { enclosure: `${host.origin}/with.mp3`, notes },
    { notes },
    { notes: 'At 10:30 we meet, at 11:30 we part.' },
  ])
  expect(await app.episodes.chapters(podlove!.id)).toMatchObject([
    { startTime: 0, endTime: 60.5, title: 'First' },
    { startTime: 60.5, title: 'Later & better', href: 'https://later.example/' },
  ])
  const titles = async (id: string) => (await app.episodes.chapters(id)).map(chapter => chapter.title)
  expect(await titles(inNotes!.id)).toEqual(['Hello', 'The storm', 'The end'])
  expect([none!.has_chapters, await titles(none!.id)]).toEqual([false, []])
  expect(await titles(inFile!.id)).toEqual(['Hello', 'The storm', 'The end'])
  await app.episodes.download(inFile!.episode_id)
  await app.event('downloadFinished')
  await app.context.texts.settled()
  expect(await titles(inFile!.id)).toEqual(['From the file', 'Second'])
  expect(await refusal(app.episodes.chapters('nothing'))).toMatchObject({ code: 'episode-not-found' })
})

test('a chapter file may be XML, and chapters without a title are named in the language of the podcast', async () => {
  using host = startFeedHost()
  const psc =
    '<psc:chapters xmlns:psc="http://podlove.org/simple-chapters"><psc:chapter start="0" title="Anfang"/><psc:chapter start="00:01:00"/></psc:chapters>'
  host.on('/chapters.psc', () => new Response(psc, { headers: { 'Content-Type': 'application/xml' } }))
  await using app = await startTestApp()
  app.prefill(0)
  const extra = `<podcast:chapters url="${host.origin}/chapters.psc" type="application/xml"/>`
  const feed = rss({ items: [{ extra }] }).replace('<language>en', '<language>de-AT')
  const podcast = await app.podcasts.add(host.feed('/feed.xml', feed))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const chapters = await app.episodes.chapters(data[0]!.podcastEpisode.id)
  expect(chapters.map(({ startTime, title }) => [startTime, title])).toEqual([
    [0, 'Anfang'],
    [60, 'Kapitel 2'],
  ])
})

test('a transcript that is called something else is served as what it is, in UTF-8', async () => {
  using host = startFeedHost()
  host.on(
    '/t.txt',
    () => new Response(new Uint8Array(utf16(vtt)), { headers: { 'Content-Type': 'application/octet-stream' } }),
  )
  host.on('/t.ttml', () => new Response('<tt><body><p begin="1s" end="2s">Ahoy</p></body></tt>'))
  await using app = await startTestApp()
  const [mislabelled, timed] = await plant(app, host, [
    { extra: `<podcast:transcript url="${host.origin}/t.txt" type="application/octet-stream"/>` },
    { extra: `<podcast:transcript url="${host.origin}/t.ttml" type="application/ttml+xml"/>` },
  ])
  const { id, segments } = await app.episodes.transcript(mislabelled!.id)
  expect(segments).toMatchObject([
    { startMs: 1000, speaker: 'Mara Field' },
    { startMs: 70_000, speaker: 'Tom' },
  ])
  const served = await app.fetch(`/media/transcripts/${id}.vtt`)
  expect([served.headers.get('content-type'), await served.text()]).toEqual(['text/vtt; charset=utf-8', vtt])
  expect((await app.episodes.transcript(timed!.id)).segments).toMatchObject([{ startMs: 1000, text: 'Ahoy' }])
})

test('lines of notes are chapters only where they read like a table of contents', () => {
  const titles = (html: string, duration = 0) => chaptersInNotes(html, duration).map(({ title }) => title)
  expect(titles('<p>Intro 00:00</p><p>Tea (12:10)</p><p>End – 1:00:01</p>')).toEqual(['Intro', 'Tea', 'End'])
  expect(titles('<p>[00:00] A &amp; B</p><p>[01:00] C: D</p><p>[02:00] E</p>')).toEqual(['A & B', 'C: D', 'E'])
  expect(titles('<p>0:00 A</p><p>1:00 B</p>')).toEqual(['A', 'B'])
  expect(titles('<p>18:00 Doors</p><p>20:00 Show</p>')).toEqual([])
  expect(titles('<p>0:00 A</p>')).toEqual([])
  expect(titles(`<p>0'00" A<br>1'05" B &amp; C<br>(12’30”) D</p>`)).toEqual(['A', 'B & C', 'D'])
  expect(titles('<p>0&#39;00&quot; A</p><p>1&#39;05&quot; B</p>')).toEqual(['A', 'B'])
  expect(titles('<p>‧ 0:00 ‧ A</p><p>∙1:00 – B</p><p>► 2:00 C ●</p>')).toEqual(['A', 'B', 'C'])
  expect(titles('<p>3:00 A</p><p>2:00 B</p><p>1:00 C</p>')).toEqual([])
  expect(titles('<p>0:00 A</p><p>1:00 B</p><p>9:00 C</p>', 300)).toEqual([])
  expect(titles(`<p>${'0:00 '.repeat(20_000)}</p>`)).toEqual([])
})

test('a transcript is fetched, kept, read and served; HTML never as a document of ours', async () => {
  using host = startFeedHost()
  host.on('/t.vtt', () => new Response(vtt))
  host.on('/t.html', () => new Response('<cite>Mara:</cite><time>0:01</time><p>Hello <script>alert(1)</script>you</p>'))
  await using app = await startTestApp()
  const [episode, without] = await plant(app, host, [
    {
      extra: `<podcast:transcript url="${host.origin}/t.html" type="text/html"/>
              <podcast:transcript url="${host.origin}/t.vtt" type="text/vtt" language="en"/>`,
    },
    {},
  ])
  expect([episode!.has_transcript, without!.has_transcript]).toEqual([true, false])
  const { segments, ...transcript } = await app.episodes.transcript(episode!.id)
  expect(transcript).toMatchObject({ mimeType: 'text/vtt', language: 'en', status: 'parsed', source: 'feed' })
  expect(segments).toEqual([
    { idx: 0, startMs: 1000, endMs: 4500, speaker: 'Mara Field', text: 'Welcome to the lighthouse & its keeper' },
    { idx: 1, startMs: 70_000, endMs: 74_000, speaker: 'Tom', text: 'The foghorn was loud' },
  ])
  const all = await app.episodes.transcripts(episode!.id)
  expect(all.map(({ mimeType, status }) => [mimeType, status])).toEqual([
    ['text/html', 'pending'],
    ['text/vtt', 'parsed'],
  ])
  const file = (id: string) => app.fetch(`/api/v1/podcasts/episodes/${episode!.id}/transcripts/${id}/file`)
  const served = await file(all[1]!.id)
  expect([served.headers.get('content-type'), await served.text()]).toEqual(['text/vtt; charset=utf-8', vtt])
  const html = await file(all[0]!.id)
  expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(host.requestsTo('/t.vtt')).toHaveLength(1)
  expect(await refusal(app.episodes.transcript(without!.id))).toMatchObject({ code: 'transcript-not-found' })
})

test('transcripts and chapter titles are found, with their times', async () => {
  using host = startFeedHost()
  host.on('/t.vtt', () => new Response(vtt))
  host.on('/chapters.json', () => new Response(chapterFile))
  await using app = await startTestApp()
  const [episode] = await plant(app, host, [
    {
      notes: 'Nothing of that',
      extra: `<podcast:transcript url="${host.origin}/t.vtt" type="text/vtt"/>
              <podcast:chapters url="${host.origin}/chapters.json" type="application/json+chapters"/>`,
    },
  ])
  await app.episodes.transcript(episode!.id)
  await app.episodes.chapters(episode!.id)
  await app.context.indexer.run()
  const hits = async (q: string, more = {}) =>
    (await app.search.find({ q, ...more }, null)).data.episodes.map(({ matchedIn, snippet, startMs }) => ({
      matchedIn,
      snippet,
      startMs,
    }))
  expect(await hits('foghorn')).toEqual([
    { matchedIn: 'transcripts', snippet: 'The <mark>foghorn</mark> was loud', startMs: 70_000 },
  ])
  // A chapter that holds one of the words is not preferred to the sentence that holds them all.
  expect(await hits('the foghorn')).toMatchObject([{ matchedIn: 'transcripts', startMs: 70_000 }])
  expect(await hits('the keeper')).toMatchObject([{ matchedIn: 'chapters', startMs: 61_500 }])
  expect(await hits('foghorn', { in: 'titles,notes' })).toEqual([])
  expect(await hits('welcome', { in: 'chapters' })).toMatchObject([{ matchedIn: 'chapters', startMs: 0 }])
  expect(await app.search.said('keeper')).toMatchObject([
    { episodeId: episode!.id, hits: [{ startMs: 1000, rank: 1 }] },
  ])
  expect(await app.search.said('unheard')).toEqual([])
})

test('a search in transcripts shows the first three places of an episode', async () => {
  using host = startFeedHost()
  const lines = [1, 2, 3, 4, 5].map(
    minute => `00:0${minute}:00.000 --> 00:0${minute}:05.000\nThe foghorn, time ${minute}`,
  )
  host.on('/t.vtt', () => new Response(`WEBVTT\n\n${lines.join('\n\n')}`))
  await using app = await startTestApp()
  const extra = `<podcast:transcript url="${host.origin}/t.vtt" type="text/vtt"/>`
  const [episode] = await plant(app, host, [{ extra }])
  await app.episodes.transcript(episode!.id)
  await app.context.indexer.run()
  expect(await app.search.said('foghorn')).toMatchObject([
    { episodeId: episode!.id, hits: [{ startMs: 60_000 }, { startMs: 120_000 }, { startMs: 180_000 }] },
  ])
})

test('a host that has no transcript is asked again later, not at every look', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const [episode] = await plant(app, host, [
    { extra: `<podcast:transcript url="${host.origin}/gone.vtt" type="text/vtt"/>` },
  ])
  for (let look = 0; look < 3; look++)
    expect(await refusal(app.episodes.transcript(episode!.id))).toMatchObject({ code: 'transcript-not-found' })
  expect(host.requestsTo('/gone.vtt')).toHaveLength(1)
  expect(await app.episodes.transcripts(episode!.id)).toMatchObject([
    { status: 'failed', error: 'The host answered 404' },
  ])
})

test('explicit episodes have no chapters and no transcript for users without consent', async () => {
  using host = startFeedHost()
  host.on('/t.vtt', () => new Response(vtt))
  await using app = await startTestApp({ env: withPasswords })
  const root = app.as('root', 'Sup3rSecret')
  app.prefill(0)
  const podcast = await root.podcasts.add(
    host.feed(
      '/feed.xml',
      rss({
        items: [
          {
            extra: `<itunes:explicit>true</itunes:explicit><podcast:transcript url="${host.origin}/t.vtt" type="text/vtt"/>`,
          },
        ],
      }),
    ),
  )
  const [item] = (await root.podcasts.episodes(podcast.id, {}, null)).data
  const { id } = await root.episodes.transcript(item!.podcastEpisode.id)
  await app.context.indexer.run()
  expect(await root.search.said('foghorn')).toHaveLength(1)
  const { authorization, ...alice } = await app.signUp('alice')
  expect(await alice.search.said('foghorn')).toEqual([])
  expect(await refusal(alice.episodes.transcript(item!.podcastEpisode.id))).toMatchObject({ status: 404 })
  const answer = await app.fetch(`/media/transcripts/${id}.vtt`, { headers: { Authorization: authorization! } })
  expect(answer.status).toBe(404)
})
