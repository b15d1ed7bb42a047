import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writePodgrab } from '../../support/foreign/podgrab'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { moveIn, openWorld } from './world'

const expected = {
  podcasts: ['/alpha.xml | Alpha | 1 | 0', '/gone.xml | Gone | 0 | 0'],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 1',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/gone.xml | g1 | Title g1 | 0 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /gone.xml'],
  tags: ['admin | Coast | Green | /alpha.xml'],
  preferences: [],
  rules: [],
  positions: [
    'admin | /alpha.xml | a1 | 1800 | 1800 | 1 | 1767225600000 | import-podgrab',
    'admin | /gone.xml | g1 | 0 | - | 1 | 1767916800000 | import-podgrab',
  ],
  likes: ['admin | /alpha.xml | a2'],
  queue: [],
  bookmarks: [],
  playlists: [],
}

test('Podgrab comes over, without the rows that it has deleted', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const path = writePodgrab(join(temporaryFolder(), 'copy.db'), host.origin)
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder)).toEqual([
    'episodes taken: 1',
    'likes taken: 1',
    'podcasts taken: 2',
    'positions taken: 2',
    'removed taken: 1',
    'subscriptions taken: 2',
    'tags taken: 1',
  ])
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder).join()).not.toContain('taken')
})
