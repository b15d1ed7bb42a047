import { expect, test } from 'bun:test'
import { formatMinutes, formatSpan } from '../../src/ui/format'

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
