import { Glob } from 'bun'
import { expect, test } from 'bun:test'
import en from '../../locales/en.json'

const sources = await Promise.all(
  [...new Glob('src/ui/**/*.{ts,tsx}').scanSync('.')].map(path => Bun.file(path).text()),
)
const code = sources.join('\n')
const keys = Object.keys(en)
const plain = (key: string) => key.replace(/_(one|other)$/, '')

test('every text that the interface asks for is there', () => {
  const asked = [...code.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key]) => key!)
  const known = new Set(keys.map(plain))
  expect(asked.filter(key => !known.has(key))).toEqual([])
})

test('no text is left over', () => {
  const isUsed = (key: string) => code.includes(`'${key}'`) || composed.some(prefix => key.startsWith(prefix))
  // Keys that are put together: `theme-` and the name of a theme, and the like.
  const composed = [...code.matchAll(/`([a-z][\w.-]*)\$\{/g)].map(([, prefix]) => prefix!)
  expect(keys.map(plain).filter(key => !isUsed(key))).toEqual([])
})

test('texts are in alphabetical order, without exclamation marks', () => {
  const sorted = [...keys].sort((a, b) => a.localeCompare(b, 'en'))
  expect(keys.map(plain)).toEqual(sorted.map(plain))
  expect(Object.values(en).filter(text => text.includes('!'))).toEqual([])
})
