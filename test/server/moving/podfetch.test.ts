import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { writePodfetch, type Generation } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { moveIn, openWorld } from './world'

const expected = {
  podcasts: ['/alpha.xml | Alpha | 1 | 0', '/beta.xml | Beta | 0 | 0', '/gone.xml | Gone | 1 | 0'],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 1',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/alpha.xml | dropped | Title dropped | 0 | 0',
    '/beta.xml | a1 | Title b1 | 1 | 0',
    '/beta.xml | b2 | Title b2 | 1 | 0',
    '/gone.xml | g1 | Title g1 | 0 | 0',
  ],
  favourites: ['admin | /beta.xml', 'alice | /alpha.xml'],
  tags: ['alice | Coast | Red | /alpha.xml'],
  preferences: [],
  rules: [],
  positions: [
    'admin | /alpha.xml | a4 | 400 | - | 0 | 1770112800000 | import-podfetch',
    'admin | /gone.xml | g1 | 500 | 1800 | 0 | 1770112800000 | import-podfetch',
    // The newest report, of whatever device.
    'alice | /alpha.xml | a1 | 200 | 1800 | 0 | 1770026400250 | import-podfetch',
    // Within ten seconds of the end.
    'alice | /alpha.xml | a2 | 1800 | 1800 | 1 | 1770112800000 | import-podfetch',
    // Two podcasts share this guid.
    'alice | /beta.xml | a1 | 300 | 1800 | 0 | 1769943600000 | import-podfetch',
  ],
  likes: ['admin | /alpha.xml | dropped'],
  queue: [],
  bookmarks: [],
  playlists: ['alice | Trip | 0 | dropped', 'alice | Trip | 1 | a1'],
}

const report = [
  'episodes taken: 2',
  'likes taken: 1',
  'playlists taken: 2',
  'podcasts left-out not-on-the-web: 1',
  'podcasts taken: 3',
  'positions left-out no-account: 1',
  'positions left-out not-in-the-feed: 1',
  'positions left-out nothing-played: 1',
  'positions taken: 5',
  'removed taken: 1',
  'subscriptions left-out no-account: 1',
  'subscriptions taken: 2',
  'tags taken: 1',
]

/** Moves a server of this generation in, where alice has an account and zoe has none. */
async function moveServer(generation: Generation, sql = '') {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  await app.signUp('alice')
  const path = writePodfetch(join(temporaryFolder(), 'podcast.db'), host.origin, generation)
  changeForeign(path, sql)
  await moveIn(app, path)
  const found = { dump: dumpOf(app.folder, host.origin), report: reportOf(app.folder) }
  await app[Symbol.asyncDispose]()
  host.stop()
  return found
}

test('a server that names users in its rows comes over', async () => {
  expect(await moveServer('A')).toEqual({ dump: expected, report })
})

test('a server that numbers its users comes over', async () => {
  expect(await moveServer('B')).toEqual({ dump: expected, report })
})

test('a server with random ids comes over, with its waiting list and the positions of Audiobookshelf apps', async () => {
  const { dump, report: found } = await moveServer('C')
  const positions = expected.positions.with(
    2,
    'alice | /alpha.xml | a1 | 1800 | 1800 | 1 | 1772359200000 | import-podfetch',
  )
  const queue = ['alice | 0 | /beta.xml | a1', 'alice | 1 | /alpha.xml | a4']
  expect(dump).toEqual({ ...expected, positions, queue })
  expect(found).toEqual(
    report.flatMap(line => (line === 'positions taken: 5' ? ['positions taken: 6', 'queue taken: 2'] : [line])),
  )
})

test('the only person of a server is the one who moves, whatever their name is', async () => {
  const onlyZoe = `DELETE FROM users WHERE username = 'alice'; DELETE FROM favorites WHERE username = 'alice';
    DELETE FROM episodes WHERE username = 'alice'`
  const { dump } = await moveServer('A', onlyZoe)
  expect(dump.favourites).toEqual(['admin | /alpha.xml', 'admin | /beta.xml'])
  expect(dump.positions[0]).toBe('admin | /alpha.xml | a1 | 700 | 1800 | 0 | 1770112800000 | import-podfetch')
})
