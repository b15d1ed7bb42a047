import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { refusal, startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeKasts } from '../../support/foreign/kasts'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { moveIn, openWorld } from './world'

const expected = {
  podcasts: ['/alpha.xml | Alpha | 1 | 0', '/gone.xml | Gone | 1 | 0'],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/alpha.xml | dropped | Title dropped | 0 | 0',
    '/gone.xml | g1 | Title g1 | 0 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /gone.xml'],
  tags: [],
  preferences: [],
  rules: [],
  positions: [
    'admin | /alpha.xml | a1 | 90 | 1800 | 0 | 1767225600000 | import-kasts',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1 | 1767312000000 | import-kasts',
    'admin | /alpha.xml | a4 | 30 | 1800 | 0 | 1767484800000 | import-kasts',
    'admin | /gone.xml | g1 | 1800 | 1800 | 1 | 1767657600000 | import-kasts',
  ],
  likes: ['admin | /alpha.xml | a3'],
  queue: ['admin | 0 | /alpha.xml | dropped', 'admin | 1 | /alpha.xml | a1'],
  bookmarks: [],
  playlists: [],
}

test('Kasts comes over, with positions that have no time of their own', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const path = writeKasts(join(temporaryFolder(), 'copy.db'), host.origin)
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder)).toEqual([
    'episodes taken: 2',
    'likes taken: 1',
    'podcasts left-out not-on-the-web: 1',
    'podcasts taken: 2',
    'positions taken: 4',
    'queue taken: 2',
    'subscriptions taken: 2',
  ])
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(reportOf(app.folder).join()).not.toContain('taken')
})

test('a position without a time never replaces one of ours', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  const { subscribe, store, playback, admin } = app.context
  const podcast = await subscribe(admin, `${host.origin}/alpha.xml`)
  const { id } = store.episodes.knownOf(podcast.id).find(({ guid }) => guid === 'a1')!
  playback.record(admin.id, store.episodes.find(id)!, { position: 5, at: Date.UTC(2000, 0, 1) })
  await moveIn(app, writeKasts(join(temporaryFolder(), 'database.db3'), host.origin))
  expect(dumpOf(app.folder, host.origin).positions[0]).toBe(
    'admin | /alpha.xml | a1 | 5 | - | 0 | 946684800000 | webview',
  )
})

test('a file of an older Kasts is refused, with what to do', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  const { moves, admin } = app.context
  const path = writeKasts(join(temporaryFolder(), 'database.db3'), host.origin, 11)
  expect(await refusal(moves.start(admin, path))).toMatchObject({
    message: 'An older Kasts made this file. Open it once with a newer Kasts.',
  })
})
