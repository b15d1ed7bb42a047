import { expect, test } from 'bun:test'
import { MAX_TEXT } from '../../../src/server/texts/transcripts/segments'
import { readAnswer } from '../../../src/server/transcription/answer'

const read = (json: unknown, duration = 0) => {
  const found = readAnswer({ body: Buffer.from(JSON.stringify(json)), duration })
  if ('reason' in found) throw new Error(found.reason)
  return found
}
const timesOf = (segments: unknown[], duration?: number) =>
  read({ segments }, duration).segments.map(({ startMs, endMs }) => [startMs, endMs])

test('times that cannot be right are left out', () => {
  const text = 'x'
  expect(
    timesOf(
      [
        { start: -1, end: 2, text },
        { start: 'soon', end: null, text },
        { start: 1e300, end: 1e301, text },
        { start: 3, end: 1, text },
        { start: 5, end: 9999, text },
        { start: 500, end: 501, text },
        { text },
      ],
      60,
    ),
  ).toEqual([
    [null, null],
    [null, null],
    [null, null],
    [3000, null],
    [5000, null],
    [null, null],
    [null, null],
  ])
})

test('times that go back stay at the one before, so that the text can be followed', () => {
  const text = 'x'
  expect(
    timesOf([
      { start: 10, end: 12, text },
      { start: 4, end: 6, text },
      { start: 11, end: 13, text },
    ]),
  ).toEqual([
    [10_000, 12_000],
    [10_000, null],
    [11_000, 13_000],
  ])
})

test('a text without times is cut into passages at the ends of sentences', () => {
  const sentence = `${'word '.repeat(30)}end.`
  const { segments } = read({ text: Array.from({ length: 10 }, () => sentence).join(' ') })
  expect(segments.every(({ startMs, text }) => startMs === null && text.endsWith('end.'))).toBe(true)
  expect(segments.length).toBeGreaterThan(3)
  expect(
    segments
      .map(({ text }) => text)
      .join(' ')
      .split('end.'),
  ).toHaveLength(11)
})

test('what is too long is cut, and what is too much is left out', () => {
  const { segments } = read({ segments: [{ start: 0, end: 1, text: 'a'.repeat(10_000) }] })
  expect(segments[0]!.text).toHaveLength(MAX_TEXT)
  expect(read({ segments: Array.from({ length: 60_000 }, () => ({ text: 'a' })) }).segments).toHaveLength(50_000)
  const { length } = read({ text: 'a'.repeat(9_000_000) })
    .segments.map(({ text }) => text)
    .join('')
  expect(length).toBe(5_000_000)
})

test('whatever stands in the place of segments does no harm', () => {
  for (const segments of [[null, 1, 'x', [], {}], [{ text: 7 }], {}, 'x', null])
    expect(read({ segments, text: '' }).segments).toEqual([])
  expect(read({ segments: [], text: 'Only words' }).segments).toMatchObject([{ text: 'Only words' }])
})

test('a language is taken as a code, not as a name', () => {
  expect(read({ text: 'x', language: 'PT-br' }).language).toBe('pt-br')
  expect(read({ text: 'x', language: 'english' }).language).toBeNull()
  expect(read({ text: 'x', language: 7 }).language).toBeNull()
})
