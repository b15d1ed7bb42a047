import { expect, test } from 'bun:test'
import { formatTenths } from '../../../src/shared/duration'
import { clipName } from '../../../src/ui/player/share-passage'
import { chooseLine, isWithin, moveBorder, passageBefore, quoteOf, timedLines } from '../../../src/ui/playback/passage'

const TOTAL = 3600
const segment = (idx: number, startMs: number | null, endMs: number | null, text: string) => ({
  idx,
  startMs,
  endMs,
  speaker: null,
  text,
})
const lines = timedLines([
  segment(0, 0, 10_000, 'One.'),
  segment(1, 10_000, null, 'Two.'),
  segment(2, null, null, 'Nowhere.'),
  segment(3, 25_000, 40_000, 'Three.'),
  segment(4, 40_000, null, 'Four.'),
])

test('at first a passage is the last half minute', () => {
  expect(passageBefore(100)).toEqual({ start: 70, end: 100 })
  expect(passageBefore(12)).toEqual({ start: 0, end: 12 })
  expect(passageBefore(42.93)).toEqual({ start: 12.9, end: 42.9 })
  expect(passageBefore(0)).toEqual({ start: 0, end: 1 })
})

test('one border pushes the other, so that a passage is a second to five minutes long and within the episode', () => {
  const passage = { start: 100, end: 130 }
  expect(moveBorder(passage, 'start', 90, TOTAL)).toEqual({ start: 90, end: 130 })
  expect(moveBorder(passage, 'start', 150, TOTAL)).toEqual({ start: 150, end: 151 })
  expect(moveBorder(passage, 'end', 50, TOTAL)).toEqual({ start: 49, end: 50 })
  expect(moveBorder(passage, 'end', 600, TOTAL)).toEqual({ start: 300, end: 600 })
  expect(moveBorder({ start: 500, end: 600 }, 'start', 10, TOTAL)).toEqual({ start: 10, end: 310 })
  expect(moveBorder(passage, 'end', 9999, TOTAL)).toEqual({ start: 3300, end: 3600 })
  expect(moveBorder(passage, 'start', -5, TOTAL)).toEqual({ start: 0, end: 130 })
  expect(moveBorder(passage, 'start', 9999, TOTAL)).toEqual({ start: 3599, end: 3600 })
  // The length of some episodes is not known.
  expect(moveBorder(passage, 'end', 200, 0)).toEqual({ start: 100, end: 200 })
})

test('a line without an end lasts until the next, and one without a time is left out', () => {
  expect(lines.map(({ start, end }) => [start, end])).toEqual([
    [0, 10],
    [10, 25],
    [25, 40],
    [40, 45],
  ])
})

test('choosing a line extends the passage to it, and choosing one within begins anew', () => {
  const [one, two, three] = lines
  const alone = chooseLine({ start: 60, end: 90 }, two!, TOTAL)
  expect(alone).toEqual({ start: 10, end: 90 })
  const both = chooseLine({ start: 10, end: 25 }, three!, TOTAL)
  expect(both).toEqual({ start: 10, end: 40 })
  expect(chooseLine(both, one!, TOTAL)).toEqual({ start: 0, end: 40 })
  expect(chooseLine(both, three!, TOTAL)).toEqual({ start: 25, end: 40 })
})

test('the quotation is what is said in the passage, and ends with a whole word', () => {
  const passage = { start: 8, end: 40 }
  expect(lines.map(line => isWithin(passage, line))).toEqual([false, true, true, false])
  expect(quoteOf(lines, passage)).toBe('Two. Three.')
  const long = timedLines([segment(0, 0, 10_000, 'harbour '.repeat(200))])
  const quote = quoteOf(long, { start: 0, end: 10 })
  expect(quote.length).toBeLessThanOrEqual(1000)
  expect(quote).toEndWith('harbour…')
})

test('tenths of a second are shown where there are any', () => {
  expect([12, 12.93, 12.97, 59.99, 3605.1, -1].map(formatTenths)).toEqual([
    '00:12',
    '00:12.9',
    '00:13',
    '01:00',
    '01:00:05.1',
    '00:00',
  ])
})

test('the file of a clip is named by its episode and its times, without double spaces', () => {
  expect(clipName('Fog: a / story ?', { start: 12.9, end: 75 }, 'audio/mpeg')).toBe('Fog a story (00-12.9_01-15).mp3')
  expect(clipName('Fog', { start: 0, end: 5 }, 'audio/aac')).toBe('Fog (00-00_00-05).aac')
})
