import { expect, test } from 'bun:test'
import { rss } from '../../support/builders'
import { startClock, startTestApp } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'

const DAY = 86_400_000

test("a week after the last whole body a feed is fetched whole again: a host's validators may lie", async () => {
  using host = startFeedHost()
  const now = startClock()
  await using app = await startTestApp({ now })
  app.prefill(0)
  await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const [id] = app.context.store.podcasts.allIds()
  const validator = async () => {
    await app.context.refresh.refresh(id!)
    return host.requestsTo('/feed.xml').at(-1)!.headers.get('if-none-match')
  }
  now.advance(6 * DAY)
  expect(await validator()).toBeTruthy()
  now.advance(2 * DAY)
  expect(await validator()).toBeNull()
})

test('a feed with a password is not followed to the other origin that it announces', async () => {
  using host = startFeedHost()
  using other = startFeedHost()
  await using app = await startTestApp()
  app.prefill(0)
  const there = other.feed('/feed.xml', rss({ title: 'Fog', items: [{}] }))
  const extra = `<itunes:new-feed-url>${there}</itunes:new-feed-url>`
  const here = host.feed('/feed.xml', rss({ title: 'Fog', items: [{}], extra }))
  const added = await app.podcasts.add(here.replace('http://', 'http://mara:secret@'))
  expect(added.rssfeed).toBe(here)
  expect(other.requests).toEqual([])
})
