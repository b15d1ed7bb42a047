import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { oddTitle, writePinepods } from '../../support/foreign/pinepods'
import { changeForeign } from '../../support/foreign/write'
import { writeDump, type DumpStyle } from '../../support/foreign/write-dump'
import { moveIn, openWorld } from './world'

const expected = {
  podcasts: [
    '/alpha.xml | Alpha | 1 | 0',
    '/beta.xml | Beta | 1 | 0',
    `/gone.xml | ${oddTitle} | 1 | 0`,
    '/members.xml | Members | 1 | 1',
  ],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/alpha.xml | dropped | Title dropped | 0 | 0',
    '/beta.xml | a1 | Title b1 | 1 | 0',
    '/beta.xml | b2 | Title b2 | 1 | 0',
    '/gone.xml | same | Title g1 | 0 | 0',
    `/gone.xml | same#/g2.mp3 | ${oddTitle} | 0 | 0`,
    '/members.xml | m1 | Title m1 | 1 | 0',
  ],
  favourites: [
    'admin | /alpha.xml',
    'admin | /gone.xml',
    'admin | /members.xml',
    'alice | /alpha.xml',
    'alice | /members.xml',
  ],
  tags: [],
  preferences: ['admin | /alpha.xml | 1.5 | - | 30 | 0'],
  rules: ['/alpha.xml | 1 | - | -'],
  positions: [
    'admin | /alpha.xml | a1 | 600 | 1800 | 0 | 1772359200000 | import-pinepods',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1772362800000 | import-pinepods',
    // Marked as played by hand: without a time of its own it counts from the day of the episode.
    'admin | /alpha.xml | a3 | 1800 | 1800 | 1 | 1767398400000 | import-pinepods',
    'admin | /gone.xml | same | 30 | 1800 | 0 | 1767225600000 | import-pinepods',
    'admin | /gone.xml | same#/g2.mp3 | 40 | 1800 | 0 | 1772370000000 | import-pinepods',
    'alice | /alpha.xml | a1 | 100 | 1800 | 0 | 1772445600250 | import-pinepods',
    // The newest report of a podcast app.
    'alice | /alpha.xml | a2 | 1800 | 1800 | 1 | 1772400000000 | import-pinepods',
    'alice | /alpha.xml | a3 | 200 | 1800 | 0 | 1772449200000 | import-pinepods',
  ],
  likes: ['admin | /alpha.xml | dropped'],
  queue: ['alice | 0 | /alpha.xml | a4', 'alice | 1 | /members.xml | m1'],
  bookmarks: [],
  playlists: [
    'admin | Commute | 0 | dropped',
    'admin | Commute | 1 | a1',
    'alice | Trip | 0 | a2',
    'alice | Trip | 1 | a1',
  ],
}

const report = [
  'episodes taken: 3',
  'likes taken: 1',
  'playlists taken: 4',
  'podcasts left-out not-on-the-web: 2',
  'podcasts taken: 4',
  'positions left-out no-account: 1',
  'positions left-out nothing-played: 3',
  'positions taken: 8',
  'preferences taken: 1',
  'queue left-out not-on-the-web: 1',
  'queue taken: 2',
  'rules taken: 1',
  'subscriptions left-out no-account: 1',
  'subscriptions taken: 5',
]

/** Moves a server in, where alice has an account and zoe has none. */
async function moveServer(style: DumpStyle, { times = 1, sql = '' } = {}) {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  await app.signUp('alice')
  const folder = temporaryFolder()
  const database = writePinepods(join(folder, 'server'), host.origin)
  changeForeign(database, sql)
  const path = writeDump(join(folder, 'dump.sql'), database, style)
  for (let time = 0; time < times; time++) await moveIn(app, path)
  const found = { dump: dumpOf(app.folder, host.origin), report: reportOf(app.folder), lines: app.lines.join() }
  await app[Symbol.asyncDispose]()
  host.stop()
  return found
}

test.each(['postgres', 'mysql', 'mariadb'] as const)('a server with %s comes over', async style => {
  const { dump, report: found, lines } = await moveServer(style)
  expect(dump).toEqual(expected)
  expect(found).toEqual(report)
  expect(lines).not.toContain('sea:side')
})

test('a second run changes nothing, and says that everything is here', async () => {
  const { dump, report: found } = await moveServer('postgres', { times: 2 })
  expect(dump).toEqual(expected)
  expect(found.filter(line => line.includes(' taken'))).toEqual([])
})

test('the only person of a server is the one who moves, whatever their name is', async () => {
  const onlyZoe = 'DELETE FROM Users WHERE UserID IN (2, 3); DELETE FROM Podcasts WHERE UserID IN (2, 3)'
  const { dump } = await moveServer('postgres', { sql: onlyZoe })
  expect(dump.favourites).toEqual(['admin | /beta.xml'])
  expect(dump.positions).toEqual(['admin | /beta.xml | a1 | 700 | 1800 | 0 | 1772445600000 | import-pinepods'])
})

test('people come with roles and passwords where that is wanted', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  const path = writePinepods(join(temporaryFolder(), 'pinepods.db'), host.origin)
  await moveIn(app, writeDump(`${path}.sql`, path, 'postgres'), app.context.admin, null, true)
  const { users } = app.context.store
  const known = users.list().map(({ username, role, password_kind }) => `${username} ${role} ${password_kind}`)
  expect(known).toEqual(['admin admin null', 'alice user null', 'zoe user null'])
})
