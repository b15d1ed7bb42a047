import { expect, test } from 'bun:test'
import { startClock, startTestApp } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

const HOUR = 3_600_000
const DAY = 24 * HOUR

test('a feed that has been missing for a week is asked for once a day, however few attempts that week saw', async () => {
  using host = startFeedHost()
  const clock = startClock()
  await using app = await startTestApp({ now: clock })
  app.prefill(0)
  const { id } = await app.podcasts.add(host.feed('/feed.xml', rss({ items: [{}] })))
  const { podcasts } = app.context.store
  const podcast = () => podcasts.findVisible(app.context.admin, id)!
  const waitAfterFailure = async (status: number) => {
    host.on('/feed.xml', () => new Response('', { status, headers: { 'Retry-After': '120' } }))
    await app.context.refresh.refresh(podcast().id)
    return podcast().next_check_at! - clock()
  }

  expect(await waitAfterFailure(404)).toBeLessThan(HOUR)
  // The server was off in between.
  clock.advance(8 * DAY)
  expect(await waitAfterFailure(503)).toBeLessThan(HOUR)
  expect(await waitAfterFailure(404)).toBeGreaterThan(20 * HOUR)
})
