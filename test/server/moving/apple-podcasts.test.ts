import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeApplePodcasts } from '../../support/foreign/apple-podcasts'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { changeForeign } from '../../support/foreign/write'
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
  ],
  favourites: ['admin | /alpha.xml'],
  likes: ['admin | /alpha.xml | a3'],
  playlists: [],
  podcasts: ['/alpha.xml | Alpha | 1 | 0', '/beta.xml | Beta | 0 | 0'],
  positions: [
    'admin | /alpha.xml | a1 | 90 | 1800 | 0 | 1769940000250 | import-apple-podcasts',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1769940000250 | import-apple-podcasts',
    'admin | /alpha.xml | a3 | 1800 | 1800 | 1 | 1767398400000 | import-apple-podcasts',
    'admin | /alpha.xml | a5 | 30 | 1800 | 0 | 1769940000250 | import-apple-podcasts',
    'admin | /alpha.xml | dropped | 0 | - | 1 | 1769940000250 | import-apple-podcasts',
    'admin | /beta.xml | a1 | 10 | 1800 | 0 | 1767744000000 | import-apple-podcasts',
    'admin | /beta.xml | b2 | 15 | 1800 | 0 | 1769940000250 | import-apple-podcasts',
  ],
  preferences: [],
  queue: [],
  rules: [],
  tags: [],
}
const report = [
  'episodes taken: 1',
  'likes taken: 1',
  'podcasts left-out not-on-the-web: 2',
  'podcasts left-out not-subscribed: 1',
  'podcasts taken: 2',
  'positions left-out podcast-left-out: 1',
  'positions taken: 7',
  'subscriptions taken: 1',
]

test('Apple Podcasts comes over by its own rule of what was played, without paid shows', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const path = writeApplePodcasts(join(temporaryFolder(), 'MTLibrary.sqlite'), host.origin)
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder)).toEqual(report)
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder).join()).not.toContain('taken')
})

test('a library of an older version has neither newer addresses nor plays that were counted', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const path = writeApplePodcasts(join(temporaryFolder(), 'MTLibrary.sqlite'), host.origin)
  changeForeign(
    path,
    `UPDATE ZMTPODCAST SET ZFEEDURL = ZUPDATEDFEEDURL WHERE Z_PK = 1; ALTER TABLE ZMTPODCAST DROP COLUMN ZUPDATEDFEEDURL;
     ALTER TABLE ZMTEPISODE DROP COLUMN ZPLAYCOUNT; ALTER TABLE ZMTEPISODE DROP COLUMN ZLASTUSERMARKEDASPLAYEDDATE`,
  )
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin).positions).toEqual([
    'admin | /alpha.xml | a1 | 90 | 1800 | 0 | 1769940000250 | import-apple-podcasts',
    'admin | /alpha.xml | a3 | 1800 | 1800 | 1 | 1767398400000 | import-apple-podcasts',
    'admin | /alpha.xml | a5 | 30 | 1800 | 0 | 1769940000250 | import-apple-podcasts',
    'admin | /beta.xml | a1 | 10 | 1800 | 0 | 1767744000000 | import-apple-podcasts',
    'admin | /beta.xml | b2 | 15 | 1800 | 0 | 1769940000250 | import-apple-podcasts',
  ])
})
