import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { writeGpodder } from '../../support/foreign/gpodder'
import { changeForeign } from '../../support/foreign/write'
import { moveIn, openWorld } from './world'

const expected = {
  podcasts: ['/alpha.xml | Alpha | 1 | 0', '/gone.xml | Gone | 1 | 0', '/members.xml | Members | 0 | 1'],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 1',
    '/alpha.xml | old | The old one | 0 | 0',
    '/gone.xml | same | One | 0 | 0',
    '/gone.xml | same#/g2.mp3 | Two | 0 | 0',
    '/members.xml | m1 | Title m1 | 1 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /gone.xml', 'admin | /members.xml'],
  tags: ['admin | Mornings | Green | /alpha.xml'],
  preferences: [],
  rules: [],
  positions: [
    'admin | /alpha.xml | a1 | 600 | 1800 | 0 | 1772409600000 | import-gpodder',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1772409600000 | import-gpodder',
    'admin | /alpha.xml | a3 | 1800 | 1800 | 1 | 1772409600000 | import-gpodder',
    'admin | /alpha.xml | old | 60 | - | 0 | 1772409600000 | import-gpodder',
    'admin | /gone.xml | same | 30 | - | 0 | 1772409600000 | import-gpodder',
    'admin | /gone.xml | same#/g2.mp3 | 40 | - | 0 | 1772409600000 | import-gpodder',
    // Without a time of its own it counts from the day of the episode.
    'admin | /members.xml | m1 | 70 | - | 0 | 1767916800000 | import-gpodder',
  ],
  likes: ['admin | /alpha.xml | old'],
  queue: [],
  bookmarks: [],
  playlists: [],
}

const report = [
  'episodes taken: 3',
  'likes taken: 1',
  'podcasts left-out not-on-the-web: 1',
  'podcasts taken: 3',
  'positions left-out no-media: 1',
  'positions left-out podcast-left-out: 1',
  'positions taken: 7',
  'removed taken: 1',
  'subscriptions taken: 3',
  'tags taken: 1',
]

test('a gPodder desktop comes over with its positions, passwords and deletions', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  await moveIn(app, writeGpodder(join(temporaryFolder(), 'Database'), host.origin))
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder)).toEqual(report)
  // Notes of episodes that exist nowhere else are kept, without what could run.
  const { store } = app.context
  const alpha = store.podcasts.findByFeed(`${host.origin}/alpha.xml`)!
  const old = store.episodes.knownOf(alpha.id).find(({ guid }) => guid === 'old')!
  const { notes } = store.episodes.find(old.id)!
  expect(notes).toBe('<p>About it</p>')
  expect(app.lines.join()).not.toContain('sea:side')
})

test('the first version of its tables comes over as well, where sections were not yet known', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  await moveIn(app, writeGpodder(join(temporaryFolder(), 'Database'), host.origin, true))
  expect(dumpOf(app.folder, host.origin)).toEqual({ ...expected, tags: [] })
})

test('a password in the address of a feed is sealed like one beside it', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const path = writeGpodder(join(temporaryFolder(), 'Database'), host.origin)
  changeForeign(
    path,
    `UPDATE podcast SET url = replace(url, '://', '://mara:sea%3Aside@'), auth_username = NULL, auth_password = NULL
      WHERE id IN (2, 4)`,
  )
  await moveIn(app, path)
  const withPasswords = expected.podcasts.with(1, '/gone.xml | Gone | 1 | 1')
  expect(dumpOf(app.folder, host.origin)).toEqual({ ...expected, podcasts: withPasswords })
  const { store } = app.context
  const noted = [store.moves.podcastsOf(1), store.moves.countsOf(1)]
  expect(JSON.stringify(noted)).not.toContain('mara')
  expect(app.lines.join()).not.toContain('sea%3Aside')
})
