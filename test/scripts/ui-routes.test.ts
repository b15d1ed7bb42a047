import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { writeRoutes } from '../../scripts/ui-routes'
import type { Route } from '../../src/server/http/docs/describe'
import { startTestApp, withPasswords } from '../support/app'

/** The words of a file, without what a formatter adds or moves. */
const wordsOf = (source: string) => source.replace(/[\s;,|]+/g, ' ').replace(/ ?([{}()[\]<>]) ?/g, '$1')

test('the interface knows the calls of the server as they are now: `bun run routes` writes them', async () => {
  await using app = await startTestApp({ env: withPasswords })
  const written = await Bun.file(join(import.meta.dir, '../../src/ui/api/routes.ts')).text()
  expect(wordsOf(written)).toBe(wordsOf(await writeRoutes(app.app.routes as readonly Route[])))
})
