import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { login, openGpodderServer, openNextcloud } from '../../support/foreign/gpodder-server'
import { openWorld } from './world'

const expected = {
  bookmarks: [],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/beta.xml | a1 | Title b1 | 1 | 0',
    '/beta.xml | b2 | Title b2 | 1 | 0',
    '/gone.xml | /g1.mp3 | g1.mp3 | 0 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /beta.xml', 'admin | /gone.xml'],
  likes: [],
  playlists: [],
  podcasts: ['/alpha.xml | Alpha | 1 | 0', '/beta.xml | Beta | 1 | 0', '/gone.xml | Title 2 | 1 | 0'],
  positions: [
    'admin | /alpha.xml | a1 | 300 | 1800 | 0 | 1769940300000 | import-gpodder-server',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1769940120000 | import-gpodder-server',
    'admin | /alpha.xml | a3 | 0 | - | 1 | 1769940180000 | import-gpodder-server',
    'admin | /beta.xml | a1 | 100 | 1800 | 0 | 1769940240000 | import-gpodder-server',
    'admin | /gone.xml | /g1.mp3 | 100 | 1800 | 0 | 1777636800000 | import-gpodder-server',
  ],
  preferences: [],
  queue: [],
  rules: [],
  tags: [],
}
const report = [
  'episodes taken: 1',
  'podcasts left-out not-on-the-web: 1',
  'podcasts taken: 3',
  'positions left-out nothing-played: 1',
  'positions left-out podcast-left-out: 1',
  'positions taken: 5',
  'subscriptions taken: 3',
]

/** A server that tells no titles. */
const untitled = () => ({ ...expected, podcasts: expected.podcasts.with(2, '/gone.xml | 127.0.0.1 | 1 | 0') })

async function startMoving() {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const { moves, admin } = app.context
  return {
    host,
    app,
    dump: () => dumpOf(app.folder, host.origin),
    report: () => reportOf(app.folder),
    async move(address: string, from: string | null = null) {
      await moves.startFromServer(admin, { address, isAdmin: true, ...login, from })
      moves.resume()
      await moves.settled()
    },
    /** The message with which a server is refused, and that nothing is left of it. */
    async refused(address: string, more: { isAdmin?: boolean; password?: string } = {}) {
      const { message } = (await refusal(
        moves.startFromServer(admin, { address, isAdmin: true, ...login, ...more }),
      )) as Error
      const folder = join(app.folder, 'moving')
      expect(readdirSync(app.folder).includes('moving') ? readdirSync(folder) : []).toEqual([])
      return message
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('subscriptions and positions of a gPodder server come over, page by page', async () => {
  await using world = await startMoving()
  const address = openGpodderServer(world.host)
  await world.move(`${address}/`)
  expect(world.dump()).toEqual(expected)
  expect(world.report()).toEqual(report)
  await world.move(address)
  expect(world.dump()).toEqual(expected)
  expect(world.report().join()).not.toContain('taken')
})

test('a server that has lists of devices alone comes over, also below a path', async () => {
  await using world = await startMoving()
  await world.move(
    openGpodderServer(world.host, { prefix: '/sync', isByDevice: true, pageSize: 100 }),
    'gpodder-server',
  )
  expect(world.dump()).toEqual(untitled())
})

test('a Nextcloud with GPodder Sync comes over', async () => {
  await using world = await startMoving()
  await world.move(openNextcloud(world.host))
  expect(world.dump()).toEqual(untitled())
})

test('the password is kept nowhere, and goes to no other host', async () => {
  await using world = await startMoving()
  using other = startFeedHost()
  const address = openGpodderServer(world.host)
  other.on('/there', () => Response.json([]))
  world.host.on('/subscriptions/mara.json', () => Response.redirect(`${other.origin}/there`))
  await world.move(address)
  const [request] = other.requestsTo('/there')
  expect(request!.headers.get('authorization')).toBeNull()
  expect(request!.headers.get('cookie')).toBeNull()
  const files = readdirSync(world.app.folder, { recursive: true, withFileTypes: true }).filter(one => one.isFile())
  const everything = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join()
  const encoded = Buffer.from(`${login.user}:${login.password}`).toString('base64')
  for (const secret of [login.password, encoded])
    expect([everything.includes(secret), world.app.lines.join().includes(secret)]).toEqual([false, false])
})

test('what a person signs in with is never sent along a redirect', async () => {
  await using world = await startMoving()
  using other = startFeedHost()
  const address = openGpodderServer(world.host)
  other.on('/login', () => new Response(''))
  world.host.on('/api/2/auth/mara/login.json', () => Response.redirect(`${other.origin}/login`, 307))
  expect(await world.refused(address)).toContain('redirects to another address')
  expect(other.requests).toEqual([])
})

test('a server that sends everybody to another host is refused before the sign-in', async () => {
  await using world = await startMoving()
  using other = startFeedHost()
  other.on('/status', () => Response.json({}))
  const elsewhere = other.origin.replace('127.0.0.1', 'localhost')
  const address = openGpodderServer(world.host)
  world.host.on('/status', () => Response.redirect(`${elsewhere}/status`))
  expect(await world.refused(address)).toBe(`The server redirects to ${new URL(elsewhere).host}. Give that address.`)
  expect(world.host.requestsTo('/api/2/auth/mara/login.json')).toEqual([])
})

test('a move that was interrupted goes on without the server', async () => {
  using host = startFeedHost()
  openWorld(host)
  const folder = temporaryFolder()
  const app = await startTestApp({ folder, now: startClock() })
  app.prefill(0)
  const { moves, admin } = app.context
  await moves.startFromServer(admin, { address: openGpodderServer(host), isAdmin: true, ...login })
  await app[Symbol.asyncDispose]()
  host.on('/api/2/auth/mara/login.json', () => new Response('gone', { status: 500 }))
  host.on('/api/2/episodes/mara.json', () => new Response('gone', { status: 500 }))
  await using after = await startTestApp({ folder, now: startClock() })
  after.context.moves.resume()
  await after.context.moves.settled()
  expect(dumpOf(folder, host.origin)).toEqual(expected)
})

test('the copy of a server that somebody has changed is refused', async () => {
  await using world = await startMoving()
  const { moves, admin } = world.app.context
  const path = join(temporaryFolder(), 'copy.json')
  const head = '{"copyOf":"gpodder-server"}\n'
  for (const [line, message] of [
    ['{"is":', 'damaged'],
    ['5', 'damaged'],
    ['null', 'damaged'],
    [`{"is": "${'x'.repeat(2_000_000)}"}`, 'a line of more than'],
  ]) {
    writeFileSync(path, head + line)
    expect(await refusal(moves.start(admin, path))).toMatchObject({ message: expect.stringContaining(message!) })
  }
})

test('a server that cannot be read is refused with the reason', async () => {
  await using world = await startMoving()
  const { host, refused } = world
  const address = openGpodderServer(host)
  const { host: name } = new URL(address)
  expect(await refused(address, { password: 'wrong' })).toBe(`${name} refuses this user name or password`)
  expect(await refused(address, { isAdmin: false })).toContain('may not be reached from here')
  expect(await refused(address.replace('//', '//mara:x@'))).toContain('without a user name and password')
  expect(await refused('ftp://x.example/')).toContain('begins with https://')
  expect(await refused('http://127.0.0.1:1/')).toContain('could not be reached')
  const answer = (body: string | Response) =>
    host.on('/api/2/episodes/mara.json', () => (typeof body === 'string' ? new Response(body) : body))
  answer('<html>')
  expect(await refused(address)).toContain('an unexpected answer to /api/2/episodes/mara.json')
  answer(new Response('later', { status: 503 }))
  expect(await refused(address)).toContain('answered 503')
  answer(`{"actions":[${'{},'.repeat(2_000_000)}{}]}`)
  expect(await refused(address)).toContain('more than 2000000 entries at once')
  answer(new Response(Bun.gzipSync(new Uint8Array(80 * 1024 * 1024)), { headers: { 'Content-Encoding': 'gzip' } }))
  expect(await refused(address)).toBe(`${name} sends more than 15 MB at once`)
  answer('['.repeat(1_000_000))
  expect(await refused(address)).toContain('gave an unexpected answer')
})

test('a server without an end is refused, and so is one that sends more than fits', async () => {
  await using world = await startMoving()
  const address = openGpodderServer(world.host)
  let count = 0
  world.host.on('/api/2/episodes/mara.json', () => Response.json({ actions: [{}], timestamp: ++count }))
  expect(await world.refused(address)).toBe('The server does not come to an end')
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20)
  const endless = () =>
    new ReadableStream({
      pull: controller => controller.enqueue(megabyte),
    })
  world.host.on('/api/2/episodes/mara.json', () => new Response(endless()))
  expect(await world.refused(address)).toContain('more than is accepted')
})
