import { expect, test } from 'bun:test'
import { decodeXML } from 'entities'
import { safeNotes } from '../../../src/server/feeds/parse/notes'
import { goodPassword, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost, type FeedHost } from '../../support/feed-host'
import { activeParts, vectors } from '../../support/vectors'

const all = vectors()

test('X1: show notes keep nothing that acts, loads, submits or hides', () => {
  expect(all.length).toBeGreaterThanOrEqual(60)
  // The measure itself finds what it should.
  expect(all.filter(vector => activeParts(vector).length > 0).length).toBeGreaterThan(60)
  const wrapped = all.flatMap(vector => [vector, `<p>${vector}</p>`, `<p title="${vector}">x</p>`, `Text\n\n${vector}`])
  const left = wrapped.map(html => [html, activeParts(safeNotes(html, 'https://pod.example/'))] as const)
  expect(left.filter(([, parts]) => parts.length > 0)).toEqual([])
})

/** Every text of an answer with the name of its field. */
function textsIn(value: unknown, name = ''): (readonly [string, string])[] {
  if (typeof value === 'string') return [[name, value]]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, Array.isArray(value) ? name : key))
}

async function plantVectors(app: TestApp, host: FeedHost) {
  app.prefill(0)
  const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\u0000', '')}]]>`
  const inText = (text: string) => Bun.escapeHTML(text.replaceAll(/[\u0000-\u0008]/g, ''))
  const items = all.map((vector, index) => {
    host.on(`/chapters/${index}`, () =>
      Response.json({
        chapters: [{ startTime: 0, title: vector, url: `javascript:${vector}`, img: 'data:text/html,x' }],
      }),
    )
    host.on(
      `/lines/${index}`,
      () =>
        new Response(`WEBVTT\n\n00:01.000 --> 00:02.000\n<v ${inText(vector)}>found ${vector.replaceAll('\n', ' ')}`),
    )
    return {
      title: vector,
      guid: vector,
      enclosure: host.file(`/${index}.mp3`, silentMp3(2)),
      notes: vector.replaceAll('\u0000', '').replaceAll(']]>', ''),
      extra: `<link>${inText(`javascript:${vector}`)}</link><itunes:author>${cdata(vector)}</itunes:author>
        <podcast:person href="javascript:alert(1)" img="data:text/html,x">${cdata(vector)}</podcast:person>
        <podcast:location>${cdata(vector)}</podcast:location>
        <podcast:chapters url="${host.origin}/chapters/${index}" type="application/json+chapters"/>
        <podcast:transcript url="${host.origin}/lines/${index}" type="text/vtt"/>`,
    }
  })
  const extra = `<podcast:funding url="javascript:alert(1)">${cdata(all[0]!)}</podcast:funding><category>${cdata(all[8]!)}</category>
    <podcast:person href="vbscript:x">${cdata(all[8]!)}</podcast:person><itunes:summary>${cdata(all.join('\n'))}</itunes:summary>`
  return app.podcasts.add(host.feed('/feed.xml', rss({ title: all[8]!, link: 'javascript:alert(1)', extra, items })))
}

test('X1: nothing that the interface takes as markup or as an address acts, whatever a feed says', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { id } = await plantVectors(app, host)
  const { data } = await app.podcasts.episodes(id, { limit: 200 }, null)
  expect(data.length).toBeGreaterThan(60)
  const ids = data.map(({ podcastEpisode }) => podcastEpisode.id)
  const { uuid } = { uuid: id }
  const paths = [
    `/podcasts/${uuid}`,
    `/podcasts/${uuid}/episodes?limit=200`,
    '/podcasts',
    '/podcasts/timeline?limit=100',
    '/search?q=alert',
    '/search?q=script',
    '/search?q=found',
    '/transcripts/search?q=alert',
    ...ids.flatMap(episode => [`/podcasts/episodes/${episode}/chapters`, `/podcasts/episodes/${episode}/transcript`]),
    ...data.map(({ podcastEpisode }) => `/episodes/${podcastEpisode.episode_id}`),
  ]
  const texts: (readonly [string, string])[] = []
  for (const path of paths) texts.push(...textsIn(await app.client.get(path).catch(() => null)))
  const named = (pattern: RegExp) => texts.filter(([name]) => pattern.test(name)).map(([, text]) => text)

  const markup = named(/^(description|summary|snippet|notes)$/)
  expect(markup.length).toBeGreaterThan(100)
  expect(markup.filter(html => activeParts(html).length > 0)).toEqual([])
  const addresses = named(/^(link|href|img|image|url|\w+_url|\w*[uU]rl)$/)
  expect(addresses.length).toBeGreaterThan(100)
  expect(addresses.filter(address => !/^https?:\/\//.test(address) && address !== '')).toEqual([])
  // Podcast apps read our feeds, and take notes as markup too.
  const feed = await (await app.fetch(`/rss/${uuid}`)).text()
  const notes = [...feed.matchAll(/<(description|content:encoded|itunes:summary)>([\s\S]*?)<\/\1>/g)].map(
    ([, , text]) => text!.replace(/^<!\[CDATA\[|\]\]>$/g, ''),
  )
  expect(notes.length).toBeGreaterThan(60)
  expect(notes.filter(html => activeParts(decodeXML(html)).length > 0)).toEqual([])
})

test('X2: errors are JSON, whatever a host, a file or a name holds', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ env: { ...withPasswords, ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const root = app.as('root', 'Sup3rSecret')
  const evil = '<img src=x onerror=alert(1)>'
  const bad = host.on(
    '/x',
    () => new Response(evil, { status: 200, headers: { 'Content-Type': `text/html; x="${evil}"` } }),
  )
  const headers = { Authorization: root.authorization!, 'Content-Type': 'application/json' }
  const post = (path: string, body: unknown) => app.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const answers = await Promise.all([
    post('/api/v1/podcasts/feed', { rssFeedUrl: bad }),
    post('/api/v1/podcasts/feed', { rssFeedUrl: evil }),
    post('/api/v1/podcasts/opml', { content: evil }),
    post('/api/v1/login', { username: evil, password: evil }),
    post('/api/v1/users', { username: evil, password: goodPassword, inviteId: evil }),
    post(`/api/v1/${encodeURIComponent(evil)}`, {}),
    app.fetch(`/ui/assets/${encodeURIComponent(evil)}`),
    app.fetch(`/api/v1/users/${encodeURIComponent(evil)}`, { headers }),
    app.fetch(`/api/v1/podcasts/search?title=${encodeURIComponent(evil)}&order=${encodeURIComponent(evil)}`, {
      headers,
    }),
  ])
  for (const answer of answers) {
    expect(answer.headers.get('content-type')).toStartWith('application/json')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy') ?? "default-src 'none'").toContain("default-src 'none'")
  }
})

const inert = "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

test('X3: content of a feed is served as the type of its bytes, is never sniffed, and acts on nobody’s behalf', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const page = '<html><script>alert(1)</script></html>'
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const asWhat = (path: string, body: string | Uint8Array, type: string) =>
    host.on(path, () => new Response(body as BodyInit, { headers: { 'Content-Type': type } }))
  const cover = await Bun.file('src/ui/cover.png').bytes()
  const pictures = [
    asWhat('/real.png', cover, 'text/html'),
    asWhat('/page.png', page, 'image/png'),
    asWhat('/x.svg', svg, 'image/svg+xml'),
    asWhat('/svg.png', svg, 'image/png'),
    asWhat('/gif-page.gif', `GIF89a/*${page}*/`, 'image/gif'),
    asWhat('/nothing.png', '', 'image/png'),
  ]
  const media = [
    asWhat('/page.mp3', page.repeat(99), 'audio/mpeg'),
    asWhat('/page.html', page, 'text/html'),
    asWhat('/x.svg.mp3', svg, 'image/svg+xml'),
    asWhat('/list.mp3', '#EXTM3U\nfile:///etc/passwd\n'.repeat(99), 'audio/mpegurl'),
    asWhat('/real.mp3', silentMp3(3), 'application/octet-stream'),
  ]
  asWhat('/t.html', page, 'text/html')
  const items = pictures.map((image, index) => ({
    image,
    enclosure: media[index] ?? media.at(-1)!,
    extra: `<podcast:transcript url="${host.origin}/t.html?${index}" type="text/html"/>`,
  }))
  host.on(
    '/t.html',
    () =>
      new Response('<cite>A:</cite><time>0:01</time><p>Hi <script>alert(1)</script></p>', {
        headers: { 'Content-Type': 'text/html' },
      }),
  )
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const types = [
    'image/png',
    'image/jpeg',
    'image/webp',
    'audio/mpeg',
    'text/plain; charset=utf-8',
    'application/json;charset=utf-8',
  ]
  let served = 0
  for (const { podcastEpisode: episode } of data) {
    const [transcript] = await app.episodes.transcripts(episode.id)
    const paths = [
      `/covers/episodes/${episode.id}`,
      `/covers/episodes/${episode.id}?size=64`,
      new URL(episode.local_url).pathname,
      `/api/v1/podcasts/episodes/${episode.id}/transcripts/${transcript!.id}/file`,
    ]
    for (const path of paths) {
      const answer = await app.fetch(path)
      expect(types.concat('image/webp')).toContain(answer.headers.get('content-type') ?? '')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      if (!answer.ok) continue
      served++
      expect(answer.headers.get('content-security-policy')).toBe(inert)
      if (!path.includes('transcripts')) expect(await answer.text()).not.toContain('<script')
    }
  }
  expect(served).toBeGreaterThan(3 * pictures.length)
})

test('X4: a cover belongs to the podcast that names it: no other feed puts another in its place', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const good = await Bun.file('src/ui/cover.png').bytes()
  const bad = await new Bun.Image(good).resize(40, 40).png().bytes()
  // The same address says one thing to the first who asks, and another to the second.
  let asked = 0
  const image = host.on(
    '/cover.png',
    () => new Response((asked++ === 0 ? bad : good) as BodyInit, { headers: { 'Content-Type': 'image/png' } }),
  )
  const evil = await app.podcasts.add(host.feed('/evil.xml', rss({ title: 'Evil', image })))
  const coverOf = async (id: string) => (await app.fetch(`/covers/podcasts/${id}`)).bytes()
  expect(Buffer.from(bad).equals(await coverOf(evil.id))).toBe(true)
  const honest = await app.podcasts.add(host.feed('/honest.xml', rss({ title: 'Honest', image })))
  expect(Buffer.from(good).equals(await coverOf(honest.id))).toBe(true)
})

test.each([
  ['GET', '/ui/assets/none.js'],
  ['GET', '/ui/assets/none.html'],
  ['GET', '/ui/none.js'],
  ['GET', '/ui/public/none.png'],
  ['GET', '/uinone'],
  ['GET', '/nothing'],
  ['POST', '/ui/'],
  ['DELETE', '/ui/none'],
  ['GET', '/api/v1/nothing'],
  ['GET', '/media/none'],
])('X5: a refusal is no page, wherever it is: %s %s', async (method, path) => {
  for (const prefix of ['', '/pods']) {
    await using app = await startTestApp({ env: { SUB_DIRECTORY: prefix } })
    const { status, headers } = await app.fetch(path, { method })
    expect(status).toBeOneOf([404, 405])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
  }
})

test('X5: every page has a policy of our own scripts alone, also below a prefix and behind a proxy; no answer may be framed', async () => {
  const proxied = { 'X-Forwarded-Prefix': '/pod', 'X-Forwarded-Host': 'pod.example', 'X-Forwarded-Proto': 'https' }
  const modes = [
    { env: {}, headers: {} },
    { env: withPasswords, headers: proxied },
    {
      env: { ...withPasswords, SUB_DIRECTORY: '/castellan', SERVER_URL: 'https://pod.example/castellan' },
      headers: {},
    },
    { env: { REVERSE_PROXY: 'true' }, headers: proxied },
  ]
  for (const { env, headers } of modes) {
    await using app = await startTestApp({ env })
    for (const path of ['/ui/', '/ui', '/ui/podcasts', '/ui/nothing/here', '/ui/?code=1&state=2']) {
      const page = await app.fetch(path, { headers })
      const policy = page.headers.get('content-security-policy')!
      expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/=]+';/)
      for (const part of [
        "default-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "style-src 'self'",
      ])
        expect(policy).toContain(part)
      expect(policy).not.toMatch(/unsafe|\*|script-src[^;]*(data:|blob:|https?:)/)
    }
    for (const path of [
      '/',
      '/ui/',
      '/ui/nothing/here',
      '/ui/assets/none.js',
      '/api/v1/sys/config',
      '/api/v1/podcasts',
      '/nothing',
      '/healthz',
      '/rss',
      '/media/x',
      '/covers/podcasts/x',
      '/api/2/devices/root.json',
      '/clientconfig.json',
    ]) {
      const answer = await app.fetch(path, { headers })
      expect([path, Object.fromEntries(answer.headers)]).toEqual([
        path,
        expect.objectContaining({
          'x-frame-options': 'DENY',
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'same-origin',
          'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
        }),
      ])
      if (!path.startsWith('/ui')) expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  }
})
