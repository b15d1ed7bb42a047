import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { startClock, startTestApp, temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import { writeCastget } from '../../support/foreign/castget'
import { dumpOf, reportOf } from '../../support/foreign/dump'
import { moveIn, openWorld } from './world'

const expected = {
  podcasts: [
    '/alpha.xml | Alpha | 1 | 0',
    '/beta.xml | Beta | 1 | 0',
    '/gone.xml | Ünknown 🎧 | 1 | 0',
    '/members.xml | Members | 1 | 1',
  ],
  episodes: [
    // Downloaded once; the second one under an address with a query.
    '/alpha.xml | a1 | Title a1 | 1 | 1',
    '/alpha.xml | a2 | Title a2 | 1 | 1',
    '/alpha.xml | a3 | Title a3 | 1 | 0',
    '/alpha.xml | a4 | Title a4 | 1 | 0',
    '/alpha.xml | a5 | Title a5 | 1 | 0',
    '/beta.xml | a1 | Title b1 | 1 | 0',
    '/beta.xml | b2 | Title b2 | 1 | 0',
    '/members.xml | m1 | Title m1 | 1 | 0',
  ],
  favourites: ['admin | /alpha.xml', 'admin | /beta.xml', 'admin | /gone.xml', 'admin | /members.xml'],
  tags: [],
  preferences: [],
  rules: [],
  positions: [],
  likes: [],
  queue: [],
  bookmarks: [],
  playlists: [],
}

const report = [
  'podcasts left-out not-on-the-web: 1',
  'podcasts taken: 4',
  'removed left-out not-in-the-feed: 1',
  'removed taken: 2',
  'subscriptions taken: 4',
]

async function moveHome(change: (path: string) => string = path => path, times = 1) {
  const host = startFeedHost()
  openWorld(host)
  const app = await startTestApp({ now: startClock() })
  app.prefill(0)
  const home = temporaryFolder()
  const outside = relative(join(app.folder, 'moving', 'uuid', 'beside'), join(home, 'outside'))
  const path = change(writeCastget(home, host.origin, outside))
  for (let time = 0; time < times; time++) await moveIn(app, path)
  const podcasts = app.context.store.moves.podcastsOf(1)
  const found = { dump: dumpOf(app.folder, host.origin), report: reportOf(app.folder), podcasts, lines: app.lines }
  await app[Symbol.asyncDispose]()
  host.stop()
  return found
}

test('channels of castget come over, with what they have downloaded', async () => {
  const { dump, report: found, podcasts, lines } = await moveHome()
  expect(dump).toEqual(expected)
  expect(found).toEqual(report)
  expect(JSON.stringify([podcasts, lines])).not.toMatch(/sea(?::|%3A)side/)
})

test('a list that lies elsewhere, under another name, comes without what was downloaded', async () => {
  const { dump, report: found } = await moveHome(path => {
    const other = join(dirname(path), 'castgetrc')
    renameSync(path, other)
    return other
  })
  expect(dump).toEqual({ ...expected, episodes: expected.episodes.map(line => line.replace(/1$/, '0')) })
  expect(found).toEqual(report.filter(line => !line.startsWith('removed')))
})

test('a second run changes nothing, and says that everything is here', async () => {
  const { dump, report: found } = await moveHome(path => path, 2)
  expect(dump).toEqual(expected)
  expect(found.filter(line => line.includes(' taken'))).toEqual([])
})
