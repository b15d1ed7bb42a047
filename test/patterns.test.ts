import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { findPatterns } from './support/patterns/find'
import { judge } from './support/patterns/judge'

const root = join(import.meta.dir, '..')

/** Patterns that the judge does not understand, and why they are none of those that it looks for. */
const reviewed: Readonly<Record<string, string>> = {}

test('no pattern of the product takes longer than its text is long', async () => {
  const found = await findPatterns(root, 'src/**/*.{ts,tsx}')
  expect(found.length).toBeGreaterThan(200)
  const slow = found.flatMap(({ file, source, flags }) => {
    const reason = source in reviewed ? null : judge(source, flags)
    return reason ? [`${file}: /${source}/${flags} ${reason}`] : []
  })
  expect(slow).toEqual([])
  expect(Object.keys(reviewed).filter(source => found.every(pattern => pattern.source !== source))).toEqual([])
})

test.each([
  [/(a+)+b/, 'backtracks without end'],
  [/\s+$/, 'backtracks'],
  [/<[^>]*>/, 'backtracks'],
  [/^\s*(.*?)\s*$/, 'backtracks'],
  [/<script>([\s\S]*?)<\/script>/, 'begins anew'],
  [/<a [^>]* href="(\d+)"/, 'begins anew'],
  [/^.*ab.*ab.*c$/, 'begins anew'],
])('a pattern that reads the same text again and again is found: %p', (pattern, reason) => {
  expect(judge(pattern.source, pattern.flags)).toStartWith(reason)
})

test.each([
  [/<!--[\s\S]*?(?:-->|$)/],
  [/<[^<>]*>/],
  [/<\?[^>]*(?:>|$)/],
  [/key=[^&]+/],
  [/\n\s*\n/],
  [/"(?:[^"\\]|\\.)*"/],
  [/^\d+-\d+$/],
])('a pattern that does not is left alone: %p', pattern => {
  expect(judge(pattern.source, pattern.flags)).toBeNull()
})

test('patterns are found wherever they are written', async () => {
  const found = await findPatterns(root, 'src/server/{feeds/chapters,http/gpodder/index}.ts')
  const sources = found.map(({ source }) => source)
  expect(sources.some(source => source.includes('(?<user>[^/]+?)/(?<device>'))).toBeTrue()
})
