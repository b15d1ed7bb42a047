import { expect, test } from 'bun:test'
import { paragraphsOf, placeAt } from '../../../src/ui/library/episodes/transcript-flow'

type Line = readonly [start: number, end: number, text: string, speaker?: string]

const segments = (...lines: readonly Line[]) =>
  lines.map(([start, end, text, speaker = null], idx) => ({
    idx,
    startMs: start * 1000,
    endMs: end * 1000,
    speaker,
    text,
  }))
/** The sentences of each paragraph. */
const read = (...lines: readonly Line[]) =>
  paragraphsOf(segments(...lines)).map(({ sentences }) => sentences.map(({ text }) => text))

test('lines are joined until a full stop, also one within quotes', () => {
  expect(read([0, 2, 'We begin,'], [2, 4, 'as always,'], [4, 6, 'with “the lamp.”'], [6, 8, 'Then fog'])).toEqual([
    ['We begin, as always, with “the lamp.”', 'Then fog'],
  ])
  const [{ sentences } = { sentences: [] }] = paragraphsOf(segments([1, 2, 'We begin'], [2, 4, 'here.']))
  expect(sentences).toEqual([{ startMs: 1000, endMs: 4000, text: 'We begin here.' }])
})

test('a pause ends a sentence, and a long one a paragraph', () => {
  expect(read([0, 2, 'one'], [3, 4, 'two'], [6, 7, 'three'], [11, 12, 'four'])).toEqual([
    ['one two', 'three'],
    ['four'],
  ])
})

test('another speaker begins a paragraph, even within a sentence', () => {
  const found = paragraphsOf(segments([0, 2, 'Did you', 'Mara'], [2, 3, 'I did.', 'Tom'], [3, 4, 'He did.', 'Tom']))
  expect(found.map(({ speaker, sentences }) => [speaker, sentences.length])).toEqual([
    ['Mara', 1],
    ['Tom', 2],
  ])
})

test('after ninety words a paragraph ends with its sentence', () => {
  const long = Array.from({ length: 50 }, (_, index) => `word${index}`).join(' ')
  expect(read([0, 9, `${long}.`], [9, 18, `${long} end.`], [18, 20, 'Next.']).map(({ length }) => length)).toEqual([
    2, 1,
  ])
})

test('without any full stop a sentence has thirty words, or a few more', () => {
  const lines = Array.from({ length: 20 }, (_, index): Line => [index, index + 1, `some words number ${index}`])
  expect(
    read(...lines)
      .flat()
      .map(text => text.split(' ').length),
  ).toEqual([32, 32, 16])
})

test('words that a rolling caption repeats are left out, and a word said twice stays', () => {
  expect(
    read(
      [0, 1, 'the keeper of'],
      [1, 2, 'the keeper of the lamp'],
      [2, 3, 'the lamp'],
      [3, 4, 'was very'],
      [4, 5, 'very old.'],
    ),
  ).toEqual([['the keeper of the lamp was very very old.']])
})

test('the sentence that is spoken is found by its second, also where lines have no times', () => {
  const paragraphs = paragraphsOf(segments([2, 4, 'One.'], [4, 6, 'Two.'], [20, 22, 'Three.']))
  expect([0, 2, 5, 30].map(second => placeAt(paragraphs, second))).toEqual([
    null,
    { paragraph: 0, sentence: 0 },
    { paragraph: 0, sentence: 1 },
    { paragraph: 1, sentence: 0 },
  ])
  const untimed = paragraphsOf([{ idx: 0, startMs: null, endMs: null, speaker: null, text: 'Words.' }])
  expect(placeAt(untimed, 5)).toBeNull()
  expect(untimed).toEqual([{ speaker: null, sentences: [{ startMs: null, endMs: null, text: 'Words.' }] }])
})
