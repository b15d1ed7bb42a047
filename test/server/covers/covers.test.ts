import { expect, test } from 'bun:test'
import { encode } from 'fast-png'
import { join } from 'node:path'
import { filesBelow } from '../../../src/server/storage/folder'
import { startClock, startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { refresh } from '../../support/refreshing'

const HOUR = 3_600_000

test('a cover that failed is asked for again after a while, not by whoever looks and not by the next job', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  let works = false
  const picture = Bun.file('src/ui/cover.png')
  const image = host.on('/cover.png', () => (works ? new Response(picture) : new Response('', { status: 503 })))
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ image, items: [{}] })))
  const isBuiltIn = async () => {
    const answer = await app.fetch(`/covers/podcasts/${id}?size=64`)
    return answer.headers.get('etag') === '"built-in"'
  }
  await app.context.covers.fetchDue()
  const { length } = host.requestsTo('/cover.png')
  expect(length).toBe(1)

  for (let time = 0; time < 3; time++) {
    expect(await isBuiltIn()).toBe(true)
    await app.context.covers.fetchDue()
  }
  expect(host.requestsTo('/cover.png')).toHaveLength(1)

  works = true
  clock.advance(2 * HOUR)
  expect(await isBuiltIn()).toBe(false)
  expect(host.requestsTo('/cover.png')).toHaveLength(2)
})

test('a cover that failed again waits twice as long', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const image = host.on('/cover.png', () => new Response('', { status: 503 }))
  await app.podcasts.add(host.feed('/feed.xml', rss({ image, items: [{}] })))
  const asked = () => host.requestsTo('/cover.png').length
  await app.context.covers.fetchDue()
  for (const [afterHours, requests] of [
    [1, 1],
    [1, 2],
    [2, 2],
    [2, 3],
  ] as const) {
    clock.advance(afterHours * HOUR)
    await app.context.covers.fetchDue()
    expect(asked()).toBe(requests)
  }
})

test('a cover that arrives once its podcast is removed leaves no file, unless another podcast has the same', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const { covers, store, admin } = app.context
  const picture = await Bun.file('src/ui/cover.png').bytes()
  const files = () => filesBelow(join(app.folder, 'covers'))
  const [stays, goes] = await Promise.all(
    ['stays', 'goes'].map(async name => {
      const { id } = await app.podcasts.add(host.feed(`/${name}.xml`, rss({ items: [{}] })))
      return { id, row: store.podcasts.require(admin, id) }
    }),
  )
  await app.podcasts.remove(goes!.id, true)

  await covers.keep(goes!.row.id, 'late', picture)
  expect(files()).toEqual([])
  await covers.keep(stays!.row.id, 'its own', picture)
  await covers.keep(goes!.row.id, 'late', picture)
  expect(files()).toHaveLength(1)
})

test('a picture that another one replaces at its address leaves no file in any size', async () => {
  using host = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const { covers, store, admin } = app.context
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const { id: row } = store.podcasts.require(admin, id)
  const paint = (shade: number) =>
    encode({ width: 100, height: 100, channels: 3, data: new Uint8Array(30_000).fill(shade) })
  const files = () => filesBelow(join(app.folder, 'covers')).map(path => path.split('/')[1]!)

  await covers.keep(row, 'its own', paint(10))
  const first = await covers.storedAs(row, 'its own', 64)
  expect(files()).toHaveLength(2)
  await covers.keep(row, 'its own', paint(90))
  expect(files()).toHaveLength(1)
  expect(files()).not.toContain(first!.digest)
  await covers.keep(row, 'its own', paint(90))
  expect(files()).toHaveLength(1)
})

test('pictures that a podcast and its episodes name no more are forgotten after a month', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const { covers, store, admin } = app.context
  const paint = (shade: number) =>
    encode({ width: 9, height: 9, channels: 3, data: new Uint8Array(243).fill(shade) }) as BodyInit
  const imageOf = (number: number) => host.on(`/${number}.png`, () => new Response(paint(number)))
  const feedWith = (number: number) =>
    host.feed('/feed.xml', rss({ image: imageOf(number), items: [{ image: imageOf(0) }] }))
  const { id } = await app.podcasts.add(feedWith(1))
  const { id: row } = store.podcasts.require(admin, id)
  await covers.keep(row, 'castellan-folder:cover.png', new Uint8Array(await new Response(paint(9)).arrayBuffer()))
  await covers.ensure(row, imageOf(0))
  const areStored = () => [imageOf(0), imageOf(1), imageOf(2), imageOf(3)].map(url => covers.stored(row, url) !== null)
  for (const number of [2, 3]) {
    clock.advance(20 * 24 * HOUR)
    feedWith(number)
    await refresh(app, id)
    await covers.fetchDue()
  }
  expect(areStored()).toEqual([true, false, true, true])
  expect(covers.stored(row, 'castellan-folder:cover.png')).not.toBeNull()
  expect(filesBelow(join(app.folder, 'covers'))).toHaveLength(4)
})
