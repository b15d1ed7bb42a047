import { describe, expect, test } from 'bun:test'
import { refusal, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { sha } from '../../support/downloads'
import { refresh } from '../../support/refreshing'
import { spoken } from '../../support/speech-server'
import { plantSpeech, speechOf } from '../../support/transcribing'

describe('one episode, asked for by a person', () => {
  test('is sent whole, with the model and the language of the feed, and its answer becomes the transcript', async () => {
    await using world = await plantSpeech({ env: { TRANSCRIPTION_KEY: 'sesame' } })
    await world.download()
    const asked = await world.request()
    expect(asked).toMatchObject({ episodeName: 'Fog', podcastName: 'Lighthouse Radio', automatic: false })
    await world.reached('Fog', 'done')

    const [heard, ...others] = world.speech.heard
    expect(others).toEqual([])
    expect(heard!.path).toBe('/v1/audio/transcriptions')
    expect(heard!.fields).toEqual({ model: 'small', response_format: 'verbose_json', language: 'en' })
    expect(heard!.headers.get('authorization')).toBe('Bearer sesame')
    expect(heard!.name).toBe('episode.mp3')
    expect(sha(heard!.bytes)).toBe(sha(speechOf('Fog')))

    const transcript = await world.transcript()
    expect(transcript).toMatchObject({ source: 'generated', model: 'small', language: 'en', mimeType: 'text/vtt' })
    expect(transcript.segments).toMatchObject([
      { startMs: 0, endMs: 4500, text: 'Welcome to the lighthouse.' },
      { startMs: 4500, endMs: 9000, text: 'The foghorn was loud.' },
      { startMs: 9000, endMs: 12_000, text: 'Good night.' },
    ])
    const file = await world.app.fetch(`/media/transcripts/${transcript.id}.vtt`)
    expect(file.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(await file.text()).toContain('00:00:04.500 --> 00:00:09.000\nThe foghorn was loud.')
  })

  test('joins the search, the lists and the private feed', async () => {
    await using world = await plantSpeech()
    await world.download()
    await world.request()
    await world.reached('Fog', 'done')
    await world.app.context.indexer.run()
    const hits = await (await world.app.fetch('/api/v1/transcripts/search?q=foghorn')).json()
    expect(hits).toMatchObject([{ episode: { name: 'Fog' }, hits: [{ startMs: 4500 }] }])
    const { data } = await world.app.podcasts.episodes(world.podcast.id, {}, null)
    expect(data[0]!.podcastEpisode.has_transcript).toBe(true)
    const feed = await (await world.app.fetch(`/rss/${world.podcast.id}`)).text()
    expect(feed).toMatch(/<podcast:transcript url="[^"]+\/media\/transcripts\/[^"]+\.vtt[^"]*" type="text\/vtt"/)
  })

  test('needs a downloaded file', async () => {
    await using world = await plantSpeech()
    expect(await refusal(world.request())).toMatchObject({ status: 409, code: 'file-not-downloaded' })
    expect(await world.app.transcriptions.of(world.row().uuid)).toEqual({ obstacle: 'not-downloaded', current: null })
    await world.download()
    expect(await world.app.transcriptions.of(world.row().uuid)).toEqual({ obstacle: null, current: null })
  })

  test('needs a configured server, without which nothing is offered', async () => {
    await using world = await plantSpeech({ env: { TRANSCRIPTION_URL: '', TRANSCRIPTION_MODEL: '' } })
    await world.download()
    expect(await refusal(world.request())).toMatchObject({ status: 409, code: 'transcription-not-configured' })
    expect((await world.app.transcriptions.list()).model).toBeNull()
    expect(await (await world.app.fetch('/api/v1/sys/config')).json()).toMatchObject({ transcriptionEnabled: false })
    expect(await (await world.app.fetch('/metrics')).text()).not.toContain('castellan_transcriptions')
  })

  test('can be asked for again, and deleted for good', async () => {
    await using world = await plantSpeech()
    await world.download()
    await world.request()
    await world.reached('Fog', 'done')
    const { id } = await world.transcript()
    world.speech.on(() => Response.json({ ...spoken, segments: [{ start: 1, end: 2, text: 'Better' }] }))
    await world.request()
    await world.settled()
    const again = await world.transcript()
    expect(again.segments).toMatchObject([{ text: 'Better' }])
    expect(again.id).not.toBe(id)
    expect(await refusal(world.app.transcriptions.removeTranscript(world.row().uuid, id))).toMatchObject({
      code: 'transcript-not-found',
    })
    await world.app.transcriptions.removeTranscript(world.row().uuid, again.id)
    expect(await refusal(world.transcript())).toMatchObject({ code: 'transcript-not-found' })
    await world.app.context.indexer.run()
    expect(await (await world.app.fetch('/api/v1/transcripts/search?q=better')).json()).toEqual([])
  })

  test('is cancelled while it runs, and the next one has its turn', async () => {
    await using world = await plantSpeech({ titles: ['Fog', 'Storm'] })
    await world.download('Fog')
    await world.download('Storm')
    world.speech.on(({ bytes }) =>
      sha(bytes) === sha(speechOf('Fog')) ? Promise.withResolvers<Response>().promise : Response.json(spoken),
    )
    const { id } = await world.request('Fog')
    await world.request('Storm')
    await world.app.transcriptions.cancel(id)
    await world.reached('Fog', 'ended')
    await world.reached('Storm', 'done')
    expect(world.stateOf('Fog')).toBeNull()
    expect((await world.app.transcriptions.list()).items).toEqual([])
  })

  test('goes before what a setting asked for, one file at a time', async () => {
    await using world = await plantSpeech({ titles: ['Fog', 'Storm', 'Calm'] })
    await world.app.podcasts.editSettings(world.podcast.id, { autoTranscribe: true })
    const first = Promise.withResolvers<Response>()
    world.speech.on(() => (world.speech.heard.length === 1 ? first.promise : Response.json(spoken)))
    for (const title of ['Fog', 'Storm', 'Calm']) await world.download(title)
    await world.request('Calm')
    const { items, counts } = await world.app.transcriptions.list()
    expect(items.map(({ episodeName, state }) => [episodeName, state])).toEqual([
      ['Fog', 'running'],
      ['Calm', 'queued'],
      ['Storm', 'queued'],
    ])
    expect(counts).toEqual({ running: 1, queued: 2, waiting: 0, failed: 0 })
    first.resolve(Response.json(spoken))
    await world.reached('Storm', 'done')
    expect(world.speech.heard.map(({ bytes }) => sha(bytes))).toEqual(
      ['Fog', 'Calm', 'Storm'].map(title => sha(speechOf(title))),
    )
  })
})

describe('a podcast that wants it', () => {
  test('has the files transcribed that arrive from then on', async () => {
    await using world = await plantSpeech({ titles: ['Fog', 'Storm'] })
    await world.download('Fog')
    await world.app.podcasts.editSettings(world.podcast.id, { autoTranscribe: true })
    expect(await world.app.podcasts.settings(world.podcast.id)).toMatchObject({ autoTranscribe: true, activated: true })
    await world.download('Storm')
    await world.reached('Storm', 'done')
    expect(world.stateOf('Fog')).toBeNull()
    await world.app.podcasts.editSettings(world.podcast.id, { autoTranscribe: false })
    expect(await world.app.podcasts.settings(world.podcast.id)).toMatchObject({ activated: false })
  })

  test('does not send a file again that was removed and downloaded once more', async () => {
    await using world = await plantSpeech()
    await world.app.podcasts.editSettings(world.podcast.id, { autoTranscribe: true })
    await world.download()
    await world.reached('Fog', 'done')
    await world.app.episodes.removeDownload(world.row().eid)
    expect(world.stateOf()!.state).toBe('done')
    await world.app.episodes.download(world.row().eid)
    await world.app.context.downloads.settled()
    await world.settled()
    expect(world.stateOf()!.state).toBe('done')
    expect(world.speech.heard).toHaveLength(1)
    expect((await world.transcript()).segments).toHaveLength(3)
  })

  test('sends the file again once it is another one', async () => {
    await using world = await plantSpeech()
    await world.app.podcasts.editSettings(world.podcast.id, { autoTranscribe: true })
    await world.download()
    await world.reached('Fog', 'done')
    await world.app.episodes.removeDownload(world.row().eid)
    world.host.file('/Fog.mp3', speechOf('Other'))
    await world.app.episodes.download(world.row().eid)
    await world.app.context.downloads.settled()
    await world.settled()
    expect(world.speech.heard.map(({ bytes }) => sha(bytes))).toEqual(['Fog', 'Other'].map(t => sha(speechOf(t))))
  })

  test('keeps a transcript that came along from elsewhere, and sends nothing', async () => {
    await using world = await plantSpeech()
    const body = Buffer.from('Moved along')
    const found = { language: 'en', type: 'text/plain' as const, body, segments: [], model: 'other' }
    world.store.documents.addGenerated(world.row().id, found, world.now())
    await world.app.podcasts.editSettings(world.podcast.id, { autoTranscribe: true })
    await world.download()
    await world.reached('Fog', 'ended', 'done')
    expect(world.speech.heard).toEqual([])
    expect(world.stateOf()).toBeNull()
    expect(await world.transcript()).toMatchObject({ source: 'generated', model: 'other' })
  })

  test('gives up what waits for a file that is deleted', async () => {
    await using world = await plantSpeech({ titles: ['Fog', 'Storm'] })
    await world.app.podcasts.editSettings(world.podcast.id, { autoTranscribe: true })
    const held = Promise.withResolvers<Response>()
    world.speech.on(() => held.promise)
    await world.download('Fog')
    await world.download('Storm')
    expect(world.stateOf('Storm')!.state).toBe('queued')
    await world.app.episodes.removeDownload(world.row('Storm').eid)
    expect(world.stateOf('Storm')).toBeNull()
    await world.app.episodes.removeDownload(world.row('Fog').eid)
    await world.reached('Fog', 'ended')
    expect(world.stateOf('Fog')).toBeNull()
  })

  test('is deleted with all that waits', async () => {
    await using world = await plantSpeech()
    world.speech.on(() => Promise.withResolvers<Response>().promise)
    await world.download()
    await world.request()
    await world.app.podcasts.remove(world.podcast.id, true)
    await world.settled()
    expect((await world.app.transcriptions.list()).items).toEqual([])
  })
})

describe("the publisher's own transcript", () => {
  const withTranscript = (origin: string) => ({
    extra: `<podcast:transcript url="${origin}/fog.vtt" type="text/vtt"/>`,
  })
  const vtt = 'WEBVTT\n\n00:01.000 --> 00:04.000\nThe publisher speaks\n'

  test('makes sending the file needless', async () => {
    await using world = await plantSpeech({ itemOf: (_, origin) => withTranscript(origin) })
    world.host.on('/fog.vtt', () => new Response(vtt))
    await world.app.podcasts.editSettings(world.podcast.id, { autoTranscribe: true })
    await world.app.episodes.transcript(world.row().uuid)
    await world.download()
    await world.reached('Fog', 'ended')
    expect(world.speech.heard).toEqual([])
    expect(world.stateOf()).toBeNull()
    expect(await refusal(world.request())).toMatchObject({ status: 409, code: 'transcript-published' })
    expect(await world.app.transcriptions.of(world.row().uuid)).toEqual({ obstacle: 'published', current: null })
  })

  test('does not, if it cannot be had', async () => {
    await using world = await plantSpeech({ itemOf: (_, origin) => withTranscript(origin) })
    await world.download()
    await world.request()
    await world.reached('Fog', 'done')
    expect(await world.transcript()).toMatchObject({ source: 'generated', segments: { length: 3 } })
  })

  test('ends a transcription that runs, and stands before one that was made', async () => {
    await using world = await plantSpeech()
    await world.download()
    const held = Promise.withResolvers<Response>()
    world.speech.on(() => held.promise)
    await world.request()
    const date = new Date(Date.UTC(2026, 0, 20)).toUTCString()
    const item = { title: 'Fog', guid: 'Fog', enclosure: `${world.host.origin}/Fog.mp3`, date }
    world.host.on('/fog.vtt', () => new Response(vtt))
    world.host.feed('/feed.xml', rss({ items: [{ ...item, ...withTranscript(world.host.origin) }] }))
    await refresh(world.app, world.podcast.id)
    expect(await world.transcript()).toMatchObject({ source: 'feed', segments: [{ text: 'The publisher speaks' }] })
    await world.reached('Fog', 'ended')
    expect(world.stateOf()).toBeNull()

    world.store.documents.addGenerated(
      world.row().id,
      { language: 'en', type: 'text/plain', body: Buffer.from('x'), segments: [], model: 'small' },
      world.now(),
    )
    expect(await world.transcript()).toMatchObject({ source: 'feed' })
  })
})

test('a plain user sees what is transcribed, but neither asks for it nor reads the words of the server', async () => {
  await using world = await plantSpeech({ env: withPasswords })
  const [bob, rita] = [await world.app.signUp('bob'), await world.app.signUp('rita', 'uploader')]
  world.speech.on(() => Response.json({ error: { message: 'no such model: small' } }, { status: 404 }))
  await world.download()
  await world.request()
  await world.reached('Fog', 'waiting')
  const [[seen], [asUploader]] = [(await bob.transcriptions.list()).items, (await rita.transcriptions.list()).items]
  expect(asUploader).toMatchObject({
    errorCode: 'transcription-address',
    message: expect.stringContaining('no such model'),
  })
  expect(seen).toMatchObject({ episodeName: 'Fog', errorCode: 'transcription-address', message: null })
  for (const act of [
    () => bob.transcriptions.cancel(seen!.id),
    () => bob.transcriptions.retry(seen!.id),
    () => bob.transcriptions.request(world.row().uuid),
    () => bob.transcriptions.of(world.row().uuid),
    () => bob.transcriptions.removeTranscript(world.row().uuid, 'x'),
  ])
    expect(await refusal(act())).toMatchObject({ status: 403, code: 'not-uploader' })
  expect(world.stateOf()!.state).toBe('waiting')
})

test('explicit episodes are hidden from those who do not want to see them', async () => {
  await using world = await plantSpeech({
    env: withPasswords,
    itemOf: () => ({ extra: '<itunes:explicit>true</itunes:explicit>' }),
  })
  const rita = await world.app.signUp('rita', 'uploader')
  world.speech.on(() => new Response('', { status: 401 }))
  await world.download()
  const { id } = await world.request()
  await world.reached('Fog', 'waiting')
  expect(await rita.transcriptions.list()).toMatchObject({ items: [], counts: { waiting: 0 } })
  expect(await refusal(rita.transcriptions.cancel(id))).toMatchObject({ code: 'transcription-not-found' })
  expect(await refusal(rita.transcriptions.request(world.row().uuid))).toMatchObject({ code: 'episode-not-found' })
})
