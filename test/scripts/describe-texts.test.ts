import { expect, test } from 'bun:test'
import { describeTexts, roomFor } from '../../scripts/describe-texts'
import { markTexts, marksIn } from '../../scripts/photograph-texts'
import { languages } from '../../src/shared/languages'

const described = await describeTexts()

test('translators learn of every text where it is shown', () => {
  expect(described.length).toBeGreaterThan(1800)
  expect(described.filter(({ where }) => where.length === 0).map(({ key }) => key)).toEqual([])
})

test('every note for translators is about a text that exists', async () => {
  const notes = (await Bun.file('packaging/translations/notes.json').json()) as Record<string, string>
  const known = new Set(described.map(({ key }) => key.replace(/_(zero|one|two|few|many|other|none)$/, '')))
  expect(Object.keys(notes).filter(key => !known.has(key))).toEqual([])
})

test('no translation is longer than the room that its text has', async () => {
  const english = new Map(described.map(({ key, text }) => [key, text]))
  const long: string[] = []
  for (const language of Object.keys(languages)) {
    const texts = (await Bun.file(`locales/${language}.json`).json()) as Record<string, string>
    for (const [key, text] of Object.entries(texts)) {
      const source = english.get(key) ?? english.get(key.replace(/_(zero|one|two|few|many)$/, '_other'))!
      if (text.length > roomFor(source.length)) long.push(`${language} ${key}: ${text}`)
    }
  }
  expect(long).toEqual([])
})

test('each text can be recognised by its mark, also within another and next to one', () => {
  const texts = Object.fromEntries(Array.from({ length: 2100 }, (_, index) => [`key-${index}`, `Text ${index}`]))
  const marked = Object.values(markTexts(texts))
  expect(marked.map(text => marksIn(text))).toEqual(marked.map((_, index) => [index]))
  expect(marksIn(`${marked[7]} of ${marked[2048]}${marked[3]}`)).toEqual([7, 2048, 3])
})

test('the marks have room for every text', () => {
  expect(described.length).toBeLessThan(2 ** 12)
})
