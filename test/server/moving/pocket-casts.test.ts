import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { writeList, writePocketCasts } from '../../support/foreign/pocket-casts'
import { changeForeign } from '../../support/foreign/write'
import { writeZip } from '../../support/foreign/zip'
import { moveIn, openWorld } from './world'

const expected = {
  bookmarks: ['admin | a1 | 61 | Here | 1769940000000'],
  episodes: [
    '/alpha.xml | /dropped.mp3 | Title dropped | 0 | 0',
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/beta.xml | a1 | Title b1 | 1 | 0',
    '/beta.xml | b2 | Title b2 | 1 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /beta.xml', 'admin | /one.xml', 'admin | /two.xml'],
  likes: ['admin | /alpha.xml | a3'],
  playlists: ['admin | Trip | 0 | a1', 'admin | Trip | 1 | a1'],
  podcasts: [
    '/alpha.xml | Alpha | 1 | 0',
    '/beta.xml | Beta | 1 | 0',
    '/one.xml | Twin | 1 | 0',
    '/two.xml | Twin | 1 | 0',
  ],
  positions: [
    'admin | /alpha.xml | /dropped.mp3 | 1800 | 1800 | 1 | 1767484800000 | import-pocket-casts',
    'admin | /alpha.xml | a1 | 90 | 1800 | 0 | 1769940000000 | import-pocket-casts',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1769940000000 | import-pocket-casts',
    'admin | /beta.xml | a1 | 20 | 1800 | 0 | 1767744000000 | import-pocket-casts',
  ],
  preferences: ['admin | /alpha.xml | 1.5 | - | 15 | 0'],
  queue: ['admin | 0 | /alpha.xml | a5', 'admin | 1 | /alpha.xml | a4'],
  rules: [],
  tags: ['admin | Coast | Green | /alpha.xml'],
}
const report = [
  'bookmarks taken: 1',
  'episodes taken: 1',
  'likes taken: 1',
  'playlists taken: 2',
  'podcasts left-out not-in-the-list: 2',
  'podcasts left-out not-subscribed: 1',
  'podcasts taken: 4',
  'positions left-out nothing-played: 1',
  'positions left-out podcast-left-out: 1',
  'positions taken: 4',
  'preferences taken: 1',
  'queue left-out podcast-left-out: 1',
  'queue taken: 2',
  'subscriptions taken: 4',
  'tags taken: 1',
]

test("Pocket Casts' database comes over with its list of feeds, joined by title", async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const { moves, admin } = app.context
  const path = writeZip(join(temporaryFolder(), 'PocketCastsDatabaseExport.zip'), [
    { name: 'PocketCastsDatabaseExport/logs.txt', content: 'nothing' },
    {
      name: 'PocketCastsDatabaseExport/pocketcasts',
      content: readFileSync(writePocketCasts(join(temporaryFolder(), 'pocketcasts'), host.origin)),
    },
  ])
  const list = join(temporaryFolder(), 'list.opml')
  writeFileSync(list, writeList(host.origin))
  const move = async () => {
    await moves.start(admin, path, { list })
    moves.resume()
    await moves.settled()
  }
  await move()
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder)).toEqual(report)
  await move()
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder).join()).not.toContain('taken')
})

test('the list may lie in the same archive', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const database = readFileSync(writePocketCasts(join(temporaryFolder(), 'pocketcasts'), host.origin))
  await moveIn(
    app,
    writeZip(join(temporaryFolder(), 'both.zip'), [
      { name: 'pocketcasts', content: database },
      { name: 'podcasts_opml.xml', content: writeList(host.origin) },
    ]),
  )
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
})

test('a database of an older version has neither playlists by hand nor bookmarks', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const { moves, admin } = app.context
  const path = writePocketCasts(join(temporaryFolder(), 'pocketcasts'), host.origin)
  const list = join(temporaryFolder(), 'list.opml')
  writeFileSync(list, writeList(host.origin))
  changeForeign(
    path,
    `DROP TABLE playlists; DROP TABLE manual_playlist_episodes; DROP TABLE bookmarks;
     ALTER TABLE podcast_episodes DROP COLUMN last_playback_interaction_date;
     ALTER TABLE podcasts DROP COLUMN override_global_effects`,
  )
  await moves.start(admin, path, { list: list })
  moves.resume()
  await moves.settled()
  const dump = dumpOf(app.folder, host.origin)
  expect(dump).toMatchObject({ bookmarks: [], playlists: [], preferences: ['admin | /alpha.xml | - | - | 15 | 0'] })
  // Without a time of its own a position counts from the day of the episode.
  expect(dump.positions[1]).toBe('admin | /alpha.xml | a1 | 90 | 1800 | 0 | 1767225600000 | import-pocket-casts')
  changeForeign(path, 'ALTER TABLE podcast_episodes DROP COLUMN playing_status')
  expect(await refusal(moves.start(admin, path, { list: list }))).toMatchObject({
    message: 'The table podcast_episodes has no column playing_status: this version is not known.',
  })
})

test('without the list it is refused, with what to do', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { moves, admin } = app.context
  const path = writePocketCasts(join(temporaryFolder(), 'pocketcasts'), host.origin)
  expect(await refusal(moves.start(admin, path))).toMatchObject({
    message: expect.stringContaining('--with FILE.opml'),
  })
  expect(await refusal(moves.start(admin, path, { list: '/nothing/here.opml' }))).toMatchObject({
    message: 'There is no list /nothing/here.opml',
  })
})
