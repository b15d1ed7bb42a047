import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/server/config'
import { examineProxies } from '../../../src/server/upkeep/doctor/services'
import { feedLimits } from '../../../src/server/feeds/fetch/fetch'
import { proxyFor, publicOnly } from '../../../src/server/outbound/reach'
import { createOutbound } from '../../../src/server/outbound/request'
import { refusal, startTestApp } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { certificate, certificateKey, trustCertificate } from '../../support/certificate'
import { fileOf, settled, sha, stall, stateOf, withEpisode } from '../../support/downloads'
import { serveBytes, startFeedHost } from '../../support/feed-host'
import { startForwardProxy } from '../../support/forward-proxy'
import { freePort } from '../../support/ports'

const FEED = 'http://pod.example/feed.xml'
const credentials = { user: 'mara', password: 'pa:ss w0rd' }
const withCredentials = (host: string) => `http://mara:pa%3Ass%20w0rd@${host}`
/** The password in every form in which it could leak. */
const secrets = ['pa:ss w0rd', 'pa%3Ass%20w0rd', btoa('mara:pa:ss w0rd')]

test('a feed comes through the proxy by its name, and the password of the proxy stays with the proxy', async () => {
  using host = startFeedHost()
  host.feed('/feed.xml', rss({ title: 'Fog' }))
  using proxy = await startForwardProxy(host.origin, { credentials })
  await using app = await startTestApp({ env: { http_proxy: withCredentials(proxy.host) }, resolve: noNames })
  app.prefill(0)
  expect(await app.podcasts.add(FEED)).toMatchObject({ name: 'Fog' })
  expect(proxy.requests).toContain(`GET ${FEED}`)
  expect(host.requests[0]!.headers.get('host')).toBe('pod.example')

  const wrong = withCredentials(proxy.host).replace('mara', 'nobody')
  await using other = await startTestApp({ env: { PROXY: wrong, LOG_LEVEL: 'debug' }, resolve: noNames })
  const refused = (await refusal(other.podcasts.add(FEED))) as Error
  expect(refused).toMatchObject({ code: 'proxy-failed', message: expect.stringMatching(/^The proxy .*407$/) as string })
  const answers = await Promise.all(
    ['/api/v1/info', '/metrics', '/readyz', '/api/v1/sys/info'].map(async path => (await app.fetch(path)).text()),
  )
  const [finding] = await examineProxies(other.context.config)
  const shown = [...app.lines, ...other.lines, ...answers, refused.message, finding!.text].join('\n')
  for (const secret of secrets) expect(shown).not.toContain(secret)
})

test('a feed by https comes through a tunnel, in which the certificate of the host counts', async () => {
  const body = rss({ title: 'Fog' })
  const seen: string[] = []
  using host = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { cert: certificate, key: certificateKey },
    fetch({ headers }) {
      seen.push(...headers.keys())
      return new Response(body, { headers: { 'Content-Type': 'application/rss+xml' } })
    },
  })
  using proxy = await startForwardProxy(`http://127.0.0.1:${host.port}`, { credentials })
  await using app = await startTestApp({ env: { HTTPS_PROXY: withCredentials(proxy.host) }, resolve: noNames })
  app.prefill(0)
  expect(await refusal(app.podcasts.add('https://pod.example/feed.xml'))).toMatchObject({ code: 'feed-unreachable' })
  using _ = trustCertificate()
  expect(await app.podcasts.add('https://pod.example/feed.xml')).toMatchObject({ name: 'Fog' })
  expect(new Set(proxy.requests)).toEqual(new Set(['CONNECT pod.example:443']))
  expect(seen).not.toContain('proxy-authorization')
})

test('hosts of NO_PROXY are called directly, at an address that was checked', async () => {
  using host = startFeedHost()
  const { port } = new URL(host.origin)
  host.feed('/feed.xml', rss({}))
  using proxy = await startForwardProxy(host.origin)
  const env = { PROXY: proxy.address, NO_PROXY: 'other.test, .example' }
  await using app = await startTestApp({ env, resolve: async () => ['127.0.0.1'] })
  app.prefill(0)
  await app.podcasts.add(`http://pod.example:${port}/feed.xml`)
  expect(proxy.requests).toEqual([])
  const outbound = createOutbound(app.context.config, async () => ['127.0.0.1'])
  expect(await refusal(outbound.get(FEED, { reach: publicOnly }))).toMatchObject({ code: 'address-not-allowed' })
})

test.each([
  ['http://pod.example/', '', true],
  ['http://pod.example/', 'pod.example', false],
  ['http://cdn.pod.example/', 'pod.example', false],
  ['http://cdn.pod.example/', '*.POD.example', false],
  ['http://notpod.example/', 'pod.example', true],
  ['http://pod.example/', 'other.test .example', false],
  ['http://pod.example/', '*', false],
  ['http://pod.example:81/', 'pod.example:80', true],
  ['http://pod.example/', 'pod.example:80', false],
  ['https://pod.example/', 'pod.example:443', false],
  ['http://93.184.216.34/', '', true],
  ['http://93.184.216.34/', '93.184.0.0/16', false],
  ['http://[2606:2800:220:1::1]/', '[2606:2800::]/32', false],
  ['http://[2606:2800:220:1::1]/', '10.0.0.0/8', true],
  ['http://10.0.0.1/', '', false],
  ['http://[::ffff:10.0.0.1]/', '', false],
  ['http://2130706433/', '', false],
  ['http://169.254.169.254/', '', false],
  ['http://metadata.google.internal./', '', false],
  ['http://localhost/', '', false],
  ['http://printer/', '', false],
  ['http://nas.LAN/', '', false],
] as const)('%s with NO_PROXY=%s goes through the proxy: %p', (address, except, isProxied) => {
  const config = readConfig({ PROXY: 'http://proxy.example:3128', NO_PROXY: except })
  const { podcastProxies: proxies } = config
  expect(proxyFor({ ...config, proxies }, new URL(address)) !== null).toBe(isProxied)
})

test('PROXY is for podcasts alone and comes before the others, and no mistake repeats a password', () => {
  const { proxies, podcastProxies } = readConfig({
    HTTP_PROXY: 'plain.example:1',
    HTTPS_PROXY: 'https://safe.example',
    https_proxy: 'http://lower.example:2',
    PROXY: 'http://pods.example:3',
  })
  expect(proxies).toMatchObject({ http: 'http://plain.example:1/', https: 'http://lower.example:2/' })
  expect(podcastProxies).toMatchObject({ http: 'http://pods.example:3/', https: 'http://pods.example:3/' })
  expect(() => readConfig({ PROXY: 'socks5://mara:secret@proxy.example' })).toThrow(
    /^PROXY is not a proxy: (?!.*secret)/,
  )
})

test('S2: a redirect behind the proxy leads to no private address, no local name and not to this server', async () => {
  using host = startFeedHost()
  using inside = startFeedHost('127.0.0.2')
  using proxy = await startForwardProxy(host.origin)
  inside.on('/secret', () => new Response('secret'))
  const env = { PROXY: proxy.address, SERVER_URL: 'http://castellan.example' }
  const config = readConfig(env)
  const outbound = createOutbound({ ...config, proxies: config.podcastProxies }, async () => ['127.0.0.2'])
  const { port } = new URL(inside.origin)
  for (const target of [`${inside.origin}/secret`, `http://nas.lan:${port}/secret`, 'http://castellan.example/api']) {
    proxy.requests.length = 0
    host.on('/hop', () => Response.redirect(target))
    const refused = await refusal(outbound.get('http://pod.example/hop', { reach: publicOnly }))
    expect(refused).toMatchObject({ code: 'address-not-allowed' })
    expect(proxy.requests).toEqual(['GET http://pod.example/hop'])
  }
  expect(inside.requests).toEqual([])
})

test('ALLOWED_NETWORKS, and a feed that must stay within them, are reached directly', async () => {
  using host = startFeedHost()
  const { port } = new URL(host.origin)
  host.on('/x', () => new Response('x'))
  using proxy = await startForwardProxy(host.origin)
  const config = readConfig({ HTTP_PROXY: proxy.address, ALLOWED_NETWORKS: '127.0.0.0/8, 93.184.216.0/24' })
  const outbound = createOutbound(config, async () => ['127.0.0.1'])
  const reach = { home: 'nas.example', networksOnly: true }
  expect((await outbound.get(`http://nas.example:${port}/x`, { reach })).response.status).toBe(200)
  expect(proxy.requests).toEqual([])
  expect(proxyFor(config, new URL('http://93.184.216.34/'))).toBeNull()
})

test('neither moving in from another server nor signing in goes through PROXY', async () => {
  using host = startFeedHost()
  using proxy = await startForwardProxy(host.origin)
  const env = { PROXY: proxy.address, OIDC_AUTH: 'true', OIDC_AUTHORITY: 'http://login.example', OIDC_CLIENT_ID: 'c' }
  const asked: string[] = []
  const resolve = async (name: string) => noNames((asked.push(name), name))
  await using app = await startTestApp({ env, resolve })
  const { moves, admin } = app.context
  const login = { address: 'http://sync.example', user: 'u', password: 'p', isAdmin: true }
  expect(await refusal(moves.startFromServer(admin, login))).not.toBeNull()
  expect(await refusal(app.withHeader('Bearer a.b.c').users.me())).not.toBeNull()
  expect([...new Set(asked)].toSorted()).toEqual(['login.example', 'sync.example'])
  expect(proxy.requests).toEqual([])
})

test.each([
  ['is away', 'away', 'proxy-failed'],
  ['wants other credentials', 407, 'proxy-failed'],
  ['forbids the host', 403, 'proxy-failed'],
  ['hangs', 'hang', 'proxy-failed'],
  ['cannot reach the host', 503, 'feed-unreachable'],
] as const)('a proxy that %s is named as the cause', async (_, answer, code) => {
  using proxy = await startForwardProxy('http://127.0.0.1:1', { answer: answer === 'away' ? null : answer })
  const HTTPS_PROXY = answer === 'away' ? `http://127.0.0.1:${freePort()}` : proxy.address
  await using app = await startTestApp({ env: { HTTPS_PROXY }, feedLimits: { ...feedLimits, headersMs: 300 } })
  const refused = await refusal(app.podcasts.add('https://pod.example/feed.xml'))
  expect(refused).toMatchObject({ code, message: expect.stringMatching(/^The proxy /) as string })
})

test('a caller who gives up ends a request that a proxy keeps waiting', async () => {
  using proxy = await startForwardProxy('http://127.0.0.1:1', { answer: 'hang' })
  const outbound = createOutbound(readConfig({ HTTP_PROXY: proxy.address }))
  const caller = new AbortController()
  const refused = refusal(outbound.get(FEED, { reach: publicOnly, signal: caller.signal }))
  caller.abort('stopping')
  expect(await refused).toBe('stopping')
})

test('a download through the proxy is paused and resumed where it was', async () => {
  using host = startFeedHost()
  using proxy = await startForwardProxy(host.origin)
  const env = { PROXY: proxy.address, NO_PROXY: '' }
  await using app = await startTestApp({ env, resolve: noNames })
  const bytes = noise(3_000_000, 3)
  let isHeld = true
  // The addresses of the feed and the file are names that only the proxy knows.
  const byName = {
    ...host,
    on: (path: string, handler: Parameters<typeof host.on>[1]) => named(host.on(path, handler)),
  }
  const feed = (path: string, body: string | Uint8Array) => named(host.feed(path, body))
  const episode = await withEpisode(app, { ...byName, feed }, request =>
    isHeld ? stall(bytes, 2_000_000) : serveBytes(request, bytes, 'audio/mpeg', '"v1"'),
  )
  const { id } = await app.episodes.download(episode.episode_id)
  await app.event('downloadProgress', event => event.receivedBytes >= 1_900_000 || event.state === 'done')
  await app.downloads.pause(id)
  app.events.length = 0
  proxy.answer(407)
  await app.downloads.resume(id)
  await settled(app, 'waiting')
  expect(await stateOf(app)).toMatchObject({ errorCode: 'proxy-failed' })
  proxy.answer(null)
  isHeld = false
  await app.downloads.resume(id)
  await app.event('downloadFinished')
  expect(host.requestsTo('/media/a.mp3').at(-1)!.headers.get('range')).toMatch(/^bytes=[1-9]\d*-$/)
  expect(sha(await Bun.file(fileOf(app)).arrayBuffer())).toBe(sha(bytes))
  expect(proxy.requests.filter(line => line === 'GET http://pod.example/media/a.mp3').length).toBeGreaterThan(1)
})

test('a patient request goes through the proxy too', async () => {
  using host = startFeedHost()
  host.on('/x', () => new Response('all of it'))
  using proxy = await startForwardProxy(host.origin, { credentials })
  const outbound = createOutbound(readConfig({ HTTP_PROXY: withCredentials(proxy.host) }), noNames)
  const { response } = await outbound.get('http://pod.example/x', { reach: publicOnly, isPatient: true })
  expect(await response.text()).toBe('all of it')
  expect(proxy.requests).toEqual(['GET http://pod.example/x'])
})

test('the doctor says of each proxy whether it works', async () => {
  using host = startFeedHost()
  using good = await startForwardProxy(host.origin)
  using strict = await startForwardProxy(host.origin, { credentials })
  const env = { PROXY: strict.address, HTTP_PROXY: good.address, HTTPS_PROXY: `http://127.0.0.1:${freePort()}` }
  expect((await examineProxies(readConfig(env))).map(({ level, text }) => [level, text.slice(0, 60)])).toEqual([
    ['problem', expect.stringContaining(`the proxy ${strict.host} does not work`)],
    ['fine', `the proxy ${good.host} answers`],
    ['problem', expect.stringContaining('does not work. The proxy cannot be')],
  ] as never)
  using silent = await startForwardProxy(host.origin, { answer: 'hang' })
  expect(await examineProxies(readConfig({ PROXY: silent.address }), 200)).toMatchObject([{ level: 'problem' }])
  expect(await examineProxies(readConfig({}))).toEqual([])
})

/** Resolves nothing: behind a proxy, only the proxy knows names. */
async function noNames(name: string): Promise<string[]> {
  throw new Error(`${name} was looked up`)
}

const named = (address: string) => address.replace(/^http:\/\/[^/]+/, 'http://pod.example')
