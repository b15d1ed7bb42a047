import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { DownloadFailure } from '../../../src/server/downloads/failure'
import { createMediaFiles } from '../../../src/server/storage'
import { readConfig } from '../../../src/server/config'
import { monotonicClock } from '../../../src/server/platform/clock'
import { createLog } from '../../../src/server/platform/log'
import { downloadLimits, type DownloadLimits } from '../../../src/server/downloads/pace'
import { receive } from '../../../src/server/downloads/receive'
import type { Source } from '../../../src/server/downloads/source'
import { OutboundError, type OutboundCode } from '../../../src/server/outbound/error'
import { publicOnly } from '../../../src/server/outbound/reach'
import type { Outbound } from '../../../src/server/outbound/request'
import { refusal, startClock, temporaryFolder } from '../../support/app'
import { noise, silentMp3 } from '../../support/builders'

const KB = 1024
const whole = new Uint8Array(noise(300 * KB))
const address = 'https://cdn.example/a.mp3'
const type = { 'Content-Type': 'audio/mpeg' }

type Answer = (headers: Headers) => Response

/** A media folder with a `.part` of `present` bytes, and a host that gives these answers in turn. */
async function setUp({
  present = new Uint8Array(),
  limits = {},
}: { present?: Uint8Array; limits?: Partial<DownloadLimits> } = {}) {
  const files = createMediaFiles({
    config: readConfig({ PODCAST_DIRECTORY: join(temporaryFolder(), 'media') }),
    someKnownFiles: () => [],
    elapsed: monotonicClock,
    log: createLog('error', 'text'),
  })
  mkdirSync(join(files.folder.root, '.partial'), { recursive: true })
  if (present.length > 0) await Bun.write(files.folder.partOf('a'), present)
  const clock = startClock()
  const requests: Headers[] = []
  const checkpoints: number[] = []
  const progress: number[] = []
  const sources: unknown[] = []
  const abort = new AbortController()
  const source: Source = {
    eid: 'a',
    address,
    reach: publicOnly,
    credentials: null,
    userAgent: undefined,
    received: Infinity,
    total: null,
    etag: null,
    lastModified: null,
  }
  return {
    files,
    clock,
    requests,
    checkpoints,
    progress,
    sources,
    abort,
    fetch(answers: Answer[], known: Partial<Source> = {}) {
      const outbound = {
        async get(_, { headers }) {
          requests.push(new Headers(headers))
          return { response: answers.shift()!(requests.at(-1)!), url: address, hops: [] }
        },
      } as Pick<Outbound, 'get'> as Outbound
      const needs = {
        outbound,
        files,
        reserveBytes: 0,
        limits: { ...downloadLimits, ...limits },
        elapsed: clock,
        now: clock,
        onSource: async (found: unknown) => void sources.push(found),
        onProgress: (received: number) => progress.push(received),
        onCheckpoint: (received: number) => checkpoints.push(received),
        isEnd: async () => false,
        onDiscard: async () => void checkpoints.push(0),
      }
      return receive({ ...source, ...known }, needs, abort.signal)
    },
    part: () => Bun.file(files.folder.partOf('a')).bytes(),
  }
}

/** A body of chunks; `onChunk` is called before each is sent. */
const stream = (chunks: Uint8Array[], onChunk: (index: number) => unknown = () => {}) => {
  let next = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await onChunk(next)
        const chunk = chunks[next++]
        if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
const chunksOf = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size))

const complete: Answer = () => new Response(whole as BodyInit, { headers: type })
/** The rest that a `Range` asks for. */
const rest =
  (bytes: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}): Answer =>
  headers => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.get('range')!)![1])
    const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`
    return new Response(bytes.slice(from) as BodyInit, {
      status: 206,
      headers: { ...type, 'Content-Range': range, ...more },
    })
  }

describe('resuming', () => {
  const present = whole.slice(0, 200 * KB)

  test('a strong ETag is the validator, a weak one is not: then the date is, or some bytes are compared', async () => {
    const cases = [
      { etag: '"v1"', lastModified: 'yesterday', ifRange: '"v1"', range: 200 },
      { etag: 'W/"v1"', lastModified: 'yesterday', ifRange: 'yesterday', range: 200 },
      { etag: 'W/"v1"', lastModified: null, ifRange: null, range: 136 },
    ]
    for (const { ifRange, range, ...known } of cases) {
      const { fetch, requests, part } = await setUp({ present })
      await fetch([rest(whole)], known)
      expect(requests[0]!.get('if-range')).toBe(ifRange)
      expect(requests[0]!.get('range')).toBe(`bytes=${range * KB}-`)
      expect(await part()).toEqual(whole)
    }
  })

  test('a file of another length begins anew, even where its validator matches', async () => {
    const { fetch, requests, part } = await setUp({ present })
    const shorter = whole.slice(0, 250 * KB)
    await fetch([rest(shorter, { ETag: '"v1"' }), complete], { etag: '"v1"', total: whole.length })
    expect(requests).toHaveLength(2)
    expect(await part()).toEqual(whole)
  })

  test('a range that lies beyond the end of the host’s file begins anew', async () => {
    const { fetch, requests, part } = await setUp({ present: noise(400 * KB, 3) })
    await fetch([() => new Response('', { status: 416 }), complete], { etag: '"v1"' })
    expect(requests.map(headers => headers.has('range'))).toEqual([true, false])
    expect(await part()).toEqual(whole)
  })

  test('a file that was received to its end is not requested again', async () => {
    const { fetch, requests } = await setUp({ present: whole })
    expect(await fetch([], { total: whole.length })).toMatchObject({ size: whole.length })
    expect(requests).toEqual([])
  })

  test('bytes beyond the last sync are dropped when they cannot be trusted', async () => {
    const { fetch, requests, part } = await setUp({ present: noise(200 * KB, 9) })
    await fetch([complete], { received: 0, etag: '"v1"' })
    expect(requests[0]!.has('range')).toBe(false)
    expect(await part()).toEqual(whole)
  })

  test('progress never falls below what is there, while the repeated bytes are compared', async () => {
    const { fetch, progress } = await setUp({ present })
    await fetch([
      headers => {
        const { headers: given, status } = rest(whole)(headers)
        return new Response(stream(chunksOf(whole.slice(136 * KB), 10 * KB)), { status, headers: given })
      },
    ])
    expect(Math.min(...progress)).toBe(200 * KB)
    expect(progress.at(-1)).toBe(300 * KB)
  })

  test('a host that has another file now loses the received bytes, and the record of them', async () => {
    const { fetch, checkpoints, part } = await setUp({ present: noise(200 * KB, 9) })
    expect(await refusal(fetch([rest(whole)]))).toMatchObject({
      code: 'length-mismatch',
      message: 'The file on the host has changed. It is fetched again from the start.',
    })
    expect(checkpoints).toEqual([0])
    expect(await part()).toHaveLength(0)
  })
})

describe('while the body arrives', () => {
  const answer = (onChunk: (index: number) => unknown, bytes = whole, headers = {}): Answer => {
    return () => new Response(stream(chunksOf(bytes, 100 * KB), onChunk), { headers: { ...type, ...headers } })
  }

  test('what is synced is recorded after so many bytes', async () => {
    const { fetch, checkpoints } = await setUp({ limits: { checkpointBytes: 200 * KB } })
    await fetch([answer(() => {})])
    // The first is the beginning, the last is the whole file.
    expect(checkpoints).toEqual([0, 200 * KB, 300 * KB])
  })

  test('what is synced is recorded after so much time', async () => {
    const { fetch, checkpoints, clock } = await setUp({ limits: { checkpointMs: 2000 } })
    await fetch([answer(index => clock.advance(index === 1 ? 2000 : 0))])
    expect(checkpoints).toEqual([0, 200 * KB, 300 * KB])
  })

  test('the body that a later attempt must match is recorded before its first byte', async () => {
    const { fetch, sources, progress } = await setUp()
    const seen: unknown[] = []
    await fetch([
      answer(() => progress.length === 0 && seen.push(...sources), whole, {
        ETag: ' "v1" ',
        'Last-Modified': 'yesterday',
        'Content-Length': String(whole.length),
      }),
    ])
    expect(seen[0]).toMatchObject({ etag: '"v1"', lastModified: 'yesterday', total: whole.length })
  })

  test('a page in disguise ends after its first bytes', async () => {
    const { fetch } = await setUp()
    const html = new TextEncoder().encode('<p>Please sign in</p>'.repeat(50_000))
    let sent = 0
    const failure = await refusal(fetch([answer(() => sent++, html)]))
    expect(failure).toMatchObject({ code: 'not-media', permanent: true })
    expect(sent).toBe(1)
  })

  test('a stop throws its own reason', async () => {
    const { fetch, abort } = await setUp()
    const reason = new Error('stopped')
    expect(await refusal(fetch([answer(index => index === 1 && abort.abort(reason))]))).toBe(reason)
  })

  test('the length of a compressed body is not that of the file', async () => {
    const { fetch, sources } = await setUp()
    const headers = { ...type, 'Content-Encoding': 'gzip', 'Content-Length': '7' }
    expect(await fetch([() => new Response(whole as BodyInit, { headers })])).toMatchObject({ size: whole.length })
    expect(sources).toMatchObject([{ total: null }])
  })
})

describe('a failure says what happened, and what to do', () => {
  const status =
    (status: number, headers = {}): Answer =>
    () =>
      new Response('', { status, headers })
  test.each([
    [status(503), 'The host answered 503', false, null],
    [
      status(429, { 'Retry-After': '120' }),
      'The host answered 429 and asked for a pause of 120 seconds',
      false,
      120_000,
    ],
    [
      status(503, { 'Retry-After': '9999999' }),
      'The host answered 503 and asked for a pause of 86400 seconds',
      false,
      86_400_000,
    ],
    [
      // The test clock begins at noon.
      status(503, { 'Retry-After': 'Fri, 01 May 2026 12:10:00 GMT' }),
      'The host answered 503 and asked for a pause of 600 seconds',
      false,
      600_000,
    ],
    [status(503, { 'Retry-After': 'Fri, 01 May 2026 11:00:00 GMT' }), 'The host answered 503', false, null],
    [status(401), 'The host answered 401. Check the user name and password of the podcast.', true, null],
    [status(404), 'The host answered 404. The publisher may have removed or moved the file.', true, null],
    [status(410), 'The host answered 410. The publisher has removed the file.', true, null],
    [
      () => new Response('<html>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
      'Expected audio or video, got text/html. Open the address of the episode in a browser to see why.',
      true,
      null,
    ],
    [
      () => new Response('', { headers: type }),
      'Expected audio or video, got an empty file. Open the address of the episode in a browser to see why.',
      true,
      null,
    ],
    [
      () => new Response(silentMp3(1).subarray(0, 300) as BodyInit, { headers: { ...type, 'Content-Length': '500' } }),
      'Received 300 of 500 bytes',
      false,
      null,
    ],
  ] as [Answer, string, boolean, number | null][])('%#', async (answer, message, permanent, retryAfterMs) => {
    const { fetch } = await setUp()
    const failure = await refusal(fetch([answer]))
    expect(failure).toBeInstanceOf(DownloadFailure)
    expect(failure).toMatchObject({ message, permanent, retryAfterMs })
  })

  test.each([
    ['address-not-allowed', /^The file is at an address that may not be reached from here\. .*ALLOWED_NETWORKS/, true],
    ['timeout', 'The host sent nothing for too long', false],
    ['closed', 'The host closed the connection without an answer', false],
    ['too-many-redirects', 'The host redirected too many times', false],
    ['unreachable', 'The connection to the host failed', false],
  ] as [OutboundCode, string | RegExp, boolean][])('of the network: %s', async (code, message, permanent) => {
    const { fetch } = await setUp()
    const failure = (await refusal(
      fetch([
        () => {
          throw new OutboundError(code, 'cdn.example')
        },
      ]),
    )) as DownloadFailure
    expect(failure.message).toMatch(message)
    expect(failure.permanent).toBe(permanent)
  })

  test('a file beyond the limit', async () => {
    const { fetch } = await setUp({ limits: { maxBytes: 100_000 } })
    expect(await refusal(fetch([complete]))).toMatchObject({
      code: 'too-large-upstream',
      message: 'The file is larger than the limit of 0.0001 GB',
      permanent: true,
    })
  })

  test('a write that the disk has no room for', async () => {
    const { fetch, files } = await setUp()
    files.folder.freeBytes = () => Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
    expect(await refusal(fetch([complete]))).toMatchObject({
      code: 'disk-full',
      message: 'The disk is full. The download resumes once there is space.',
    })
  })

  test('a bug stays what it is', async () => {
    const { fetch, files } = await setUp()
    files.folder.freeBytes = () => Promise.reject(new TypeError('x is not a function'))
    expect(await refusal(fetch([complete]))).toBeInstanceOf(TypeError)
  })

  test('a disk that is nearly full', async () => {
    const { fetch, files } = await setUp()
    files.folder.freeBytes = async () => 200_000
    expect(await refusal(fetch([], { total: 300_000 }))).toMatchObject({
      code: 'disk-full',
      message:
        'The download needs 0.3 MB and a reserve of 0.0 MB, but 0.2 MB are free. It resumes once there is space.',
      retryAfterMs: 600_000,
    })
  })
})
