import { expect, test } from 'bun:test'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { basic, refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { longestTurnOf } from '../../support/cpu'
import { startFeedHost } from '../../support/feed-host'

const json = { 'Content-Type': 'application/json' }
const MB = 1024 * 1024

test('D1: no number in an address makes the server do more than it should', async () => {
  await using app = await startTestApp()
  const numbers = ['1e9', '9007199254740993', '-1', 'NaN', "1' OR 1=1"]
  const names = [
    'limit',
    'page',
    'size',
    'from',
    'to',
    'top',
    'speed',
    'lastTimestamp',
    'last_podcast_episode',
    'cursor',
    'version',
    'max',
    'offset',
    'days',
  ]
  const wrong: string[] = []
  for (const { method, path } of app.app.routes) {
    if (method !== 'GET' || /podindex|itunes|trending|search$/.test(path)) continue
    for (const number of numbers) {
      const query = names.map(name => `${name}=${encodeURIComponent(number)}`).join('&')
      const { status } = await app.fetch(`${path.replace(/:\w+/g, number || 'x').replace('*', 'x')}?${query}`)
      if (status >= 500) wrong.push(`${path} ${number}: ${status}`)
    }
  }
  expect(wrong).toEqual([])
})

/** A black PNG of one bit a point: small as a file. */
function pngOf(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.byteLength)
    check.writeUInt32BE(Bun.hash.crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const data = deflateSync(new Uint8Array((width / 8 + 1) * height), { level: 1 })
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array()),
  ])
}

test('D1: a picture of more than twenty million points is not unfolded, and sizes are those of a list', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const image = host.on(
    '/huge.png',
    () => new Response(pngOf(8000, 8000) as BodyInit, { headers: { 'Content-Type': 'image/png' } }),
  )
  const before = process.memoryUsage.rss()
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ image })))
  expect((await app.fetch(`/covers/podcasts/${id}?size=1024`)).headers.get('etag')).toBe('"built-in"')
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MB)
  for (const size of ['0', '-1', '65', '1e9', '100000', 'x'])
    expect((await app.fetch(`/covers/podcasts/${id}?size=${size}`)).status).toBe(422)
})

test('D2: feeds made to exhaust the server are refused or cut, while it keeps answering', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const item = '<item><enclosure url="/a.mp3"/></item>'
  const feed = (inner: string, before = '') => `${before}<rss><channel><title>Bomb</title>${inner}</channel></rss>`
  const laughs = 'bcdefghijk'
    .split('')
    .map((name, index) => `<!ENTITY ${name} "${`&${'abcdefghij'[index]};`.repeat(10)}">`)
    .join('')
  // A gigabyte, as a hundred members of ten megabytes.
  const member = gzipSync(new Uint8Array(10 * MB))
  const gigabyte = Buffer.concat(Array.from({ length: 100 }, () => member))
  const brotli = brotliCompressSync(new Uint8Array(80 * MB), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
  const nested = gzipSync(gigabyte)
  const bombs: [name: string, body: string | Uint8Array, encoding?: string][] = [
    ['gzip', gigabyte, 'gzip'],
    ['gzip that nobody announces', gigabyte],
    ['gzip in gzip', nested, 'gzip'],
    ['brotli', brotli, 'br'],
    ['laughs', feed(`<description>&k;</description>${item}`, `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${laughs}]>`)],
    ['300,000 items', feed('<item/>'.repeat(300_000))],
    ['two million elements', feed(`${item}${'<a/>'.repeat(2_000_000)}`)],
    ['a title of ten megabytes', feed(`<title>${'x'.repeat(10 * MB)}</title>${item}`)],
    ['a hundred thousand deep', feed(`${item}<item>${'<a>'.repeat(100_000)}</item>`)],
    [
      'a hundred thousand attributes',
      feed(`<item ${Array.from({ length: 100_000 }, (_, index) => `a${index}="x"`).join(' ')}/>${item}`),
    ],
    [
      'notes of nothing but brackets',
      feed(`<item><enclosure url="/a.mp3"/><description>${'&lt;'.repeat(400_000)}</description></item>`),
    ],
    ['JSON a million deep', `{"version":"https://jsonfeed.org/version/1","items":${'['.repeat(1_000_000)}`],
  ]
  const before = process.memoryUsage.rss()
  const addAll = async (round: number) => {
    const outcomes = await Promise.all(
      bombs.map(([name, body, encoding], index) => {
        const headers = { 'Content-Type': 'application/rss+xml', ...(encoding && { 'Content-Encoding': encoding }) }
        const address = host.on(`/${round}-${index}.xml`, () => new Response(body as BodyInit, { headers }))
        return app.podcasts.add(address).then(
          () => `${name}: added`,
          error => `${name}: ${(error as { code: string }).code}`,
        )
      }),
    )
    const expected = /: (added|too-large-upstream|not-a-feed|nothing-playable|podcast-already-added)$/
    expect(outcomes.filter(outcome => !expected.test(outcome))).toEqual([])
    expect(outcomes.slice(0, 4).filter(outcome => !outcome.endsWith('too-large-upstream'))).toEqual([])
  }
  // Nothing of this is read on the thread that answers: others have their turn all the while. What earlier tests left
  // to be collected may take a turn too, but hardly in each round.
  const turns: number[] = []
  do turns.push(await longestTurnOf(() => addAll(turns.length)))
  while (turns.at(-1)! >= 500 && turns.length < 10)
  expect(turns.at(-1)).toBeLessThan(500)
  expect(process.memoryUsage.rss() - before).toBeLessThan(1000 * MB)
}, 120_000)

test('D2: a body that never ends, or stalls, is given up', async () => {
  using host = startFeedHost()
  const patient = { maxBytes: 200_000, headersMs: 60_000, idleMs: 60_000, totalMs: 60_000 }
  await using app = await startTestApp({ feedLimits: patient })
  await using impatientApp = await startTestApp({
    feedLimits: { ...patient, headersMs: 300, idleMs: 300, totalMs: 600 },
  })
  const bytes = new TextEncoder().encode(`<rss><channel>${'<item>x</item>'.repeat(5000)}`)
  const stream = (pull: (controller: ReadableStreamDefaultController) => void | Promise<void>) => () =>
    new Response(new ReadableStream({ pull }))
  const endless = host.on(
    '/endless',
    stream(controller => controller.enqueue(bytes)),
  )
  const silent = host.on(
    '/silent',
    stream(controller => {
      controller.enqueue(bytes.slice(0, 100))
      return new Promise(() => {})
    }),
  )
  const drip = host.on(
    '/drip',
    stream(async controller => {
      await Bun.sleep(50)
      controller.enqueue(new Uint8Array([32]))
    }),
  )
  const mute = host.on('/mute', () => new Promise(() => {}))
  expect(await refusal(app.podcasts.add(endless))).toMatchObject({ code: 'too-large-upstream' })
  for (const address of [silent, drip, mute])
    expect(await refusal(impatientApp.podcasts.add(address))).toMatchObject({ code: 'upstream-timeout' })
})

test('D3: an episode that never ends, or is longer than it said, is given up and leaves nothing behind', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ downloadLimits: { headersMs: 60_000, idleMs: 60_000, maxBytes: 3 * MB } })
  app.prefill(0)
  const start = silentMp3(5)
  let sent = 0
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += start.byteLength
          controller.enqueue(start)
        },
      }),
      { headers: { 'Content-Type': 'audio/mpeg' } },
    )
  const feed = rss({ items: [{ enclosure: host.on('/endless.mp3', endless), length: 1000 }] })
  const { id } = await app.podcasts.add(host.feed('/feed.xml', feed))
  const { data } = await app.podcasts.episodes(id, {}, null)
  await app.episodes.download(data[0]!.podcastEpisode.episode_id)
  await app.event('downloadProgress', ({ state }) => state === 'waiting' || state === 'failed')
  expect(sent).toBeLessThan(64 * MB)
  expect([...new Bun.Glob('**/*.mp3').scanSync(app.context.files.folder.root)]).toEqual([])
})

async function statusOf(app: TestApp, path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await app.fetch(path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { ...json, ...headers },
  })
  return response.status
}

test('D2: bodies are bounded in size, depth and number, after a sign-in too', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const root = { Authorization: basic('root', 'Sup3rSecret') }
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  expect(await statusOf(app, '/api/v1/tags', { name: 'x'.repeat(2 * MB), color: 'Red' }, root)).toBe(413)
  expect(await statusOf(app, '/api/v1/podcasts/opml', { content: 'x'.repeat(13 * MB) }, root)).toBe(413)
  expect(await statusOf(app, '/api/2/episodes/root.json', 'x'.repeat(17 * MB), root)).toBe(413)
  expect(await statusOf(app, '/index.php/login/v2/poll', 'x'.repeat(5000))).toBe(413)
  const bomb = gzipSync(new Uint8Array(40 * MB))
  const inflated = await app.fetch('/api/2/episodes/root.json', {
    method: 'POST',
    body: bomb as BodyInit,
    headers: { ...root, 'Content-Encoding': 'gzip' },
  })
  expect(inflated.status).toBe(413)
  for (const path of ['/api/v1/tags', '/api/v1/playlist', '/api/v1/podcasts/opml', '/api/v1/podcasts/episode'])
    for (const body of [
      deep(100_000),
      `{"name":${deep(100_000)},"items":${deep(1000)}}`,
      `{"__proto__":{"role":"admin"},"constructor":{"prototype":{"isAdmin":true}}}`,
    ])
      expect([path, [400, 422].includes(await statusOf(app, path, body, root))]).toEqual([path, true])
  const wide = `[${Array.from({ length: 120_000 }, () => '"x"').join(',')}]`
  const hurtful = [deep(100_000), `{"username":${deep(100_000)}}`, `{"username":${wide},"password":${wide}}`, wide]
  const sendAll = async () => {
    for (const body of hurtful) expect([400, 422]).toContain(await statusOf(app, '/api/v1/login', body))
    expect(await statusOf(app, '/api/v1/playlist', `{"name":"x","items":${wide}}`, root)).toBe(422)
  }
  // A turn may include the collection of what earlier tests left.
  const busy: number[] = []
  do busy.push(await longestTurnOf(sendAll))
  while (busy.length < 3 && Math.min(...busy) >= 1000)
  expect(Math.min(...busy)).toBeLessThan(1000)
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  const many = { name: 'x', items: Array.from({ length: 20_001 }, () => ({ episode: 'x' })) }
  expect(await statusOf(app, '/api/v1/playlist', many, root)).toBe(422)
  const outlines = `<opml><body>${'<outline xmlUrl="https://x.example/"/>'.repeat(60_000)}</body></opml>`
  const nested = `<opml><body>${'<outline text="x">'.repeat(100_000)}</body></opml>`
  const longest = await longestTurnOf(async () => {
    expect(await statusOf(app, '/api/v1/podcasts/opml/preview', { content: nested }, root)).toBe(422)
    await statusOf(app, '/api/v1/podcasts/opml/preview', { content: outlines }, root)
  })
  expect(longest).toBeLessThan(500)
})

/** The status that a connection answers with before it is ended, and how many pieces it had been sent by then. */
async function converse(origin: string, head: string, piece = '', everyMs = 200) {
  const { hostname, port } = new URL(origin)
  const { promise, resolve } = Promise.withResolvers<void>()
  let text = ''
  let pieces = 0
  const connection = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => {
        text += bytes.toString()
        if (head.endsWith('\r\n\r\n')) resolve()
      },
      close: () => resolve(),
    },
  })
  for (let at = 0; at < head.length; at += 4096) connection.write(head.slice(at, at + 4096))
  const timer = setInterval(() => {
    connection.write(piece)
    pieces++
  }, everyMs)
  await promise
  clearInterval(timer)
  connection.end()
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0), pieces }
}

test('D2: a client that sends its body drop by drop is cut off, and so is one that stops', async () => {
  await using app = await startTestApp({ env: withPasswords, bodySeconds: 1 })
  const origin = app.listen()
  const Authorization = basic('root', 'Sup3rSecret')
  const head = (path: string, more = '') =>
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n${more}\r\n{`
  const ended = await Promise.all([
    converse(origin, head('/api/v1/login'), ' '),
    converse(origin, head('/api/v1/users')),
    converse(origin, head('/api/v1/podcasts/opml', `Authorization: ${Authorization}\r\n`), ' '),
    converse(origin, head('/api/2/episodes/root.json', `Authorization: ${Authorization}\r\n`), ' '),
    converse(origin, head('/index.php/login/v2/poll'), ' '),
    // A request that is refused at once is cut off as well.
    converse(origin, head('/nothing'), ' '),
    converse(origin, head('/api/v1/podcasts/opml')),
    converse(origin, head('/api/2/episodes/root.json'), ' '),
  ])
  // None was waited for until it had sent all it announced.
  for (const { pieces } of ended) expect(pieces).toBeLessThan(500)
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
}, 120_000)

test('D2: heads of requests are bounded: the address, a header, all headers, and what two readers would take for two things', async () => {
  await using app = await startTestApp()
  const origin = app.listen()
  const { host } = new URL(origin)
  const send = async (line: string, headers: string) =>
    (await converse(origin, `${line} HTTP/1.1\r\n${headers}\r\n\r\n`)).status
  const answers = [
    await send(`GET /healthz?${'x'.repeat(40_000)}`, `Host: ${host}`),
    await send('GET /healthz', `Host: ${host}\r\nX-Long: ${'x'.repeat(40_000)}`),
    await send(
      'GET /healthz',
      `Host: ${host}\r\n${Array.from({ length: 500 }, (_, index) => `X-${index}: y`).join('\r\n')}`,
    ),
    await send('POST /api/v1/login', `Host: ${host}\r\nContent-Length: 3\r\nContent-Length: 5`),
    await send('POST /api/v1/login', `Host: ${host}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked`),
    await send('GET /healthz', 'X: no-host'),
  ]
  expect(answers).toEqual([431, 431, 431, 400, 400, 400])
})
