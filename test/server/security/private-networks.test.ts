import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/server/config'
import { publicOnly } from '../../../src/server/outbound/reach'
import { createOutbound } from '../../../src/server/outbound/request'
import { goodPassword, refusal, startTestApp, withPasswords, type TestApp } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { startIssuer } from '../../support/issuer'
import { listenForKnocks, PUBLIC, watchCalls } from '../../support/knocks'
import { appOf } from '../../support/podcast-app'
import { freePort } from '../../support/ports'

// One address of this machine stands for the internet, all others are private. What lies elsewhere is not really
// called.
const INTERNET = '127.0.0.9'
const allowed = { ALLOWED_NETWORKS: `${INTERNET}/32` }

const names: Record<string, string[]> = {
  'loop.example': ['127.0.0.1'],
  'six.example': ['::1'],
  'lan.example': ['192.168.1.1'],
  'metadata.example': ['169.254.169.254'],
  'both.example': [PUBLIC, '127.0.0.1'],
}

/** `rebound.example` is public when it is looked at, and private when it is called. */
function createResolver() {
  let times = 0
  return async (name: string) => {
    if (name === 'rebound.example') return [times++ === 0 ? PUBLIC : '127.0.0.1']
    const found = names[name]
    if (!found) throw new Error('no such name')
    return found
  }
}

const places = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0x7f.1',
  '127.0.0.1.',
  'localhost',
  '0.0.0.0',
  '0',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '100.100.100.200',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fd00::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  'user@127.0.0.1',
  'user:word@127.0.0.1',
  `${INTERNET}@127.0.0.1`,
  ...Object.keys(names),
  'rebound.example',
]

const otherSchemes = [
  'file:///etc/passwd',
  'ftp://127.0.0.1/x',
  'gopher://127.0.0.1/x',
  'data:text/xml,<rss/>',
  'blob:http://127.0.0.1/x',
  's3://bucket/key',
  'unix:///var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/x',
  'jar:http://127.0.0.1/x',
  'javascript:1',
]

const targetsAt = (port: number) => [...places.map(place => `http://${place}:${port}/x`), ...otherSchemes]

async function startPrivateWorld() {
  const knocks = listenForKnocks()
  const host = startFeedHost(INTERNET)
  const app = await startTestApp({
    env: { ...withPasswords, ...allowed, USER_PODCAST_LIMIT: '1000' },
    resolve: createResolver(),
    directoryAddresses: { itunes: `${host.origin}/itunes`, podindex: host.origin },
    feedLimits: { maxBytes: 1e6, headersMs: 60_000, idleMs: 60_000, totalMs: 60_000 },
  })
  app.prefill(0)
  const calls = watchCalls()
  return {
    knocks,
    host,
    app,
    user: await app.signUp('alice'),
    uploader: await app.signUp('carol', 'uploader'),
    targets: targetsAt(knocks.port),
    /** Nobody knocked, and nobody was called but the internet. */
    expectNobodyCalled() {
      expect([...new Set(calls.called)].filter(name => name !== INTERNET && name !== PUBLIC)).toEqual([])
      expect(knocks.knocks()).toBe(0)
    },
    async [Symbol.asyncDispose]() {
      calls[Symbol.dispose]()
      await app[Symbol.asyncDispose]()
      host.stop()
      knocks[Symbol.dispose]()
    },
  }
}

test('S1: nobody but an admin makes the server call a private address, however it is spelled', async () => {
  await using world = await startPrivateWorld()
  const { host, user, uploader, targets } = world
  const own = await uploader.podcasts.add(host.feed('/own.xml', rss({ title: 'Own' })))
  const codes = await Promise.all(
    targets.map(async (target, index) => {
      const hop = host.on(`/hop/${index}`, () => new Response(null, { status: 302, headers: { Location: target } }))
      const far = host.on(`/far/${index}`, () => Response.redirect(hop, 307))
      const link = `<link rel="alternate" type="application/rss+xml" href="${Bun.escapeHTML(target)}">`
      const page = host.on(
        `/page/${index}`,
        () => new Response(`<html><head>${link}`, { headers: { 'Content-Type': 'text/html' } }),
      )
      const attempts = [
        ...[target, hop, far, page].flatMap(address => [user.podcasts.add(address), uploader.podcasts.add(address)]),
        uploader.client.put(`/podcasts/${own.id}/feed`, { rssFeedUrl: target }),
        user.client.post('/podcasts/opml', { url: target }),
        user.client.post('/podcasts/opml/preview', { url: hop }),
      ]
      const refused = (await Promise.all(attempts.map(refusal))) as ({ code: string } | null)[]
      return refused.map(error => error?.code ?? 'let in')
    }),
  )
  const usual = new Set(['address-not-allowed', 'invalid-field', 'feed-unreachable', 'not-a-feed', 'bad-request'])
  expect([...new Set(codes.flat())].filter(code => !usual.has(code))).toEqual([])
  world.expectNobodyCalled()
  expect(await uploader.podcasts.list()).toHaveLength(1)
})

test('S1: nothing that a feed names leads into a private network: pages, pictures, media, chapters, transcripts', async () => {
  await using world = await startPrivateWorld()
  const { app, host, uploader, targets } = world
  const escaped = targets.map(target => Bun.escapeHTML(target))
  const items = escaped.map((target, index) => ({
    guid: `item-${index}`,
    title: `Item ${index}`,
    enclosure: targets[index]!,
    image: target,
    extra: `<podcast:chapters url="${target}" type="application/json+chapters"/>
      <podcast:transcript url="${target}" type="text/vtt"/><podcast:transcript url="${target}" type="application/srt"/>
      <podcast:alternateEnclosure type="audio/mpeg" length="9"><podcast:source uri="${target}"/></podcast:alternateEnclosure>`,
  }))
  const whole = await uploader.podcasts.add(host.feed('/items.xml', rss({ items })))
  // Chapters within the feed and their pictures; and enclosures that look right, and then lead elsewhere.
  const hops = targets.map((target, index) => ({
    guid: `hop-${index}`,
    enclosure: host.on(`/hop/${index}.mp3`, () => new Response(null, { status: 302, headers: { Location: target } })),
    extra: `<podcast:chapters url="${host.origin}/chapters/${index}" type="application/json+chapters"/>`,
  }))
  for (const [index, img] of targets.entries())
    host.on(`/chapters/${index}`, () =>
      Response.json({ version: '1.2.0', chapters: [{ startTime: 0, title: 'c', img, url: img }] }),
    )
  // A feed of the internet: its own address is public.
  const { store } = app.context
  const row = store.podcasts.findVisible(uploader.row, whole.id)!
  store.podcasts.move(row.id, row.feed_url, row.feed_url, { privacy: 0, keepsCredential: false })
  const hopping = await uploader.podcasts.add(host.feed('/hops.xml', rss({ title: 'Hops', items: hops })))
  const channels = await Promise.all(
    escaped.map((target, index) =>
      uploader.podcasts.add(
        host.feed(
          `/channel/${index}.xml`,
          rss({
            title: `Channel ${index}`,
            image: target,
            link: target,
            extra: `<itunes:new-feed-url>${target}</itunes:new-feed-url><atom:link rel="next" href="${target}"/>
            <atom:link rel="self" href="${target}"/><podcast:chapters url="${target}"/>`,
          }),
        ),
      ),
    ),
  )

  const get = async (path: string) => {
    const response = await app.fetch(path, { headers: { Authorization: uploader.authorization! } })
    return [response.status, await response.text()] as const
  }
  const episodes = (await Promise.all([whole, hopping].map(({ id }) => allEpisodes(uploader, id)))).flat()
  expect(episodes.length).toBeGreaterThan(2 * places.length - 10)
  const answers = await Promise.all([
    ...episodes.flatMap(({ id, eid }) => [
      get(`/media/${eid}.mp3`),
      get(`/covers/episodes/${id}`),
      get(`/api/v1/podcasts/episodes/${id}/chapters`),
      get(`/api/v1/podcasts/episodes/${id}/transcript`),
    ]),
    ...[...channels, whole].map(({ id }) => get(`/covers/podcasts/${id}`)),
  ])
  expect(answers.filter(([, text]) => text.includes('secret'))).toEqual([])
  const chapters = await Promise.all(episodes.map(({ id }) => get(`/api/v1/podcasts/episodes/${id}/chapters`)))
  const pictures = chapters.flatMap(([, text]) =>
    [...text.matchAll(/\/covers\/chapters\/[\w-]+/g)].map(([path]) => path),
  )
  await Promise.all(pictures.map(get))
  await Promise.all(episodes.map(({ eid }) => refusal(uploader.episodes.download(eid))))
  await app.context.downloads.settled()
  await Promise.all(
    channels.map(({ id }) => app.context.refresh.refresh(app.context.store.podcasts.findVisible(uploader.row, id)!.id)),
  )
  await app.context.covers.fetchDue()
  await app.context.texts.fetchDue()
  await app.context.texts.settled()
  world.expectNobodyCalled()
})

async function allEpisodes(uploader: Awaited<ReturnType<TestApp['signUp']>>, id: string) {
  const { data } = await uploader.podcasts.episodes(id, { limit: 200 }, null)
  return data.map(({ podcastEpisode }) => ({ id: podcastEpisode.id, eid: podcastEpisode.episode_id }))
}

test('S1: nor does a list of feeds, a podcast app, or a directory', async () => {
  await using world = await startPrivateWorld()
  const { app, host, user, uploader, targets } = world
  const outlines = targets.map(target => `<outline type="rss" text="x" xmlUrl="${Bun.escapeHTML(target)}"/>`).join('')
  const opml = `<opml version="2.0"><body>${outlines}</body></opml>`
  await uploader.client.post('/podcasts/opml', { content: opml })
  await uploader.client
    .post('/podcasts/opml', { url: host.on('/list.opml', () => new Response(opml)) })
    .catch(() => null)
  await app.event('opmlProgress', event => event.finished && event.total >= places.length)

  await user.client.put('/users/me/sync', { autoAdd: true })
  const phone = appOf(app, 'alice')
  await phone.saveDevice('phone', { caption: 'Phone', type: 'mobile' })
  await phone.subscribe('phone', targets)
  await phone.cloud('POST', 'subscription_change/create', { add: targets, remove: [] })

  for (const [index, feedUrl] of targets.entries()) {
    host.on('/itunes/lookup', () => Response.json({ results: [{ trackId: index, trackName: 'x', feedUrl }] }))
    expect(await refusal(uploader.client.post('/podcasts/itunes', { trackId: index }))).not.toBeNull()
  }
  world.expectNobodyCalled()
})

test('S1: the provider of single sign-on leads nowhere else in a private network', async () => {
  using knocks = listenForKnocks()
  using provider = await startIssuer()
  const { issuer } = provider
  provider.host.on('/.well-known/openid-configuration', () =>
    Response.json({ issuer, jwks_uri: `http://127.0.0.2:${knocks.port}/keys` }),
  )
  await using app = await startTestApp({ env: provider.env })
  expect(await refusal(app.withHeader(`Bearer ${await provider.token()}`).users.me())).toMatchObject({ status: 504 })
  expect(knocks.knocks()).toBe(0)
})

test('S1: an answer does not tell a port that is open from one that is closed', async () => {
  await using world = await startPrivateWorld()
  const failureAt = async (port: number) => {
    const error = (await refusal(world.user.podcasts.add(`http://127.0.0.1:${port}/x`))) as Error & { args: object }
    return [error.message, error.args]
  }
  expect(await failureAt(world.knocks.port)).toEqual(await failureAt(freePort()))
  // Nor in an allowed network: a host that hangs up looks like a closed port.
  using mute = Bun.listen({ hostname: INTERNET, port: 0, socket: { open: socket => void socket.end(), data() {} } })
  const failureFar = async (port: number) => {
    const error = (await refusal(world.user.podcasts.add(`http://${INTERNET}:${port}/x`))) as Error & { args: object }
    return [error.message, error.args]
  }
  expect(await failureFar(mute.port)).toEqual(await failureFar(freePort()))
})

test('S1: a name that stands for another address later leads there neither at the next hop nor at the next check', async () => {
  using knocks = listenForKnocks()
  using host = startFeedHost(INTERNET)
  let answers = [INTERNET]
  const config = readConfig(allowed)
  const outbound = createOutbound(config, async () => answers)
  const reach = await outbound.reachOf(`http://nas.example/`, false)
  host.on('/hop', () => {
    answers = ['127.0.0.1']
    return Response.redirect(`http://nas.example:${knocks.port}/x`)
  })
  const { port } = new URL(host.origin)
  expect(await refusal(outbound.get(`http://nas.example:${port}/hop`, { reach }))).toMatchObject({
    code: 'address-not-allowed',
  })
  expect(await refusal(outbound.get(`http://nas.example:${knocks.port}/x`, { reach }))).toMatchObject({
    code: 'address-not-allowed',
  })
  expect(knocks.knocks()).toBe(0)
  expect(host.requests).toHaveLength(1)
})

test('S1: credentials of machines in clouds are out of reach, for admins and within ALLOWED_NETWORKS too', async () => {
  const outbound = createOutbound(readConfig({ ALLOWED_NETWORKS: '0.0.0.0/0,::/0' }), createResolver())
  using calls = watchCalls()
  for (const place of [
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '168.63.129.16',
    'metadata.example',
  ]) {
    const refused = await Promise.all([
      refusal(outbound.reachOf(`http://${place}/`, true)),
      refusal(outbound.get(`http://${place}/`, { reach: { home: place } })),
      refusal(outbound.get(`http://${place}/`, { reach: publicOnly })),
    ])
    for (const error of refused) expect(error).toMatchObject({ code: 'address-not-allowed' })
  }
  expect(calls.called).toEqual([])
})

test('S1: schemes other than http and https are never fetched', async () => {
  const outbound = createOutbound(readConfig({}))
  using calls = watchCalls()
  for (const address of otherSchemes)
    expect(await refusal(outbound.get(address, { reach: { home: 'localhost' } }))).toMatchObject({
      code: 'address-not-allowed',
    })
  expect(calls.called).toEqual([])
})

test('S4: in ALLOWED_NETWORKS everybody adds feeds, elsewhere in private an admin alone, and the refusal says why', async () => {
  using inside = startFeedHost(INTERNET)
  using outside = startFeedHost('127.0.0.7')
  await using app = await startTestApp({ env: { ...withPasswords, ...allowed, USER_PODCAST_LIMIT: '9' } })
  app.prefill(0)
  const alice = await app.signUp('alice')
  await app.signUp('ada', 'admin')
  expect(await alice.podcasts.add(inside.feed('/a.xml', rss({ title: 'A' })))).toMatchObject({ name: 'A' })
  const lan = outside.feed('/b.xml', rss({ title: 'B', items: [{ enclosure: outside.file('/b.mp3', silentMp3(2)) }] }))
  expect(await refusal(alice.podcasts.add(lan))).toMatchObject({
    status: 422,
    code: 'address-not-allowed',
    args: { field: 'rssFeedUrl' },
  })
  const { id } = await app.as('ada', goodPassword).podcasts.add(lan)
  // Everybody can play what an admin added.
  const { data } = await alice.podcasts.episodes(id, {}, null)
  const address = data[0]!.podcastEpisode.local_url.replace('http://localhost', '')
  expect((await app.fetch(address)).status).toBe(200)
})
