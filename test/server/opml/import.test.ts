import { expect, test } from 'bun:test'
import { createOpmlImport } from '../../../src/server/opml/import'
import { Problem } from '../../../src/server/platform/problem'
import { startClock, startTestApp, type TestApp } from '../../support/app'

const DAY = 86_400_000
const outline = { feedUrl: 'https://pod.example/feed.xml', title: null, folders: [] }

type Subscribe = Parameters<typeof createOpmlImport>[0]['subscribe']
const importerOf = (app: TestApp, subscribe: Subscribe) =>
  createOpmlImport({ ...app.context, subscribe, podcastLimit: 100 })

test('a feed whose import was cut off by the stop of the server is tried again at the next start', async () => {
  await using app = await startTestApp()
  const { admin, store } = app.context
  const adding = Promise.withResolvers<never>()
  const importer = importerOf(app, () => adding.promise)
  const { id } = importer.start(admin, [outline])
  const stopped = importer.stop()
  adding.reject(new Problem('feed-unreachable', 'The server is stopping'))
  await stopped
  expect(store.jobs.waiting(id)).toHaveLength(1)

  const tried: string[] = []
  const next = importerOf(app, (_, address) => {
    tried.push(address)
    throw new Problem('feed-gone', 'The host answered 404')
  })
  next.resume()
  await app.event('opmlProgress', ({ finished }) => finished)
  expect(tried).toEqual([outline.feedUrl])
  expect(store.jobs.find(id)).toMatchObject({ state: 'done', failed: 1 })
})

test('a feed that is tried again while its import still works on another is imported by it', async () => {
  await using app = await startTestApp()
  const { admin, store } = app.context
  const other = { ...outline, feedUrl: 'https://pod.example/other.xml' }
  const began = Promise.withResolvers<void>()
  const held = Promise.withResolvers<never>()
  const tried: string[] = []
  const importer = importerOf(app, (_, address) => {
    tried.push(address)
    if (address === other.feedUrl && tried.length <= 2) {
      began.resolve()
      return held.promise
    }
    throw new Problem('feed-gone', 'The host answered 404')
  })
  const { id } = importer.start(admin, [outline, other])
  await began.promise
  await app.event('opmlError')
  store.jobs.reopen(id, 0)
  importer.resume()
  held.reject(new Problem('feed-gone', 'The host answered 404'))
  await app.event('opmlProgress', ({ finished }) => finished)
  expect(tried).toEqual([outline.feedUrl, other.feedUrl, outline.feedUrl])
  expect(store.jobs.find(id)).toMatchObject({ state: 'done', failed: 2 })
  expect(store.jobs.waiting(id)).toEqual([])
})

test('imports are forgotten a week after they ended', async () => {
  const now = startClock()
  await using app = await startTestApp({ now })
  const { admin, store, opmlImport } = app.context
  const importer = importerOf(app, () => Promise.reject(new Problem('feed-gone', 'The host answered 404')))
  const { id } = importer.start(admin, [outline])
  await app.event('opmlProgress', ({ finished }) => finished)
  now.advance(6 * DAY)
  opmlImport.resume()
  expect(store.jobs.find(id)).not.toBeNull()
  now.advance(2 * DAY)
  opmlImport.resume()
  expect(store.jobs.find(id)).toBeNull()
})
