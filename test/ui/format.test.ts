import { expect, test } from 'bun:test'
import { formatMinutes, formatTimeOn } from '../../src/ui/format'
import { formatSpan } from '../../src/ui/format-facts'

test('hours have the same short sign in every length', () => {
  expect([20, 1380, 3600, 3900, 15_120].map(formatMinutes)).toEqual([
    '1 min',
    '23 min',
    '1 h',
    '1 h 5 min',
    '4 h 12 min',
  ])
  expect([45, 11_520, 176_400].map(formatSpan)).toEqual(['45 sec', '3 h 12 min', '2 days 1 h'])
})

test('the time of a day that a heading names never reads like a length', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 33)
  const now = at(28, 17).getTime()
  const texts = [at(28, 12), at(27, 0), at(26, 9)].map(moment => formatTimeOn(moment.toISOString(), now))
  expect(texts).toEqual(['today 12:33', 'yesterday 00:33', 'Thu 09:33'])
})
