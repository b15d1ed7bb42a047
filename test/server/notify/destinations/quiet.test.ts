import { expect, test } from 'bun:test'
import { quietUntil } from '../../../../src/server/notify/quiet'

const quiet = (from: number | null, to: number | null, time_zone = 'Europe/Berlin') => ({
  quiet_from: from,
  quiet_to: to,
  time_zone,
})
const until = (hours: ReturnType<typeof quiet>, at: string) => {
  const end = quietUntil(hours, Date.parse(at))
  return end === null ? null : new Date(end).toISOString().slice(0, 16)
}

test('hours that pass midnight are quiet on both sides of it, up to their end', () => {
  const night = quiet(22 * 60, 7 * 60)
  expect(until(night, '2026-05-01T19:59:59Z')).toBe(null)
  expect(until(night, '2026-05-01T20:00:30Z')).toBe('2026-05-02T05:00')
  expect(until(night, '2026-05-01T22:30:00Z')).toBe('2026-05-02T05:00')
  expect(until(night, '2026-05-02T04:59:59Z')).toBe('2026-05-02T05:00')
  expect(until(night, '2026-05-02T05:00:00Z')).toBe(null)
})

test('hours within a day are those of the time zone', () => {
  const lunch = quiet(12 * 60, 13 * 60, 'Asia/Kathmandu')
  expect(until(lunch, '2026-05-01T06:14:00Z')).toBe(null)
  expect(until(lunch, '2026-05-01T06:15:00Z')).toBe('2026-05-01T07:15')
  expect(until(lunch, '2026-05-01T07:15:00Z')).toBe(null)
})

test('in the night when the clocks change, quiet hours end where the first look says or are looked at again', () => {
  const night = quiet(22 * 60, 7 * 60)
  // Clocks go back: 07:00 comes an hour later than the first look thinks.
  const first = until(night, '2026-10-24T21:00:00Z')!
  expect(first).toBe('2026-10-25T05:00')
  expect(until(night, `${first}:00Z`)).toBe('2026-10-25T06:00')
})

test('no hours, and hours without a length, are never quiet', () => {
  expect(until(quiet(null, null), '2026-05-01T20:00:00Z')).toBe(null)
  expect(until(quiet(60, 60), '2026-05-01T23:00:00Z')).toBe(null)
})
