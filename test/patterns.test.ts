import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { findPatterns, type Pattern } from './support/patterns/find'
import { judge } from './support/patterns/judge'

const root = join(import.meta.dir, '..')

/** Findings that do no harm: the beginning of each pattern, by its file, and why. */
const reviewed: readonly (readonly [file: string, beginning: string, reason: string])[] = [
  ['feeds/parse/notes.ts', 'https?:', 'whatever it reads it also matches, but for punctuation at the end'],
  ['feeds/parse/values.ts', '^p?', 'a duration is cut to 100 characters'],
  ['feeds/parse/dates.ts', '(\\d{1,2})', 'a date is cut to 100 characters'],
  ['feeds/parse/dates.ts', '(\\p{L}{3,})', 'a date is cut to 100 characters'],
  ['feeds/parse/dates.ts', '(\\d{4})', 'a date is cut to 100 characters'],
  ['feeds/parse/dates.ts', '(?<!\\d)', 'a date is cut to 100 characters'],
  ['http/core/interface.ts', '<script>', 'is tried on our own page'],
]
const isReviewed = ({ file, source }: Pattern) =>
  reviewed.some(([name, beginning]) => file.endsWith(name) && source.startsWith(beginning))

test('D2: no pattern of the product takes longer than its text is long', async () => {
  const found = await findPatterns(root, 'src/**/*.{ts,tsx}')
  expect(found.length).toBeGreaterThan(200)
  const slow = found.flatMap(({ file, source, flags }) => {
    const reason = judge(source, flags)
    return reason ? [{ file, source, flags, reason }] : []
  })
  expect(slow.filter(pattern => !isReviewed(pattern))).toEqual([])
}, 120_000)

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
  const found = await findPatterns(root, 'src/server/{http,feeds}/**/*.ts')
  const has = (name: string, part: string) =>
    expect(found.some(({ file, source }) => file.endsWith(name) && source.includes(part))).toBeTrue()
  has('feeds/parse/chapters.ts', '\\d{1,3}:\\d{2}')
  has('gpodder/calls.ts', '^/api/2/devices/(?<user>[^/]+?)/(?<device>')
  has('http/core/open-routes.ts', '^word/?$')
})
