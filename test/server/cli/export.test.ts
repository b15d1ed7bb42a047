import { expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runExportCommand } from '../../../src/server/cli/export'
import { readConfig } from '../../../src/server/config'
import { executable } from '../../support/executable'
import { refusal, startTestApp, temporaryFolder } from '../../support/app'
import { rss } from '../../support/builders'
import { startFeedHost } from '../../support/feed-host'
import { unzip } from '../../support/unzip'

async function startLibrary() {
  using host = startFeedHost()
  const folder = temporaryFolder()
  await using app = await startTestApp({ folder })
  app.prefill(0)
  await app.signUp('alice')
  const url = host.on('/feed.xml', request =>
    request.headers.get('authorization') === `Basic ${btoa('mara:sea')}`
      ? new Response(rss({ items: [{}] }))
      : new Response('no', { status: 401 }),
  )
  await app.context.subscribe(app.context.admin, url.replace('//', '//mara:sea@'))
  return folder
}

async function exportFrom(folder: string, ...args: string[]) {
  const lines: string[] = []
  await runExportCommand(args, readConfig({ DATA_DIRECTORY: folder }), line => lines.push(line))
  return lines.join('\n')
}

test('the command writes a new file that only its owner may read, with passwords if they are asked for', async () => {
  const folder = await startLibrary()
  const path = join(temporaryFolder(), 'mine.zip')
  expect(await exportFrom(folder, '--user', 'admin', path)).toBe(
    `Exported everything of admin to ${path} (${statSync(path).size} bytes).`,
  )
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(String((await unzip(path)).get('everything.portcast.json'))).not.toContain('"sea"')
  const other = join(temporaryFolder(), 'other.zip')
  expect(await exportFrom(folder, '--user', 'admin', '--with-passwords', other)).toContain('keep it safe')
  expect(String((await unzip(other)).get('everything.portcast.json'))).toContain('"sea"')
})

test('what stands in the way is refused, and nothing is left behind', async () => {
  const folder = await startLibrary()
  const target = temporaryFolder()
  const taken = join(target, 'taken.zip')
  writeFileSync(taken, 'mine')
  const refused = async (...args: string[]) => ((await refusal(exportFrom(folder, ...args))) as Error).message
  expect(await refused(taken)).toMatch(/--user, one of .*alice/)
  expect(await refused('--user', 'nobody', taken)).toStartWith('There is no account "nobody"')
  expect(await refused('--user', 'alice', taken)).toBe(`${taken} exists already. Name another file.`)
  expect(await refused('--user', 'alice', join(target, 'no', 'folder.zip'))).toContain('cannot be written (ENOENT)')
  expect(await refused('--user', 'alice', taken, 'more')).toBe('Unexpected "more"')
  expect(await refused('--everything')).toContain('--everything')
  expect(((await refusal(exportFrom(temporaryFolder()))) as Error).message).toStartWith('No database at')
  expect(readdirSync(target)).toEqual(['taken.zip'])
})

test('on the standard output there is the archive and nothing else', async () => {
  const folder = await startLibrary()
  const child = Bun.spawn([executable, 'export', '--user', 'alice', '-'], {
    env: { ...process.env, DATA_DIRECTORY: folder },
    stderr: 'inherit',
  })
  const path = join(temporaryFolder(), 'out.zip')
  await Bun.write(path, await new Response(child.stdout).bytes())
  expect(await child.exited).toBe(0)
  expect([...(await unzip(path)).keys()]).toContain('everything.portcast.json')
})
