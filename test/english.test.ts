import { expect, test } from 'bun:test'
import { kinds, measure, type Kind } from './support/english'

/** The most idioms in 10,000 words. A number may fall; `bun test/support/english.ts docs` lists what is counted. */
const allowed: Record<Kind, number> = {
  'README.md': 0,
  docs: 0,
  'docs/internals': 0,
  'CHANGELOG.md': 0,
  '--help': 0,
  'locales/en.json': 0,
  comments: 0.5,
}

test.each([...kinds])('%s reads as if it had been written in English', async kind => {
  const { words, found, per10000 } = await measure(kind)
  expect(words).toBeGreaterThan(500)
  expect(per10000, JSON.stringify(found.slice(-20), null, 1)).toBeLessThanOrEqual(allowed[kind])
})

test('documents for users have at most 22,000 words', async () => {
  expect((await measure('docs')).words).toBeLessThanOrEqual(22_000)
})
