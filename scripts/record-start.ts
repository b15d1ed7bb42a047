import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startExecutable } from '../test/support/executable'
import { startOrder } from './compile'

// Records which functions of dist/castellan a start and the first page use. Run it after a build once in a while: what
// changed since is only stored further back.

const calls = ['/podcasts', '/podcasts/timeline?limit=25', '/queue', '/notifications/unread', '/info', '/settings']

const folder = mkdtempSync(join(tmpdir(), 'castellan-order-'))
try {
  const recorded = join(folder, 'all')
  const running = await startExecutable({ DATA_DIRECTORY: join(folder, 'data'), BUN_BYTECODE_ORDER_OUT: recorded })
  for (const path of ['/healthz', '/ui/', ...calls.map(path => `/api/v1${path}`)]) {
    const { ok, status } = await fetch(`${running.origin}${path}`)
    if (!ok) throw new Error(`${path} answered ${status}`)
  }
  // The jobs begin half a second after the start.
  await Bun.sleep(2000)
  await running.stop()
  const lines = (await Bun.file(recorded).text()).split('\n')
  const functions = lines.filter(line => line.startsWith('F '))
  // The other lines, about strings and keys, make no difference.
  await Bun.write(startOrder, [lines[0], ...functions, ''].join('\n'))
  console.log(`${functions.length} functions`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
