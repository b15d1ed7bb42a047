import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeAudiobookshelf } from '../../support/foreign/audiobookshelf'
import { dumpOf, moreOf, reportOf } from '../../support/foreign/dump'
import { moveIn, openWorld } from './world'

const expected = {
  podcasts: ['/alpha.xml | Alpha | 1 | 0', '/gone.xml | Gone | 1 | 0'],
  episodes: [
    '/alpha.xml | a1 | Title a1 | 1 | 0',
    '/alpha.xml | a2 | Title a2 | 1 | 0',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/gone.xml | g1 | Title g1 | 0 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /gone.xml'],
  tags: ['admin | Coast | Green | /alpha.xml'],
  preferences: [],
  rules: ['/alpha.xml | 1 | - | -', '/gone.xml | 0 | - | -'],
  positions: [
    'alice | /alpha.xml | a1 | 90 | 1800 | 0 | 1769940000250 | import-audiobookshelf',
    'alice | /alpha.xml | a2 | 1800 | 1800 | 1 | 1769940000250 | import-audiobookshelf',
  ],
  likes: [],
  queue: [],
  bookmarks: ['alice | g1 | 70 | At 70 | 1769904000000'],
  playlists: ['alice | Trip | 0 | a2', 'alice | Trip | 1 | a1'],
}

/** A session fills one hour after the other. */
const listened = [
  'alice | /alpha.xml | a1 | 491650 | 1800',
  'alice | /alpha.xml | a1 | 491651 | 3600',
  'alice | /alpha.xml | a1 | 491652 | 100',
  'alice | /alpha.xml | a2 | 491652 | 50',
]

test('Audiobookshelf comes over, with what each of its people has played', async () => {
  using host = startFeedHost()
  openWorld(host)
  await using app = await startTestApp({ now: startClock() })
  app.prefill(0)
  await app.signUp('alice')
  const path = writeAudiobookshelf(join(temporaryFolder(), 'copy.db'), host.origin)
  await moveIn(app, path)
  const { store } = app.context
  const trip = store.playlists.listFor(store.users.findByName('alice')!.id)
  expect(trip).toMatchObject([{ name: 'Trip', description: 'For the train' }])
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(moreOf(app.folder, host.origin)).toMatchObject({ listened, users: ['alice | user | 0 | ours'] })
  expect(reportOf(app.folder)).toEqual([
    'bookmarks left-out several-episodes: 1',
    'bookmarks taken: 1',
    'episodes taken: 1',
    'listened left-out no-account: 1',
    'listened left-out no-time: 1',
    'listened taken: 4',
    'playlists taken: 2',
    'podcasts left-out not-on-the-web: 1',
    'podcasts taken: 2',
    'positions left-out no-account: 1',
    'positions left-out podcast-left-out: 1',
    'positions taken: 2',
    'rules taken: 2',
    'subscriptions taken: 2',
    'tags taken: 1',
  ])
  await moveIn(app, path)
  expect(dumpOf(app.folder, host.origin)).toEqual(expected)
  expect(moreOf(app.folder, host.origin)).toMatchObject({ listened })
  expect(reportOf(app.folder).join()).not.toContain('taken')
})
