import { expect, test } from 'bun:test'
import type { Chapter } from '../../../src/shared/api/texts'
import type { SkipMark } from '../../../src/shared/api/marks'
import { isMarked, partAt, partsOf, without } from '../../../src/ui/state/marked-parts'

const chapter = (startTime: number, endTime: number, title: string, advertising = false) =>
  ({ id: title, startTime, endTime, title, advertising }) as Chapter
const mark = (start: number, end: number, skip = true) =>
  ({ id: `${start}`, episode: 'e', start, end, skip }) as SkipMark

const chapters = [
  chapter(0, 60, 'Sponsor', true),
  chapter(60, 300, 'The lamp'),
  chapter(300, 330, 'Ad', true),
  chapter(330, 360, 'Ad 2', true),
  chapter(360, 600, 'The end'),
]
const shown = (...marks: SkipMark[]) =>
  partsOf(chapters, marks, 600).map(({ start, end, titles }) => [start, end, titles.join('+')].join(' '))

test('chapters that mean advertising are marked, those beside each other as one part', () => {
  expect(shown()).toEqual(['0 60 Sponsor', '300 360 Ad+Ad 2'])
})

test('a mark by hand adds a part, or takes one back, and the later one counts', () => {
  expect(shown(mark(100, 130))).toEqual(['0 60 Sponsor', '100 130 ', '300 360 Ad+Ad 2'])
  expect(shown(mark(0, 60, false))).toEqual(['300 360 Ad+Ad 2'])
  expect(shown(mark(0, 60, false), mark(0, 60))).toEqual(['0 60 Sponsor', '300 360 Ad+Ad 2'])
  expect(shown(mark(310, 320, false))).toEqual(['0 60 Sponsor', '300 310 Ad', '320 360 Ad+Ad 2'])
  expect(shown(mark(360, 600))).toEqual(['0 60 Sponsor', '300 600 Ad+Ad 2+The end'])
})

test('a mark of a chapter has its title, within half a second', () => {
  expect(shown(mark(60.3, 299.8))).toEqual(['0 360 Sponsor+The lamp+Ad+Ad 2'])
  const parts = partsOf(chapters, [mark(60.3, 299.8)], 600)
  expect(chapters.map(one => isMarked(parts, one, 600))).toEqual([true, true, true, true, false])
  expect(chapters.map(one => isMarked(partsOf(chapters, [mark(0, 30, false)], 600), one, 600))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ])
})

test('the last chapter ends with the episode, and nothing is marked where that is unknown', () => {
  const last = [chapter(0, 60, 'Intro'), chapter(60, 0, 'Sponsor', true)]
  expect(partsOf(last, [], 90)).toEqual([{ start: 60, end: 90, titles: ['Sponsor'] }])
  expect(partsOf(last, [], 0)).toEqual([])
})

test('a part that is about to end counts no more: a player is rarely exact', () => {
  const parts = partsOf(chapters, [], 600)
  expect([0, 59, 59.6, 60, 300, 599].map(second => partAt(parts, second)?.end ?? null)).toEqual([
    60,
    60,
    null,
    null,
    360,
    null,
  ])
  expect(without(parts, [{ start: 0, end: 60 }])).toEqual(parts.slice(1))
})
