import { expect, test } from 'bun:test'
import { refusal, startClock, startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { absLogin, openAudiobookshelf } from '../../support/foreign/audiobookshelf-server'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { openWorld } from './world'

const expected = {
  bookmarks: ['admin | g1 | 70 | At 70 | 1769940000000'],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/beta.xml | a1 | Title b1 | 1 | 0',
    '/beta.xml | b2 | Title b2 | 1 | 0',
    '/gone.xml | g1 | Title g1 | 0 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /beta.xml', 'admin | /gone.xml'],
  likes: [],
  playlists: ['admin | Trip | 0 | a2', 'admin | Trip | 1 | a1'],
  podcasts: ['/alpha.xml | Alpha | 1 | 0', '/beta.xml | Beta | 1 | 0', '/gone.xml | Gone | 1 | 0'],
  positions: [
    'admin | /alpha.xml | a1 | 90 | 1800 | 0 | 1769940000000 | import-audiobookshelf-server',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1769940000001 | import-audiobookshelf-server',
    'admin | /gone.xml | g1 | 20 | 1800 | 0 | 1767484800000 | import-audiobookshelf-server',
  ],
  preferences: [],
  queue: [],
  rules: ['/alpha.xml | 1 | - | -', '/beta.xml | 0 | - | -', '/gone.xml | 0 | - | -'],
  tags: ['admin | 5 | Blue | /alpha.xml', 'admin | Coast | Green | /alpha.xml'],
}
const report = [
  'bookmarks left-out several-episodes: 1',
  'bookmarks taken: 1',
  'episodes taken: 1',
  'playlists taken: 2',
  'podcasts left-out not-on-the-web: 1',
  'podcasts taken: 3',
  'positions left-out not-in-the-feed: 1',
  'positions left-out nothing-played: 1',
  'positions left-out podcast-left-out: 1',
  'positions taken: 3',
  'rules taken: 3',
  'subscriptions taken: 3',
  'tags taken: 2',
]

async function startMoving(options: Parameters<typeof openAudiobookshelf>[1] = {}) {
  const host = startFeedHost()
  openWorld(host)
  const address = openAudiobookshelf(host, options)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const { moves, admin } = app.context
  const start = (more: { password?: string } = {}, from: string | null = null) =>
    moves.startFromServer(admin, { address, isAdmin: true, ...absLogin, ...more, from })
  return {
    host,
    context: app.context,
    start,
    dump: () => dumpOf(app.folder, host.origin),
    report: () => reportOf(app.folder),
    async move() {
      await start()
      moves.resume()
      await moves.settled()
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      host.stop()
    },
  }
}

test('podcasts of an Audiobookshelf come over with what the person who signs in has played', async () => {
  await using world = await startMoving()
  await world.move()
  expect(world.dump()).toEqual(expected)
  const { store, admin } = world.context
  expect(store.playlists.listFor(admin.id)).toMatchObject([{ name: 'Trip', description: 'For the train' }])
  expect(world.report()).toEqual(report)
  await world.move()
  expect(world.dump()).toEqual(expected)
  expect(world.report().join()).not.toContain('taken')
})

test('a sign-in that runs out meanwhile is repeated, and an older server has one token', async () => {
  await using world = await startMoving({ tokenLasts: 3, isOld: true })
  await world.move()
  expect(world.dump()).toEqual(expected)
  expect(world.host.requestsTo('/login').length).toBeGreaterThan(2)
})

test('a wrong password, a server without a token and another kind are refused', async () => {
  await using world = await startMoving()
  const refused = async (...args: Parameters<typeof world.start>) =>
    ((await refusal(world.start(...args))) as Error).message
  expect(await refused({ password: 'wrong' })).toContain('refuses this user name or password')
  expect(await refused({}, 'gpodder-server')).toBe('This is not a server for --from gpodder-server')
  world.host.on('/login', () => Response.json({ user: { accessToken: 'a\r\nb' } }))
  expect(await refused()).toMatch(/^127\.0\.0\.1:\d+ gave no token for the sign-in$/)
  world.host.on('/login', () => new Response('slow down', { status: 429 }))
  expect(await refused()).toContain('answered 429 to /login')
})
