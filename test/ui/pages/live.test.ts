import { expect, test } from 'bun:test'
import type { LiveItem } from '../../../src/shared/api/playables'
import { liveNow } from '../../../src/ui/pages/episodes/live-notice'

const now = Date.parse('2026-03-01T12:00:00Z')
const item = (title: string, hours: number, rest: Partial<LiveItem> = {}): LiveItem => ({
  id: title,
  guid: title,
  streams: [],
  status: 'pending',
  title,
  start: new Date(now + hours * 3_600_000).toISOString(),
  ...rest,
})
const find = (...items: LiveItem[]) => {
  const found = liveNow(items, now)
  return found && [found.item.title, found.isOn]
}

test('the next stream is announced, but none more than a week ahead', () => {
  expect(find(item('later', 5), item('soon', 1))).toEqual(['soon', false])
  expect(find(item('far', 8 * 24))).toBeNull()
  expect(liveNow(undefined, now)).toBeNull()
})

test('a stream whose time has come is on, whatever the feed said when it was last checked', () => {
  expect(find(item('soon', 1), item('now', -1))).toEqual(['now', true])
})

test('a stream that began early is on', () => {
  expect(find(item('early', 1, { status: 'live' }))).toEqual(['early', true])
})

test('a stream is over at its announced end, else after the usual time, or when the feed says so', () => {
  expect(find(item('over', -2, { end: new Date(now - 1).toISOString() }))).toBeNull()
  expect(find(item('forgotten', -5, { status: 'live' }))).toBeNull()
  expect(find(item('ended', -1, { status: 'ended' }))).toBeNull()
})
