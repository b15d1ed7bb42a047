import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, moreOf, reportOf } from '../../support/foreign/dump'
import { writePodfetch, type Generation } from '../../support/foreign/podfetch'
import { changeForeign } from '../../support/foreign/write'
import { writeDump, type DumpStyle } from '../../support/foreign/write-dump'
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
  rules: ['/alpha.xml | 0 | - | -', '/gone.xml | - | - | -'],
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

/** Out of bounds is nothing, and what is switched off does not count. */
const settings = [
  '/alpha.xml | 1 | 1 | 30 | 5 | 1 | 0 | 1 | remove | 0 | - | {podcastTitle}',
  '/gone.xml | 0 | - | - | - | - | - | - | - | - | - | -',
]
const listened = [
  // As much as fits into an hour at the fastest rate.
  'admin | /alpha.xml | a4 | 491698 | 10800',
  'alice | /alpha.xml | a1 | 491650 | 90',
  'alice | /alpha.xml | a1 | 491651 | 45',
  'alice | /alpha.xml | dropped | 491000 | 20',
]
const transcripts = ['/alpha.xml | a1 | en | parsed | 1 | 1 | 0', '/gone.xml | g1 | en | parsed | 1 | 1 | 0']
const users = ['alice | user | 0 | ours']

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
  'rules taken: 2',
  'subscriptions left-out no-account: 1',
  'subscriptions taken: 2',
  'tags taken: 1',
]

const hours = ['listened left-out no-account: 1', 'listened left-out no-time: 1', 'listened taken: 4']

/** Moves a server of this generation in, where alice has an account and zoe has none. */
async function moveServer(generation: Generation, { sql = '', style = null as DumpStyle | null } = {}) {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  await app.signUp('alice')
  const path = writePodfetch(join(temporaryFolder(), 'podcast.db'), host.origin, generation)
  changeForeign(path, sql)
  await moveIn(app, style ? writeDump(`${path}.sql`, path, style) : path)
  await app.context.indexer.run()
  const [dump, more] = [dumpOf(app.folder, host.origin), moreOf(app.folder, host.origin)]
  const found = { dump, more, report: reportOf(app.folder) }
  await app[Symbol.asyncDispose]()
  host.stop()
  return found
}

test('a server that names users in its rows comes over', async () => {
  const more = { users, settings, listened: [], transcripts: [] }
  expect(await moveServer('A')).toEqual({ dump: expected, more, report })
})

test('a server that numbers its users comes over', async () => {
  const more = { users, settings, listened, transcripts: [] }
  const withHours = report.toSpliced(2, 0, ...hours)
  expect(await moveServer('B')).toEqual({ dump: expected, more, report: withHours })
})

test('a server with random ids comes over, with its waiting list, positions of Audiobookshelf apps and transcripts', async () => {
  const { dump, more, report: found } = await moveServer('C')
  const positions = expected.positions.with(
    2,
    'alice | /alpha.xml | a1 | 1800 | 1800 | 1 | 1772359200000 | import-podfetch',
  )
  const queue = ['alice | 0 | /beta.xml | a1', 'alice | 1 | /alpha.xml | a4']
  expect(dump).toEqual({ ...expected, positions, queue })
  expect(more).toEqual({ users, settings, listened, transcripts })
  const whole = report
    .toSpliced(2, 0, ...hours)
    .flatMap(line => (line === 'positions taken: 5' ? ['positions taken: 6', 'queue taken: 2'] : [line]))
  expect(found).toEqual([...whole, 'transcripts left-out empty: 1', 'transcripts taken: 2'])
})

test.each(['postgres', 'mysql', 'mariadb'] as const)('a server with %s comes over, new or old', async style => {
  for (const generation of ['A', 'C'] as const)
    expect(await moveServer(generation, { style })).toEqual(await moveServer(generation))
})

test('the only person of a server is the one who moves, whatever their name is', async () => {
  const onlyZoe = `DELETE FROM users WHERE username = 'alice'; DELETE FROM favorites WHERE username = 'alice';
    DELETE FROM episodes WHERE username = 'alice'`
  const { dump } = await moveServer('A', { sql: onlyZoe })
  expect(dump.favourites).toEqual(['admin | /alpha.xml', 'admin | /beta.xml'])
  expect(dump.positions[0]).toBe('admin | /alpha.xml | a1 | 700 | 1800 | 0 | 1770112800000 | import-podfetch')
})
