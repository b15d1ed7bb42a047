import { expect, test } from 'bun:test'
import { basic, goodPassword, startClock, startTestApp, withPasswords } from '../../support/app'
import { rss, silentMp3 } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { HOUR, refresh } from '../../support/refreshing'

const MINUTE = 60_000
const begin = Date.UTC(2026, 4, 1, 12)
const at = (ms: number) => new Date(begin + ms).toISOString()

type Live = { status?: string; start?: number; guid?: string; url?: string; more?: string }
const liveItem = ({
  status = 'pending',
  start = 3 * HOUR,
  guid = 'show-7',
  url = 'https://cdn.example/live.mp3',
  more = '',
}: Live = {}) =>
  `<podcast:liveItem status="${status}" start="${at(start)}" end="${at(start + HOUR)}"><title>Storm night</title><guid isPermaLink="false">${guid}</guid>
<enclosure url="${url}" type="audio/mpeg" length="0"/>${more}
<podcast:contentLink href="https://video.example/live">Watch</podcast:contentLink><podcast:contentLink href="https://other.example/live">Elsewhere</podcast:contentLink>
<podcast:chat server="irc.zeronode.net" protocol="irc" accountId="@mara" space="#lighthouse"/></podcast:liveItem>`

test('a live item is read with its streams, links and chat, plays without an end, and is published again', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const url = host.on(
    '/live.mp3',
    () => new Response(silentMp3(2) as Uint8Array<ArrayBuffer>, { headers: { 'Content-Type': 'audio/mpeg' } }),
  )
  const more = `<podcast:alternateEnclosure type="audio/ogg" bitrate="32000" title="Small"><podcast:source uri="${host.origin}/small"/></podcast:alternateEnclosure>
<podcast:alternateEnclosure type="application/x-mpegURL"><podcast:source uri="https://cdn.example/live.m3u8"/></podcast:alternateEnclosure>`
  const { id } = await app.podcasts.add(
    host.feed('/feed.xml', rss({ extra: liveItem({ status: 'live', url, more }), items: [{}] })),
  )

  const [live] = (await app.podcasts.find(id)).extras.live!
  expect(live).toEqual({
    id: expect.stringMatching(/^\w+$/),
    guid: 'show-7',
    status: 'live',
    title: 'Storm night',
    start: at(3 * HOUR),
    end: at(4 * HOUR),
    url: 'https://video.example/live',
    contentLinks: [
      { href: 'https://video.example/live', text: 'Watch' },
      { href: 'https://other.example/live', text: 'Elsewhere' },
    ],
    chat: [{ server: 'irc.zeronode.net', protocol: 'irc', accountId: '@mara', space: '#lighthouse' }],
    streams: [
      { type: 'audio/mpeg', local_url: expect.any(String) },
      { type: 'audio/ogg', title: 'Small', bitrate: 32_000, local_url: expect.any(String) },
    ],
  })
  const { pathname, search } = new URL(live!.streams[0]!.local_url)
  const response = await app.fetch(pathname + search, { headers: { Range: 'bytes=0-' } })
  expect([response.status, response.headers.get('content-type'), response.headers.get('accept-ranges')]).toEqual([
    200,
    'audio/mpeg',
    'none',
  ])
  expect((await response.arrayBuffer()).byteLength).toBe(silentMp3(2).byteLength)
  expect(host.requestsTo('/live.mp3')[0]!.headers.get('range')).toBeNull()
  host.on('/small', () => new Response('<script>', { headers: { 'Content-Type': 'text/html' } }))
  const small = new URL(live!.streams[1]!.local_url)
  expect(await (await app.fetch(small.pathname + small.search)).json()).toMatchObject({
    errorCode: 'media-unreachable',
  })
  expect((await app.fetch(`/media/live/${id}/none`)).status).toBe(404)

  const feed = await (await app.fetch(`/rss/${id}`)).text()
  expect(feed).toContain(
    `<podcast:liveItem status="live" start="${at(3 * HOUR)}" end="${at(4 * HOUR)}"><title>Storm night</title>`,
  )
  expect(feed).toContain(`<enclosure url="${live!.streams[0]!.local_url}" type="audio/mpeg" length="0"/>`)
  expect(feed).toContain('<podcast:source uri="https://cdn.example/live.m3u8" contentType="application/x-mpegurl"/>')
  expect(feed).toContain('<podcast:contentLink href="https://other.example/live">Elsewhere</podcast:contentLink>')
  expect(feed).toContain(
    '<podcast:chat server="irc.zeronode.net" protocol="irc" accountId="@mara" space="#lighthouse"/>',
  )
})

test('streams, forms and trailers are asked for as the feed is: with its password and under its name', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const answer = () =>
    new Response(silentMp3(2) as Uint8Array<ArrayBuffer>, { headers: { 'Content-Type': 'audio/mpeg' } })
  for (const path of ['/live.mp3', '/trailer.mp3', '/small.mp3']) host.on(path, answer)
  const form = `<podcast:alternateEnclosure type="audio/mpeg"><podcast:source uri="${host.origin}/small.mp3"/></podcast:alternateEnclosure>`
  const extra = `<podcast:trailer url="${host.origin}/trailer.mp3" pubdate="Thu, 01 Jan 2026 08:00:00 GMT">Soon</podcast:trailer>${liveItem({ status: 'live', url: `${host.origin}/live.mp3` })}`
  const feed = host.feed('/feed.xml', rss({ extra, items: [{ title: 'Fog', extra: form }] }))
  const { id } = await app.podcasts.add(feed.replace('//', '//mara:sea@'))
  await app.podcasts.editSettings(id, { userAgent: 'Curlew/1' })
  const { extras } = await app.podcasts.find(id)
  const fog = (await app.podcasts.episodes(id, { text: 'Fog' }, null)).data[0]!.podcastEpisode
  const addresses = [
    extras.live![0]!.streams[0]!.local_url,
    (await app.episodes.find(extras.trailers![0]!.episode!)).podcastEpisode.local_url,
    (await app.episodes.find(fog.episode_id)).extras.forms![0]!.local_url,
  ]
  for (const address of addresses) {
    const { pathname, search } = new URL(address)
    expect((await app.fetch(pathname + search)).status).toBe(200)
  }
  for (const path of ['/live.mp3', '/trailer.mp3', '/small.mp3']) {
    const { headers } = host.requestsTo(path)[0]!
    expect([path, headers.get('user-agent'), headers.get('authorization')]).toEqual([
      path,
      'Curlew/1',
      basic('mara', 'sea'),
    ])
  }
})

test('the feed of a stream that is near is checked often, but not for ever, and its start is told once', async () => {
  using host = startFeedHost()
  const clock = startClock(begin)
  await using app = await startTestApp({ env: withPasswords, now: clock })
  app.prefill(0)
  const root = app.withHeader(basic('root', 'Sup3rSecret'))
  await app.signUp('alice')
  await app.signUp('bob')
  const [alice, bob] = ['alice', 'bob'].map(name => app.withHeader(basic(name, goodPassword)))
  const feed = (live: Live) => host.feed('/feed.xml', rss({ extra: liveItem(live), items: [{}] }))
  const { id } = await root.podcasts.add(feed({}))
  await alice!.podcasts.favour(id, true)
  const wait = () => app.context.store.podcasts.findVisible(app.context.admin, id)!.next_check_at - clock()
  const due = async () => {
    const before = host.requestsTo('/feed.xml').length
    await app.refreshDue()
    return host.requestsTo('/feed.xml').length > before
  }

  expect(wait()).toBeLessThanOrEqual(3 * HOUR - 5 * MINUTE)
  clock.advance(3 * HOUR - 5 * MINUTE)
  expect(await due()).toBe(true)
  expect(wait()).toBe(2 * MINUTE)
  clock.advance(5 * MINUTE)
  feed({ status: 'live' })
  expect(await due()).toBe(true)
  const unread = async (person: typeof root) =>
    (await person.notifications.unread()).map(({ typeOfMessage, message, podcastId }) => [
      typeOfMessage,
      message,
      podcastId,
    ])
  const told = [['LiveStarted', 'Storm night', id]]
  expect(await Promise.all([root, alice!, bob!].map(unread))).toEqual([told, told, []])
  expect(wait()).toBe(10 * MINUTE)

  // Told once, whatever else changes.
  clock.advance(10 * MINUTE)
  feed({ status: 'live', start: 3 * HOUR + 1 })
  expect(await due()).toBe(true)
  expect(await unread(root)).toEqual(told)
  clock.advance(10 * MINUTE)
  feed({ status: 'ended' })
  expect(await due()).toBe(true)
  expect(wait()).toBeGreaterThan(10 * MINUTE)
})

test('a stream that never begins is looked for less and less, and one that is on at first is told to nobody', async () => {
  using host = startFeedHost()
  const clock = startClock(begin)
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const { id } = await app.podcasts.add(
    host.feed(
      '/feed.xml',
      rss({ extra: liveItem({ start: 0 }) + liveItem({ status: 'live', guid: 'on', start: -7 * HOUR }), items: [{}] }),
    ),
  )
  expect(await app.notifications.unread()).toEqual([])
  const next = () => app.context.store.podcasts.findVisible(app.context.admin, id)!.next_check_at - clock()
  let checks = 0
  for (const until = begin + 12 * HOUR; clock() < until; checks++) {
    clock.advance(next())
    await app.refreshDue()
  }
  expect(checks).toBeGreaterThan(30)
  expect(checks).toBeLessThan(90)
})

test('a stream that a feed has called live for hours is told to nobody', async () => {
  using host = startFeedHost()
  const clock = startClock(begin)
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  host.feed('/feed.xml', rss({ extra: liveItem({ status: 'live', start: -7 * HOUR }), items: [{}] }))
  await refresh(app, id)
  expect(await app.notifications.unread()).toEqual([])
})

test('an address of a live item is shown and published without the password in it', async () => {
  using host = startFeedHost()
  await using app = await startTestApp({ now: startClock(begin) })
  app.prefill(0)
  const extra = liveItem({ url: 'https://mara:secret@cdn.example/live.mp3' }).replaceAll(
    '//video',
    '//mara:secret@video',
  )
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ extra, items: [{}] })))
  const { live } = (await app.podcasts.find(id)).extras
  expect(live![0]).toMatchObject({ url: 'https://video.example/live', contentLinks: [{ text: 'Watch' }, {}] })
  expect(JSON.stringify(live)).not.toContain('secret')
  expect(await (await app.fetch(`/rss/${id}`)).text()).not.toContain('secret')
})

test('a feed that begins a new stream with every reading tells of a few a day', async () => {
  using host = startFeedHost()
  const clock = startClock(begin)
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  for (let count = 0; count < 4; count++) {
    const many = Array.from({ length: 30 }, (_, index) =>
      liveItem({ status: 'live', guid: `${count}-${index}`, more: 'x'.repeat(1000) }),
    )
    host.feed('/feed.xml', rss({ extra: many.join(''), items: [{}] }))
    await refresh(app, id)
  }
  expect(await app.notifications.unread()).toHaveLength(5)
  expect((await app.podcasts.find(id)).extras.live).toHaveLength(20)
})
