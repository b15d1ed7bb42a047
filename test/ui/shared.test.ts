import { expect, test } from 'bun:test'
import { formatDuration } from '../../src/shared/duration'
import { nextPlaybackRate, playbackRates } from '../../src/shared/limits'

test('durations hide hours that are not there', () => {
  expect([0, 65, 3605, 36_000, -5, Number.NaN].map(formatDuration)).toEqual([
    '00:00',
    '01:05',
    '01:00:05',
    '10:00:00',
    '00:00',
    '00:00',
  ])
})

test('the playback rates cycle as listed', () => {
  expect(playbackRates.map(nextPlaybackRate)).toEqual([1, 1.1, 1.25, 1.5, 2, 2.5, 3, 0.5])
  expect([1.35, 7].map(nextPlaybackRate)).toEqual([1.5, 0.5])
})
