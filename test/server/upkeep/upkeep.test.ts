import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/server/data-folder'
import { startTestApp, temporaryFolder } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

function open(folder: string) {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  const numberOf = (sql: string) => Object.values(db.query<Record<string, number>, []>(sql).get()!)[0]!
  return {
    parts: () => numberOf('SELECT count(DISTINCT segid) FROM text_index_idx'),
    pages: () => numberOf('PRAGMA page_count'),
    freePages: () => numberOf('PRAGMA freelist_count'),
    [Symbol.dispose]: () => db.close(),
  }
}

test('the search index is merged into few parts, and finds the same', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  await using app = await startTestApp({ folder })
  app.prefill(0)
  for (let number = 0; number < 8; number++) {
    const words = (index: number) =>
      Array.from({ length: 100 }, (_, word) => `coast${number}x${index}x${word}`).join(' ')
    const items = Array.from({ length: 60 }, (_, index) => ({ title: `Lamp ${index}`, notes: words(index) }))
    await app.podcasts.add(host.feed(`/${number}.xml`, rss({ title: `Podcast ${number}`, items })))
    await app.context.indexer.run()
  }
  using database = open(folder)
  const find = async () =>
    (await app.search.find({ q: 'lamp coast3' }, null)).data.episodes.map(({ podcastEpisode }) => podcastEpisode.id)
  const found = await find()
  expect(database.parts()).toBeGreaterThan(3)
  await app.context.tidying.run()
  expect(database.parts()).toBe(1)
  expect(await find()).toEqual(found)
})

test('the pages of a deleted podcast are given back to the disk', async () => {
  using host = startFeedHost()
  const folder = temporaryFolder()
  await using app = await startTestApp({ folder })
  app.prefill(0)
  const items = Array.from({ length: 20 }, (_, index) => ({
    title: `Part ${index}`,
    notes: `${index} coast `.repeat(40_000),
  }))
  const podcast = await app.podcasts.add(host.feed('/feed.xml', rss({ items })))
  await app.context.indexer.run()
  await app.podcasts.remove(podcast.id, true)
  using database = open(folder)
  const before = database.pages()
  expect(database.freePages()).toBeGreaterThan(1100)
  await app.context.tidying.run()
  expect(database.freePages()).toBeLessThanOrEqual(1024)
  expect(database.pages()).toBeLessThan(before - 100)
})
