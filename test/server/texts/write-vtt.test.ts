import { expect, test } from 'bun:test'
import { writeVtt } from '../../../src/server/texts/transcripts/cues'
import { segmentsOf } from '../../support/segments-of'

const segment = (startMs: number, endMs: number | null, text: string, speaker: string | null = null) => ({
  startMs,
  endMs,
  text,
  speaker,
})

test('what is written as WebVTT reads back as it was, with times beyond an hour and marks in the words', () => {
  const segments = [
    segment(0, 999, '1 < 2 && 3 > 2 --> said'),
    segment(3_723_004, 3_724_000, 'Over an hour', 'A <b> & C'),
    segment(360_000_001, 360_000_002, 'After a hundred'),
  ]
  expect(writeVtt(segments)).toStartWith('WEBVTT\n\n00:00:00.000 --> 00:00:00.999\n')
  expect(segmentsOf(writeVtt(segments))).toEqual(segments)
})

test('a segment without an end lasts until the next, and the last one for a moment', () => {
  const written = writeVtt([
    segment(0, null, 'one'),
    segment(30_000, null, 'two'),
    { ...segment(0, 1, 'x'), startMs: null },
  ])
  expect(written.match(/.* --> .*/g)).toEqual(['00:00:00.000 --> 00:00:30.000', '00:00:30.000 --> 00:00:40.000'])
})
