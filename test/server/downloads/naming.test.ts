import { expect, test } from 'bun:test'
import { firstFree, safeSegment } from '../../../src/server/downloads/names'

test.each([
  ['Fog & Mist: part 1/2', 'Fog & Mist- part 1-2'],
  ['../../etc/passwd', '-..-etc-passwd'],
  ['..', 'x'],
  ['.hidden', 'hidden'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['COM¹', '_COM¹'],
  ['con .txt', '_con .txt'],
  ['Trailing dots...  ', 'Trailing dots'],
  ['a\u0000b\nc', 'a-b-c'],
  ['\u202Eevil', '-evil'],
  ['What? "No" <way> | *', 'What- -No- -way- - -'],
  ['   ', 'x'],
  ['half \ud83d of a smile', 'half � of a smile'],
  ['😀 smile', '😀 smile'],
])('%p becomes one safe segment', (title, expected) => {
  expect(safeSegment(title, 'x')).toBe(expected)
})

test('a long title is cut at a whole character, and the extension stays', () => {
  const name = firstFree(safeSegment('é👩‍👩‍👧'.repeat(60), 'x'), '.mp3', () => false)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
  expect(name).toMatch(/(é|👩‍👩‍👧)\.mp3$/u)
})

test('endless accents, a reserved word with a long extension, dots at the cut: the result is still a valid name', () => {
  const accents = firstFree(safeSegment(`e${'\u0301'.repeat(98)}`, 'x'), '.mp3', () => false)
  expect(accents).toMatch(/^é\u0301+\.mp3$/)
  expect(Buffer.byteLength(accents)).toBeLessThanOrEqual(200)
  expect(Buffer.byteLength(safeSegment(`con.${'x'.repeat(300)}`, 'x'))).toBe(200)
  // Cutting to make room for the extension leaves a reserved word.
  expect(
    firstFree(
      safeSegment(`lpt¹<${'\u0301'.repeat(96)}`, 'x', {
        replaceInvalidCharacters: false,
        replacementStrategy: 'remove',
      }),
      '.mp3',
      () => false,
    ),
  ).toBe('_lpt¹.mp3')
  expect(firstFree(safeSegment(`${'x'.repeat(194)}. yyyyy`, 'x'), '.mp3', () => false)).toBe(`${'x'.repeat(194)}.mp3`)
})

test('names that are taken get a number, within the same length', () => {
  const taken = new Set(['a.mp3', 'a (2).mp3'])
  expect(firstFree('a', '.mp3', name => taken.has(name))).toBe('a (3).mp3')
  const long = 'x'.repeat(250)
  expect(Buffer.byteLength(firstFree(long, '.mp3', name => !name.includes('(2)')))).toBeLessThanOrEqual(200)
})
