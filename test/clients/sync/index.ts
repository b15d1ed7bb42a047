import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startExecutable } from '../../support/executable'
import type { Report } from '../../support/report'
import { runScript } from '../script'
import { tryImport } from './gpodder-import'

// Clients of the gPodder project against the built executable, which is stopped and started in between. They are
// packages of Debian; where one is not installed, that is said, and the rest is tried. `bun run build` first.

const clients = [
  { package: 'python3-mygpoclient', module: 'mygpoclient', script: 'mygpoclient_library.py' },
  { package: 'gpodder', module: 'gpodder.my', script: 'gpodder_desktop.py' },
]
const account = { username: 'mara', password: 'Sup3rSecret' }

/** The Python of Debian's packages: another one may be first in the path. */
const pythonWith = (module: string) =>
  ['/usr/bin/python3', 'python3'].find(
    command => Bun.which(command) && Bun.spawnSync([command, '-c', `import ${module}`], { stderr: 'ignore' }).success,
  )

/** A server of its own, always at the same address. */
async function startServer(folder: string) {
  const { username, password } = account
  const env = { DATA_DIRECTORY: folder, DISK_RESERVE: '0', BASIC_AUTH: 'true', USERNAME: username, PASSWORD: password }
  let running = await startExecutable(env)
  const { origin } = running
  return {
    origin,
    stop: () => running.stop(),
    start: async () => void (running = await startExecutable({ ...env, PORT: new URL(origin).port })),
  }
}

/** Runs a script, does what it asks of the server, and answers whether all went well. */
async function tryClient(python: string, script: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-sync-'))
  const server = await startServer(folder)
  try {
    const command = [python, join(import.meta.dir, script), server.origin, account.username, account.password]
    return await runScript(command, name => server[name as 'stop' | 'start']())
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function run(report: Report) {
  for (const { package: name, module, script } of clients) {
    const python = pythonWith(module)
    if (python) report.check(name, await tryClient(python, script))
    else report.skip(name, 'it is not installed')
  }
  const python = pythonWith('gpodder.core')
  if (python && Bun.which('gpo')) await tryImport(python, report)
  else report.skip('an import of its library', 'gpodder is not installed')
}
