import { expect, test } from 'bun:test'
import { daysBegun, daysWithin, periodOf, secondsOf, streaksOf } from '../../../src/ui/pages/info/listening-days'
import { csvOf, treemap } from '../../../src/ui/pages/info/listening-podcasts'

const day = (date: string, minutes: number) => ({ date, listenedSeconds: minutes * 60 })

test('a month and a year begin at local midnight, and the ones before them end there', () => {
  const now = new Date(2026, 0, 15, 12)
  expect(periodOf('month', 0, now)).toMatchObject({ start: new Date(2026, 0, 1), end: new Date(2026, 1, 1) })
  expect(periodOf('month', 1, now)).toMatchObject({ start: new Date(2025, 11, 1), end: new Date(2026, 0, 1) })
  expect(periodOf('year', 2, now)).toMatchObject({ start: new Date(2024, 0, 1), end: new Date(2025, 0, 1) })
  expect(periodOf('all', 0, now)).toMatchObject({ start: null, end: null })
  const days = [day('2025-11-30', 1), day('2025-12-01', 2), day('2025-12-31', 4), day('2026-01-01', 8)]
  expect(secondsOf(daysWithin(days, periodOf('month', 1, now)))).toBe(360)
  expect(secondsOf(daysWithin(days, periodOf('all', 0, now)))).toBe(900)
})

test('a day of five minutes keeps a streak, and today may still come', () => {
  const now = new Date(2026, 2, 2, 9)
  const days = [day('2026-02-26', 9), day('2026-02-27', 4), day('2026-02-28', 5), day('2026-03-01', 60)]
  expect(streaksOf(days, now)).toEqual({ current: 2, longest: 2 })
  expect(streaksOf([...days, day('2026-03-02', 5)], now)).toEqual({ current: 3, longest: 3 })
  expect(streaksOf(days, new Date(2026, 2, 3, 9))).toEqual({ current: 0, longest: 2 })
  expect(streaksOf([], now)).toEqual({ current: 0, longest: 0 })
})

test('a period has as many days as its calendar, also where the clocks change', () => {
  const zone = process.env['TZ']
  process.env['TZ'] = 'Europe/Berlin'
  try {
    const now = new Date(2026, 10, 3, 9)
    expect(daysBegun(periodOf('month', 1, now), [], now)).toBe(31)
    expect(daysBegun(periodOf('month', 0, now), [], now)).toBe(3)
    expect(daysBegun(periodOf('year', 1, now), [], now)).toBe(365)
    expect(daysBegun(periodOf('all', 0, now), [day('2026-10-20', 1)], now)).toBe(15)
  } finally {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  }
})

test('no name of a podcast becomes a formula in a spreadsheet, or ends its cell', async () => {
  const row = { podcastId: 'p', imageUrl: '', listenedEpisodes: 2, listenedSeconds: 60 }
  const text = await csvOf([
    { ...row, podcastName: '=HYPERLINK("x")' },
    { ...row, podcastName: 'Plain, with a comma' },
  ]).text()
  expect(text).toBe(
    ['podcast,episodes,seconds', '"\'=HYPERLINK(""x"")",2,60', '"Plain, with a comma",2,60', ''].join('\r\n'),
  )
})

test('tiles fill their box in the ratio of the values, and none is a sliver', () => {
  const values = [552, 340, 185, 168, 130, 110, 91]
  const tiles = treemap(values, 12 / 7)
  const whole = values.reduce((sum, value) => sum + value, 0)
  const ratios = tiles.map(({ width, height }, at) => {
    expect((width * height) / 100).toBeCloseTo((100 * values[at]!) / whole, 5)
    const sides = (width * 12) / (height * 7)
    return Math.max(sides, 1 / sides)
  })
  expect(Math.max(...ratios)).toBeLessThan(3)
  for (const { x, y, width, height } of tiles) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
    expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(100.001)
  }
  expect(treemap([], 1)).toEqual([])
  expect(treemap([5], 2)).toEqual([{ x: 0, y: 0, width: 100, height: 100 }])
})
