import { expect, test } from 'bun:test'
import { readConfig } from '../../../src/server/config'
import { createCookieJar, createOutbound } from '../../../src/server/outbound/request'
import { startTestApp } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { settled } from '../../support/downloads'
import { type Handler, startFeedHost } from '../../support/feed-host'

const reach = { home: '127.0.0.1' }

/** Answers whoever brings back the cookie that it sets in a redirect to itself. */
const behindCookie =
  (answer: () => Response): Handler =>
  ({ headers }, { pathname }) =>
    headers.get('cookie') === 'seen=1; other=2'
      ? answer()
      : new Response(null, {
          status: 307,
          headers: [
            ['Set-Cookie', 'seen=1; Path=/'],
            ['Set-Cookie', 'other=2; Path=/; HttpOnly'],
            ['Location', pathname],
          ],
        })

test('a feed, a file and a stream are fetched from a host that sets cookies in a redirect', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const file = noise(40_000)
  const enclosure = host.on(
    '/a.mp3',
    behindCookie(() => new Response(file as BodyInit, { headers: { 'Content-Type': 'audio/mpeg' } })),
  )
  const body = rss({ items: [{ enclosure }] })
  const address = host.on(
    '/feed.xml',
    behindCookie(() => new Response(body, { headers: { 'Content-Type': 'application/rss+xml' } })),
  )
  const podcast = await app.podcasts.add(address)
  expect(host.requestsTo('/feed.xml').map(({ status }) => status)).toEqual([307, 200])

  const { data } = await app.podcasts.episodes(podcast.id, {}, null)
  const stream = await app.fetch(new URL(data[0]!.podcastEpisode.local_url).pathname)
  expect((await stream.bytes()).byteLength).toBe(40_000)

  const ended = settled(app, 'done', 'failed')
  await app.podcasts.downloadAll(podcast.id)
  expect((await ended).state).toBe('done')
})

test.each([false, true])('cookies end with the chain of redirects that set them (patient: %p)', async isPatient => {
  using host = startFeedHost()
  const outbound = createOutbound(readConfig({}))
  const address = host.on(
    '/x',
    behindCookie(() => new Response('x')),
  )
  for (const _ of [1, 2]) expect((await outbound.get(address, { reach, isPatient })).response.status).toBe(200)
  expect(host.requests.map(({ headers }) => headers.get('cookie'))).toEqual([
    null,
    'seen=1; other=2',
    null,
    'seen=1; other=2',
  ])
})

test('a cookie goes to the host that set it and to no other', async () => {
  using host = startFeedHost()
  using other = startFeedHost('127.0.0.2')
  other.on('/x', () => Response.redirect(`${host.origin}/end`))
  host.on('/end', () => new Response('x'))
  host.on(
    '/x',
    () => new Response(null, { status: 302, headers: { 'Set-Cookie': 'a=1', Location: `${other.origin}/x` } }),
  )
  await createOutbound(readConfig({ ALLOWED_NETWORKS: '127.0.0.2' })).get(`${host.origin}/x`, { reach })
  expect(other.requests[0]!.headers.get('cookie')).toBeNull()
  expect(host.requestsTo('/end')[0]!.headers.get('cookie')).toBe('a=1')
})

test('the cookie of the caller stays beside those of the host', async () => {
  using host = startFeedHost()
  host.on('/end', () => new Response('x'))
  host.on('/x', () => new Response(null, { status: 302, headers: { 'Set-Cookie': 'a=1', Location: '/end' } }))
  await createOutbound(readConfig({})).get(`${host.origin}/x`, { reach, privateHeaders: { Cookie: 'mine=1' } })
  expect(host.requests.map(({ headers }) => headers.get('cookie'))).toEqual(['mine=1', 'mine=1; a=1'])
})

test.each([
  ['a=1', 'https://pod.example/shows/y', 'a=1'],
  ['a=1', 'https://pod.example/other', ''],
  ['a=1; Path=/', 'https://pod.example/other', 'a=1'],
  ['a=1; Path=/sho', 'https://pod.example/shows/y', ''],
  ['a=1; Path=/', 'https://cdn.pod.example/', ''],
  ['a=1; Path=/; Domain=.pod.example', 'https://cdn.pod.example/', 'a=1'],
  ['a=1; Path=/; Domain=other.example', 'https://other.example/', ''],
  ['a=1; Path=/; Domain=example', 'https://other.example/', ''],
  ['a=1; Path=/; Secure', 'http://pod.example/', ''],
  ['a=1; Path=/; Secure', 'https://pod.example/', 'a=1'],
  ['a=1; Path=/; Max-Age=0', 'https://pod.example/', ''],
  ['a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'https://pod.example/', ''],
  ['a=x=y; Path=/; Max-Age=60', 'https://pod.example/', 'a=x=y'],
  ['=1; Path=/', 'https://pod.example/', ''],
  [`a=${'x'.repeat(5000)}; Path=/`, 'https://pod.example/', ''],
])('%p, set by https://pod.example/shows/x, sends %p the cookie %p', (set, address, sent) => {
  const jar = createCookieJar()
  jar.keep(new URL('https://pod.example/shows/x'), new Headers({ 'Set-Cookie': set }))
  expect(jar.headerFor(new URL(address))).toBe(sent)
})

test('a later cookie replaces and removes an earlier one, and there are at most fifty', () => {
  const jar = createCookieJar()
  const url = new URL('https://pod.example/')
  const set = (text: string) => jar.keep(url, new Headers({ 'Set-Cookie': text }))
  set('a=1')
  set('a=2')
  expect(jar.headerFor(url)).toBe('a=2')
  set('a=; Max-Age=0')
  expect(jar.headerFor(url)).toBe('')
  for (let number = 0; number < 60; number++) set(`n${number}=1`)
  expect(jar.headerFor(url).split('; ')).toHaveLength(50)
})
