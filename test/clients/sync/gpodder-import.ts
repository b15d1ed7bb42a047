import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startExecutable, runExecutable } from '../../support/executable'
import { startFeedHost } from '../../support/feed-host'
import { dumpOf, type Dump } from '../../support/foreign/dump'
import { openWorld } from '../../server/moving/world'
import type { Report } from '../../support/report'

/** The application's own library as it becomes here; times are those of the run. */
const expected: Partial<Dump> = {
  // It keeps no mark of a title that was changed by hand.
  podcasts: ['/alpha.xml | Alpha | 1 | 0', '/beta.xml | Beta | 0 | 0', '/members.xml | Members | 1 | 1'],
  favourites: ['admin | /alpha.xml', 'admin | /beta.xml', 'admin | /members.xml'],
  tags: ['admin | Coast | Green | /alpha.xml'],
  positions: [
    'admin | /alpha.xml | a1 | 600 | 1800 | 0',
    'admin | /alpha.xml | a2 | 1800 | 1800 | 1',
    'admin | /beta.xml | b2 | 40 | 1800 | 0',
    'admin | /members.xml | m1 | 70 | 1800 | 0',
  ],
  likes: ['admin | /alpha.xml | a3'],
}

/** Imports the library that a real gPodder has made and has open. */
export async function tryImport(python: string, { check }: Report) {
  using host = startFeedHost()
  openWorld(host)
  const folder = mkdtempSync(join(tmpdir(), 'castellan-import-'))
  const application = Bun.spawn([python, join(import.meta.dir, 'gpodder_import.py'), host.origin], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, GPODDER_HOME: join(folder, 'gPodder'), PYTHONDONTWRITEBYTECODE: '1' },
  })
  try {
    const database = await firstLine(application.stdout)
    if (database === '') return void check('the application makes a library', false)
    const data = { DATA_DIRECTORY: join(folder, 'data'), DISK_RESERVE: '0' }
    await (await startExecutable(data)).stop()
    const runs = [await runExecutable(['import', database], data), await runExecutable(['import', database], data)]
    console.log(runs[0]!.stdout + runs[0]!.stderr)
    const dump = dumpOf(data.DATA_DIRECTORY, host.origin)
    const found = {
      ...dump,
      positions: dump.positions.map(line => line.split(' | ').slice(0, 6).join(' | ')),
      removed: dump.episodes.filter(line => line.endsWith('| 1')),
    }
    check('its library comes over while it runs', runs[0]!.code === 0)
    for (const [kind, lines] of Object.entries({ ...expected, removed: ['/alpha.xml | a4 | Title a4 | 1 | 1'] })) {
      const imported = found[kind as keyof typeof found]
      check(kind, Bun.deepEquals(imported, lines), imported.join('\n'))
    }
    check('a second time nothing is new', /^podcasts +0 +3/m.test(runs[1]!.stdout))
  } finally {
    application.stdin.end()
    await application.exited
    rmSync(folder, { recursive: true, force: true })
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) break
  }
  return text.split('\n')[0]!
}
