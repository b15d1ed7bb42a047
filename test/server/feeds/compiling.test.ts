import { expect, test } from 'bun:test'
import { join } from 'node:path'

const script = `
  const { parseFeed } = await import('${join(import.meta.dir, '../../../src/server/feeds/parse/parse-feed')}')
  const { rss } = await import('${join(import.meta.dir, '../../support/builders')}')
  const body = new TextEncoder().encode(rss({ items: Array.from({ length: 500 }, () => ({})) }))
  for (let count = 0; count < 40; count++) parseFeed(body, 'https://pod.example/feed.xml')
`

test(
  'readers of an item are kept out of the last compiler, which needs much memory for them',
  async () => {
    const child = Bun.spawn([process.execPath, '-e', script], {
      env: { ...process.env, BUN_JSC_reportFTLCompileTimes: '1', BUN_JSC_useConcurrentJIT: '0' },
      stderr: 'pipe',
    })
    const printed = await new Response(child.stderr).text()
    const compiled = new Set([...printed.matchAll(/^Optimized (\w+)#/gm)].map(([, name]) => name))
    expect(compiled).toContain('readElement')
    for (const name of ['parseItem', 'podcastIndexItem', 'itunesItem', 'playableOf', 'mediaOf', 'linkOf'])
      expect(compiled).not.toContain(name)
  },
  { timeout: 60_000 },
)
