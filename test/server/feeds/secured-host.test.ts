import { expect, test } from 'bun:test'
import { mayCarry } from '../../../src/server/outbound/credentials'
import { startTestApp, type TestApp } from '../../support/app'
import { noise, rss } from '../../support/builders'
import { certificate, certificateKey, trustCertificate } from '../../support/certificate'
import { settled } from '../../support/downloads'
import { startFeedHost, type Handler } from '../../support/feed-host'
import { startForwardProxy } from '../../support/forward-proxy'

const FEED = 'http://pod.example/feed.xml'
const FILE = 'http://pod.example/a.mp3'
const body = rss({ items: [{ enclosure: FILE }] })

const forMembers =
  (answer: () => Response): Handler =>
  ({ headers }) =>
    headers.get('authorization') ? answer() : new Response('members only', { status: 401 })

/** `pod.example` as http and as https, with a feed and a file for members at its https address. */
async function startMembersHost() {
  const plain = startFeedHost()
  const secure = startFeedHost('127.0.0.1', { cert: certificate, key: certificateKey })
  const proxy = await startForwardProxy(plain.origin, { secure: secure.origin })
  const trust = trustCertificate()
  const app = await startTestApp({ env: { PROXY: proxy.address } })
  app.prefill(0)
  const file = noise(50_000)
  secure.on(
    '/feed.xml',
    forMembers(() => new Response(body, { headers: { 'Content-Type': 'application/rss+xml' } })),
  )
  secure.on(
    '/a.mp3',
    forMembers(() => new Response(file as BodyInit, { headers: { 'Content-Type': 'audio/mpeg' } })),
  )
  return {
    plain,
    secure,
    app,
    redirectToSecure: (path: string) => plain.on(path, () => Response.redirect(`https://pod.example${path}`, 301)),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      trust.mockRestore()
      for (const part of [plain, secure, proxy]) part[Symbol.dispose]()
    },
  }
}

const row = ({ context }: TestApp) => context.store.podcasts.find(1)!

/** Downloads the one episode; the state in which that ends. */
async function download(app: TestApp) {
  const ended = settled(app, 'done', 'failed')
  const [podcast] = await app.podcasts.list()
  await app.podcasts.downloadAll(podcast!.id)
  return (await ended).state
}

test('a feed with a password moves to the https address of its host, and its password goes along', async () => {
  await using world = await startMembersHost()
  const { plain, secure, app } = world
  plain.on(
    '/feed.xml',
    forMembers(() => new Response(body, { headers: { 'Content-Type': 'application/rss+xml' } })),
  )
  await app.podcasts.add(FEED.replace('//', '//mara:secret@'))
  expect(row(app)).toMatchObject({ feed_url: FEED, has_credentials: 1 })

  world.redirectToSecure('/feed.xml')
  await app.context.refresh.refresh(1, { isAsked: true })
  expect(row(app)).toMatchObject({
    feed_url: 'https://pod.example/feed.xml',
    has_credentials: 1,
    error_code: null,
  })
  await app.context.refresh.refresh(1, { isAsked: true })
  expect(secure.requests.map(({ status }) => status)).toEqual([200, 200])
})

test('a feed that is added at the http address of its host is stored at the https one, with its password', async () => {
  await using world = await startMembersHost()
  world.redirectToSecure('/feed.xml')
  await world.app.podcasts.add(FEED.replace('//', '//mara:secret@'))
  expect(row(world.app)).toMatchObject({ feed_url: 'https://pod.example/feed.xml', has_credentials: 1 })
})

test('http files of an https feed are fetched by https where its password is wanted, and never with it by http', async () => {
  await using world = await startMembersHost()
  const { plain, secure, app } = world
  await app.podcasts.add('https://mara:secret@pod.example/feed.xml')
  plain.on('/a.mp3', () => new Response('members only', { status: 401 }))
  expect(await download(app)).toBe('done')
  expect(secure.requestsTo('/a.mp3')).toMatchObject([{ status: 200 }])
  expect(plain.requests.map(({ headers }) => headers.get('authorization'))).toEqual([null])
})

test('http files of an https feed that redirect to https get its password there', async () => {
  await using world = await startMembersHost()
  await world.app.podcasts.add('https://mara:secret@pod.example/feed.xml')
  world.redirectToSecure('/a.mp3')
  expect(await download(world.app)).toBe('done')
})

test.each([
  ['http://a.example/x', 'http://a.example/y', true],
  ['http://a.example/x', 'https://a.example/y', true],
  ['http://a.example:80/x', 'https://a.example:443/y', true],
  ['http://a.example:8080/x', 'https://a.example:8080/y', true],
  ['https://a.example/x', 'http://a.example/x', false],
  ['http://a.example/x', 'https://b.example/x', false],
  ['http://a.example/x', 'https://www.a.example/x', false],
  ['http://a.example/x', 'https://a.example:8443/x', false],
  ['http://a.example:8080/x', 'https://a.example/x', false],
  ['http://a.example/x', 'http://a.example:8080/x', false],
])('a password for %s may go to %s: %p', (from, to, expected) => expect(mayCarry(from, to)).toBe(expected))
