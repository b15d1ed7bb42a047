import { expect, test } from 'bun:test'
import { waitFor } from '../../../src/server/feeds/schedule'
import { nextRelease } from '../../../src/server/feeds/schedule'
import { DAY, HOUR, MINUTE } from '../../../src/server/platform/clock'
import { startClock, startTestApp, withPasswords } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'

/** The first three times of a rule from the beginning of 2026 on, within nine years. */
function firstThree(rrule: string, dtstart: string): string[] {
  const found: string[] = []
  let from = Date.UTC(2026, 0, 1)
  while (found.length < 3) {
    const at = nextRelease({ rrule, dtstart }, from, from + 9 * 366 * DAY)
    if (at === null) break
    found.push(new Date(at).toISOString().replace(':00.000Z', ''))
    from = at + MINUTE
  }
  return found
}

// Expected by RFC 5545; checked with python-dateutil.
test.each([
  ['FREQ=DAILY', '2026-01-01T06:30:00Z', ['2026-01-01T06:30', '2026-01-02T06:30', '2026-01-03T06:30']],
  ['FREQ=DAILY;INTERVAL=3', '2025-12-30T06:00:00Z', ['2026-01-02T06:00', '2026-01-05T06:00', '2026-01-08T06:00']],
  ['FREQ=WEEKLY', '2026-01-05T06:00:00Z', ['2026-01-05T06:00', '2026-01-12T06:00', '2026-01-19T06:00']],
  ['FREQ=WEEKLY;BYDAY=TU,TH', '2025-01-01T17:00:00Z', ['2026-01-01T17:00', '2026-01-06T17:00', '2026-01-08T17:00']],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU',
    '2025-12-29T06:00:00Z',
    ['2026-01-04T06:00', '2026-01-12T06:00', '2026-01-18T06:00'],
  ],
  ['FREQ=WEEKLY;BYDAY=MO', '2026-01-01T20:00:00-05:00', ['2026-01-06T01:00', '2026-01-13T01:00', '2026-01-20T01:00']],
  ['FREQ=MONTHLY;BYDAY=1FR', '2025-01-01T09:00:00Z', ['2026-01-02T09:00', '2026-02-06T09:00', '2026-03-06T09:00']],
  ['FREQ=MONTHLY;BYDAY=-1FR', '2025-01-01T09:00:00Z', ['2026-01-30T09:00', '2026-02-27T09:00', '2026-03-27T09:00']],
  ['FREQ=MONTHLY;BYDAY=-2SU', '2024-03-28T13:13:00Z', ['2026-01-18T13:13', '2026-02-15T13:13', '2026-03-22T13:13']],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', '2025-01-01T09:00:00Z', ['2026-01-31T09:00', '2026-02-28T09:00', '2026-03-31T09:00']],
  ['FREQ=MONTHLY', '2025-12-31T09:00:00Z', ['2026-01-31T09:00', '2026-03-31T09:00', '2026-05-31T09:00']],
  ['FREQ=YEARLY', '2024-12-24T18:00:00Z', ['2026-12-24T18:00', '2027-12-24T18:00', '2028-12-24T18:00']],
  [
    'FREQ=YEARLY;INTERVAL=2;BYMONTH=1',
    '2024-03-19T19:52:00Z',
    ['2026-01-19T19:52', '2028-01-19T19:52', '2030-01-19T19:52'],
  ],
  ['FREQ=DAILY;BYHOUR=6,18', '20260101T000000Z', ['2026-01-01T06:00', '2026-01-01T18:00', '2026-01-02T06:00']],
  ['FREQ=HOURLY;INTERVAL=5', '2026-01-01T00:30:00Z', ['2026-01-01T00:30', '2026-01-01T05:30', '2026-01-01T10:30']],
  ['FREQ=DAILY;UNTIL=20260102T000000Z', '2025-01-01T06:00:00Z', ['2026-01-01T06:00']],
  ['FREQ=DAILY', 'next Monday', []],
  ['FREQ=NEVER', '2026-01-01T06:00:00Z', []],
  ['FREQ=DAILY;INTERVAL=0', '2026-01-01T06:00:00Z', []],
  ['', '2026-01-01T06:00:00Z', []],
])('%s from %s on', (rrule, dtstart, expected) => {
  expect(firstThree(rrule, dtstart)).toEqual(expected)
})

test('the second of two episodes of a day is missed as the first would be', () => {
  const twice = { rrule: 'FREQ=DAILY;BYHOUR=7,11', dtstart: '2026-01-01T07:00:00Z' }
  const day = Date.UTC(2026, 5, 1)
  const wait = waitFor(twice, DAY, { now: day + 12 * HOUR, newest: day + 7 * HOUR + MINUTE, leastMs: HOUR })
  expect(wait).toBeLessThan(2 * HOUR)
})

test('a feed is checked right after the times that it names, soon while an episode is late, and never too often', async () => {
  // A Monday, two hours before the episode of the week.
  const clock = startClock(Date.UTC(2026, 5, 1, 4))
  await using app = await startTestApp({ env: { ...withPasswords, POLLING_INTERVAL: '60' }, now: clock })
  using host = startFeedHost()
  app.prefill(0)
  const root = app.as('root', 'Sup3rSecret')
  const weekly =
    '<podcast:updateFrequency rrule="FREQ=WEEKLY;BYDAY=MO" dtstart="2026-01-05T06:00:00Z">Weekly</podcast:updateFrequency>'
  const dates = [3, 2, 1].map(weeks => ({
    guid: `${weeks}`,
    date: new Date(Date.UTC(2026, 5, 1, 6) - weeks * 7 * DAY).toUTCString(),
  }))
  const feed = host.feed('/feed.xml', rss({ extra: weekly, items: dates }))
  const { id } = await root.podcasts.add(feed)
  const nextCheck = async () => Date.parse((await root.podcasts.find(id)).next_check_at!) - clock()
  const check = async () => {
    await app.context.refresh.refresh(
      app.context.store.podcasts.requireFor(app.context.store.users.findByName('root')!, id).id,
    )
    return nextCheck()
  }
  const first = await nextCheck()
  expect([first >= 2 * HOUR, first <= 2 * HOUR + 5 * MINUTE]).toEqual([true, true])

  clock.advance(first)
  const late = await check()
  expect([late >= 50 * MINUTE, late <= 70 * MINUTE]).toEqual([true, true])

  const now = { guid: 'new', date: new Date(clock()).toUTCString() }
  host.feed('/feed.xml', rss({ extra: weekly, items: [now, ...dates] }))
  clock.advance(late)
  const done = await check()
  expect([done >= 20 * HOUR, done <= 27 * HOUR]).toEqual([true, true])
})
