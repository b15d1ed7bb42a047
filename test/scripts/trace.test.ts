import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { minified } from '../../scripts/compile'
import { translate } from '../../scripts/trace'
import { temporaryFolder } from '../support/app'

const source = `
  export class FeedRefused extends Error {}
  function readFeed(address: string): never {
    throw new FeedRefused(address)
  }
  async function subscribe(address: string) {
    return readFeed(address)
  }
  await subscribe('a').catch(error => console.log(error.constructor.name + '\\n' + error.stack))
`

test('a stack of the executable names functions and errors, and the source maps find their lines', async () => {
  const folder = temporaryFolder()
  await Bun.write(join(folder, 'feed.ts'), source)
  const built = await Bun.build({
    entrypoints: [join(folder, 'feed.ts')],
    target: 'bun',
    minify: minified,
    sourcemap: 'external',
    outdir: join(folder, 'out'),
  })
  expect(built.success).toBe(true)
  const map = await Bun.file(join(folder, 'out/feed.js.map')).text()
  // Bun would read it.
  rmSync(join(folder, 'out/feed.js.map'))

  const stack = Bun.spawnSync([process.execPath, join(folder, 'out/feed.js')]).stdout.toString()
  expect(stack).toStartWith('FeedRefused\nError: a\n')
  expect(stack).toMatch(/at readFeed \(.*\/feed\.js:2:\d+\)\n\s+at subscribe \(/)

  const maps = new Map([['feed.js.map', map]])
  expect(translate(stack, maps)).toMatch(/at readFeed \(feed\.ts:4:\d+\)\n\s+at subscribe \(feed\.ts:7:\d+\)/)
  const elsewhere = 'at read (/$bunfs/root/chunk-1.js:2:30), no error'
  expect(translate(elsewhere, maps)).toBe(elsewhere)
})
