import { expect, test } from 'bun:test'
import { createBackground } from '../../src/server/background'
import { rss } from '../support/builders'
import { refusal } from '../support/app'

// No library is opened for a feed of nobody's.
const nowhere = '/nowhere/castellan.db'

const request = (body: string) => ({
  body: new TextEncoder().encode(body),
  contentType: '',
  contentEncoding: '',
  address: 'https://pod.example/feed.xml',
  maxBytes: 100_000_000,
  podcastId: null,
})

test('a feed that takes too long fails alone: the next one gets a fresh reader', async () => {
  const background = createBackground(nowhere, { timeoutMs: 1500 })
  const huge = `<rss><channel><title>t</title>${`<item><enclosure url="/a.mp3"/>${'<x>y</x>'.repeat(40)}</item>`.repeat(180_000)}</channel></rss>`
  const [bad, good] = await Promise.all([
    refusal(background.read(request(huge))),
    background.read(request(rss({ items: [{}] }))),
  ])
  expect(bad).toMatchObject({ name: 'UnreadableFeed' })
  expect(good).toMatchObject({ ok: true, reading: { recognised: 0, dates: [expect.any(Number)] } })
  background.close()
})

test.each([
  ['items that never end', '<item>'.repeat(500_000)],
  ['tags that never end', '<item '.repeat(500_000)],
  ['comments that never end', '<!-- '.repeat(100_000)],
  ['a title of ten megabytes', `<title>${'x'.repeat(10_000_000)}</title>`],
])('%s are read in one pass', async (_, inside) => {
  const background = createBackground(nowhere, { timeoutMs: 4000 })
  const result = await background.read(request(`<rss><channel>${inside}`))
  expect(result.ok || result.reason === 'not-a-feed').toBe(true)
  background.close()
})
