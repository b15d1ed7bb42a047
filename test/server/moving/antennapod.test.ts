import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { changeForeign } from '../../support/foreign/write'
import { moveIn, openWorld } from './world'

const expected = {
  podcasts: ['/alpha.xml | My Alpha | 1 | 0', '/beta.xml | Beta | 0 | 0', '/members.xml | Members | 1 | 1'],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/beta.xml | a1 | Title b1 | 1 | 0',
    '/beta.xml | b2 | Title b2 | 1 | 0',
    '/beta.xml | dropped | Item 6 | 0 | 0',
    '/members.xml | m1 | Title m1 | 1 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /beta.xml', 'admin | /members.xml'],
  tags: ['admin | Morning | Green | /alpha.xml', 'admin | News | Blue | /alpha.xml'],
  // 1.27 is the nearest of the player's speeds, and ×1.5 is 150 percent.
  preferences: ['admin | /alpha.xml | 1.25 | 150 | 30 | 0'],
  rules: ['/alpha.xml | 1 | news,late night | -'],
  positions: [
    'admin | /alpha.xml | a1 | 61 | 1800 | 0 | 1774051200001 | import-antennapod',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1773187200000 | import-antennapod',
    // Its position lies behind its end.
    'admin | /beta.xml | a1 | 100 | 100 | 0 | 1774051200005 | import-antennapod',
  ],
  likes: ['admin | /alpha.xml | a3'],
  queue: ['admin | 0 | /alpha.xml | a4', 'admin | 1 | /beta.xml | dropped', 'admin | 2 | /alpha.xml | a3'],
  bookmarks: [],
  playlists: [],
}

test("AntennaPod's export comes over with queue, tags, speeds and filters", async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  await moveIn(app, writeAntennapod(join(temporaryFolder(), 'AntennaPodBackup.db'), host.origin))
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder)).toEqual([
    'episodes taken: 1',
    'likes taken: 1',
    'podcasts left-out not-on-the-web: 1',
    'podcasts left-out not-subscribed: 1',
    'podcasts taken: 3',
    'positions left-out no-media: 1',
    'positions left-out podcast-left-out: 1',
    'positions taken: 3',
    'preferences taken: 1',
    'queue taken: 3',
    'rules taken: 1',
    'subscriptions taken: 3',
    'tags taken: 2',
  ])
})

test('a feed that was only looked into comes without a subscription if something of it was played', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const path = writeAntennapod(join(temporaryFolder(), 'a.db'), host.origin)
  changeForeign(path, 'UPDATE Feeds SET state = 1 WHERE id = 1')
  await moveIn(app, path)
  const { podcasts, favourites, positions } = dumpOf(app.folder, host.origin)
  expect(podcasts[0]).toBe('/alpha.xml | My Alpha | 0 | 0')
  expect(favourites).toEqual(['admin | /beta.xml', 'admin | /members.xml'])
  expect(positions).toEqual(expected.positions)
})

test('an export of an older version has neither tags nor states, and every feed of it is subscribed to', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  await moveIn(app, writeAntennapod(join(temporaryFolder(), 'a.db'), host.origin, true))
  expect(dumpOf(app.folder, host.origin)).toEqual({
    ...expected,
    podcasts: [
      '/alpha.xml | My Alpha | 1 | 0',
      '/beta.xml | Beta | 1 | 0',
      '/looked.xml | Looked into | 1 | 0',
      '/members.xml | Members | 1 | 1',
    ],
    favourites: ['admin | /alpha.xml', 'admin | /beta.xml', 'admin | /looked.xml', 'admin | /members.xml'],
    tags: [],
  })
})
