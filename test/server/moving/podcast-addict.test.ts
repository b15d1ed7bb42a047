import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { preferences, writePodcastAddict } from '../../support/foreign/podcast-addict'
import { changeForeign } from '../../support/foreign/write'
import { writeZip } from '../../support/foreign/zip'
import { moveIn, openWorld } from './world'

const expected = {
  bookmarks: [],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/alpha.xml | dropped | Title dropped | 0 | 0',
    '/beta.xml | a1 | Title b1 | 1 | 0',
    '/beta.xml | b2 | Title b2 | 1 | 0',
    '/gone.xml | same | One | 0 | 0',
    '/gone.xml | same#/g2.mp3 | Two | 0 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /gone.xml'],
  likes: ['admin | /alpha.xml | a3'],
  playlists: [],
  podcasts: ['/alpha.xml | My Alpha | 1 | 0', '/beta.xml | Beta | 0 | 0', '/gone.xml | Gone | 1 | 0'],
  positions: [
    'admin | /alpha.xml | a1 | 90 | 1800 | 0 | 1769940000000 | import-podcast-addict',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1769940000001 | import-podcast-addict',
    'admin | /alpha.xml | a4 | 1800 | 1800 | 1 | 1767484800000 | import-podcast-addict',
    'admin | /alpha.xml | dropped | 5 | - | 0 | 1777636800000 | import-podcast-addict',
    'admin | /beta.xml | b2 | 2 | 1800 | 0 | 1769940000000 | import-podcast-addict',
    'admin | /gone.xml | same | 1 | 1800 | 0 | 1769940000000 | import-podcast-addict',
    'admin | /gone.xml | same#/g2.mp3 | 1800 | 1800 | 1 | 1769940000000 | import-podcast-addict',
  ],
  preferences: ['admin | /alpha.xml | 1.5 | - | 20 | 0'],
  queue: [],
  rules: [],
  tags: [],
}
const report = [
  'episodes taken: 3',
  'likes taken: 1',
  'podcasts left-out not-on-the-web: 2',
  'podcasts left-out not-subscribed: 1',
  'podcasts taken: 3',
  'positions left-out podcast-left-out: 1',
  'positions taken: 7',
  'preferences taken: 1',
  'subscriptions taken: 2',
]

/** The backup that the app makes of this database. */
const writeBackup = (database: string) =>
  writeZip(join(temporaryFolder(), 'PodcastAddict_20260501.backup'), [
    { name: 'com.bambuna.podcastaddict_preferences.xml', content: preferences },
    { name: 'podcastAddict.db', content: readFileSync(database) },
  ])

test("Podcast Addict's backup comes over, with the speeds of its preferences", async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const path = writeBackup(writePodcastAddict(join(temporaryFolder(), 'podcastAddict.db'), host.origin))
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder)).toEqual(report)
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder).join()).not.toContain('taken')
})

test('its database alone comes over without speeds, also one of a version with fewer columns', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const path = writePodcastAddict(join(temporaryFolder(), 'podcastAddict.db'), host.origin)
  changeForeign(path, 'ALTER TABLE podcasts DROP COLUMN custom_name; ALTER TABLE episodes DROP COLUMN guid')
  await moveIn(app, path)
  const { podcasts, preferences: found, positions } = dumpOf(app.folder, host.origin)
  expect(podcasts[0]).toBe('/alpha.xml | Alpha | 1 | 0')
  expect(found).toEqual([])
  expect(positions).toHaveLength(7)
})
