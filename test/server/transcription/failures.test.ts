import { expect, test } from 'bun:test'
import { sha } from '../../support/downloads'
import { startForwardProxy } from '../../support/forward-proxy'
import { spoken, startRawServer, startSpeechServer } from '../../support/speech-server'
import { plantSpeech, speechOf } from '../../support/transcribing'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A world with one episode whose transcription ends in the first of the states. */
async function transcribe(world: Awaited<ReturnType<typeof plantSpeech>>) {
  await world.download()
  await world.request()
  await world.reached('Fog', 'waiting', 'failed', 'done', 'ended')
  await world.settled()
  return world.stateOf()!
}
type World = Awaited<ReturnType<typeof plantSpeech>>

/** Lets the time of the next attempt come, and waits until it has ended. */
async function tryAgain(world: World) {
  world.now.advance(world.stateOf()!.next_attempt_at! - world.now())
  world.app.context.transcriptions.pump()
  await world.settled()
  return world.stateOf()!
}

const refusals: [status: number, body: string, words: string][] = [
  [400, '{"error":{"message":"Invalid file format.","type":"invalid_request_error"}}', ': Invalid file format.'],
  [413, '<html><head><title>413 Request Entity Too Large</title></head></html>', ': 413 Request Entity Too Large'],
  [415, '{"detail":"no decoder for this"}', ': no decoder for this'],
  [422, '{"detail":[{"msg":"field required"}]}', ': [{"msg":"field required"}]'],
]
for (const [status, body, words] of refusals)
  test(`a file that the server refuses with ${status} has failed, in the words of the server`, async () => {
    await using world = await plantSpeech()
    world.speech.on(() => new Response(body, { status }))
    const row = await transcribe(world)
    expect(row).toMatchObject({ state: 'failed', error_code: 'transcription-refused', next_attempt_at: null })
    expect(row.message).toBe(`The server answered ${status}${words}`)
    world.now.advance(48 * HOUR)
    world.app.context.transcriptions.pump()
    await world.settled()
    expect(world.speech.heard).toHaveLength(1)
  })

test('the words of a server are bounded, on one line and never the key', async () => {
  await using world = await plantSpeech({ env: { TRANSCRIPTION_KEY: 'sesame-1234' } })
  world.speech.on(() => new Response(`sesame-1234 is\r\n\0 wrong ${'x'.repeat(100_000)}`, { status: 403 }))
  const { message } = await transcribe(world)
  expect(message).toStartWith('The server answered 403: … is wrong xxx')
  expect(message!.length).toBeLessThan(500)
  expect(world.app.lines.join('\n')).not.toContain('sesame')
})

const rests: [what: string, answer: () => Response, code: string, minutes: number][] = [
  ['a wrong key', () => new Response('', { status: 401 }), 'transcription-key', 1],
  ['an address that takes no files', () => new Response('', { status: 404 }), 'transcription-address', 1],
  ['a redirect', () => Response.redirect('http://127.0.0.1:1/elsewhere', 307), 'transcription-address', 1],
  [
    'too many requests',
    () => new Response('', { status: 429, headers: { 'Retry-After': '600' } }),
    'transcription-busy',
    10,
  ],
]
for (const [what, answer, code, minutes] of rests)
  test(`${what} makes all files wait, and none of them fails`, async () => {
    await using world = await plantSpeech({ titles: ['Fog', 'Storm'] })
    world.speech.on(answer)
    await world.download('Storm')
    const row = await transcribe(world)
    expect(row).toMatchObject({ state: 'waiting', error_code: code, attempts: 0 })
    expect(row.next_attempt_at! - world.now()).toBe(minutes * MINUTE)
    await world.request('Storm')
    await world.settled()
    expect(world.stateOf('Storm')!.state).toBe('queued')
    expect(world.speech.heard).toHaveLength(1)
    for (let count = 0; count < 12; count++) await tryAgain(world).catch(() => undefined)
    expect(world.stateOf()!.state).not.toBe('failed')
    world.speech.on(() => Response.json(spoken))
    world.now.advance(24 * HOUR)
    world.app.context.transcriptions.pump()
    await world.reached('Storm', 'done')
    await world.reached('Fog', 'done')
  })

test('a person may try at once what waits', async () => {
  await using world = await plantSpeech()
  world.speech.on(() => new Response('', { status: 401 }))
  const { uuid } = await transcribe(world)
  world.speech.on(() => Response.json(spoken))
  await world.app.transcriptions.retry(uuid)
  await world.reached('Fog', 'done')
})

test('a server that is not there is waited for', async () => {
  await using world = await plantSpeech({ server: { origin: 'http://127.0.0.1:1' } })
  expect(await transcribe(world)).toMatchObject({ state: 'waiting', error_code: 'transcription-unreachable' })
})

test('a server is reached by way of the proxy of the configuration, and a proxy that refuses is waited for', async () => {
  using speech = startSpeechServer()
  using proxy = await startForwardProxy(speech.origin)
  const server = { origin: 'http://speech.example' }
  await using world = await plantSpeech({ server, env: { http_proxy: proxy.address } })
  expect(await transcribe(world)).toMatchObject({ state: 'done' })
  expect(proxy.requests).toEqual(['POST http://speech.example/v1/audio/transcriptions'])
  expect(speech.heard.map(({ bytes }) => sha(bytes))).toEqual([sha(speechOf('Fog'))])

  using strict = await startForwardProxy(speech.origin, { credentials: { user: 'mara', password: 'x' } })
  await using other = await plantSpeech({ server, env: { http_proxy: strict.address } })
  expect(await transcribe(other)).toMatchObject({ state: 'waiting', error_code: 'transcription-unreachable' })
})

test('a server that fails is tried five times with growing pauses, then not any more', async () => {
  await using world = await plantSpeech()
  world.speech.on(() => new Response('{"error":"out of memory"}', { status: 500 }))
  const pauses: number[] = []
  for (let row = await transcribe(world); row.state === 'waiting'; row = await tryAgain(world))
    pauses.push((row.next_attempt_at! - world.now()) / MINUTE)
  expect(pauses).toEqual([1, 5, 25, 125])
  expect(world.stateOf()).toMatchObject({ state: 'failed', attempts: 5, error_code: 'transcription-failed' })
  expect(world.stateOf()!.message).toBe('The server answered 500: out of memory')
  expect(world.speech.heard).toHaveLength(5)
})

const useless: [what: string, body: string, words: string][] = [
  ['a page', '<!doctype html><title>Sign in</title>', 'a page'],
  ['broken JSON', '{"segments":[{"start":0', 'no JSON'],
  ['nothing', '', 'nothing'],
  ['JSON of another kind', '{"status":"ok"}', 'JSON without segments and text'],
]
for (const [what, body, words] of useless)
  test(`an answer that is ${what} is no transcript; after three the file has failed`, async () => {
    await using world = await plantSpeech()
    world.speech.on(() => new Response(body))
    let row = await transcribe(world)
    expect(row).toMatchObject({ error_code: 'transcription-unusable', message: `Expected a transcript, got ${words}` })
    while (row.state === 'waiting') row = await tryAgain(world)
    expect(row).toMatchObject({ state: 'failed', attempts: 3, sent_digest: null })
    expect(world.speech.heard).toHaveLength(3)
  })

test('an answer without end is cut off', async () => {
  await using world = await plantSpeech({ overrides: { transcriptionLimits: { maxAnswerBytes: 100_000 } } })
  world.speech.on(
    () => new Response(new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(65_536).fill(32)) })),
  )
  expect(await transcribe(world)).toMatchObject({ error_code: 'transcription-unusable' })
})

test('a file without speech has failed, and is not sent again by any rule', async () => {
  await using world = await plantSpeech()
  world.speech.on(() => Response.json({ text: '', segments: [] }))
  expect(await transcribe(world)).toMatchObject({ state: 'failed', error_code: 'no-speech' })
  await world.app.podcasts.editSettings(world.podcast.id, { autoTranscribe: true })
  await world.app.episodes.removeDownload(world.row().eid)
  await world.app.episodes.download(world.row().eid)
  await world.app.context.downloads.settled()
  await world.settled()
  expect(world.stateOf()!.state).toBe('done')
  expect(world.speech.heard).toHaveLength(1)
})

test('a server that stops reading is given up soon', async () => {
  using server = await startRawServer(socket => void socket.pause())
  await using world = await plantSpeech({ server, overrides: { transcriptionLimits: { stallMs: 300 } } })
  // More than the buffers of a connection hold.
  world.host.file('/Fog.mp3', Buffer.concat([speechOf('Fog'), Buffer.alloc(20_000_000)]))
  expect(await transcribe(world)).toMatchObject({ state: 'waiting', error_code: 'transcription-timeout', attempts: 1 })
  expect(world.stateOf()!.message).toBe('The host accepted no data for too long')
})

test('a server that never answers is given up in the end', async () => {
  using server = await startRawServer(() => undefined)
  const limits = { answerMs: -5700 }
  await using world = await plantSpeech({ server, overrides: { transcriptionLimits: limits } })
  expect(await transcribe(world)).toMatchObject({ state: 'waiting', error_code: 'transcription-timeout', attempts: 1 })
})

test('a server that dies midway, or in its answer, is tried again', async () => {
  const ways = [
    (received: number) => (received > 5000 ? null : ''),
    (received: number) => (received > 20_000 ? 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"segm' : ''),
  ]
  for (const way of ways) {
    using server = await startRawServer((socket, received) => {
      const words = way(received)
      if (words === '') return
      if (words) socket.write(words)
      socket.end()
      setTimeout(() => socket.destroy(), 50)
    })
    await using world = await plantSpeech({ server })
    expect(await transcribe(world)).toMatchObject({
      state: 'waiting',
      error_code: 'transcription-failed',
      sent_digest: null,
    })
  }
})

test('a server may refuse a file before it has read it', async () => {
  using server = await startRawServer(socket =>
    socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig'),
  )
  await using world = await plantSpeech({ server })
  world.host.file('/Fog.mp3', Buffer.concat([speechOf('Fog'), Buffer.alloc(20_000_000)]))
  const row = await transcribe(world)
  // The rest of the file may meet a closed connection before the answer is read.
  expect(['transcription-refused', 'transcription-failed']).toContain(row.error_code!)
})

test('a file that is gone from the disk has failed', async () => {
  await using world = await plantSpeech()
  await world.download()
  await world.app.context.files.folder.remove(world.row().file_path!)
  await world.request()
  await world.reached('Fog', 'failed')
  expect(world.stateOf()).toMatchObject({ error_code: 'file-not-downloaded' })
})

test('a file that alone makes the server fail holds back no other, and its failure is its own', async () => {
  await using world = await plantSpeech({ titles: ['Fog', 'Storm', 'Calm'] })
  world.speech.on(({ bytes }) =>
    sha(bytes) === sha(speechOf('Fog')) ? new Response('', { status: 503 }) : Response.json(spoken),
  )
  await world.download('Storm')
  expect(await transcribe(world)).toMatchObject({ state: 'waiting', error_code: 'transcription-busy', rests: 1 })
  await world.request('Storm')
  // Both are ready: the one that has not paused goes first, and what the server says of the other is its own fault
  // then.
  await tryAgain(world)
  expect(world.stateOf('Storm')!.state).toBe('done')
  expect(world.stateOf()).toMatchObject({ state: 'waiting', error_code: 'transcription-failed', attempts: 1, rests: 0 })
  // It waits alone.
  await world.download('Calm')
  await world.request('Calm')
  await world.reached('Calm', 'done')
})

test('a server that fails with every file makes none of them fail, and is asked with each in turn', async () => {
  await using world = await plantSpeech({ titles: ['Fog', 'Storm'] })
  world.speech.on(() => new Response('', { status: 503 }))
  await world.download('Storm')
  await transcribe(world)
  await world.request('Storm')
  for (let count = 0; count < 12; count++) {
    world.now.advance(2 * HOUR)
    world.app.context.transcriptions.pump()
    await world.settled()
  }
  for (const title of ['Fog', 'Storm']) expect(world.stateOf(title)).toMatchObject({ state: 'waiting', attempts: 0 })
  expect(new Set(world.speech.heard.map(({ bytes }) => sha(bytes))).size).toBe(2)
})
