import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startExecutable } from '../test/support/executable'

// The client library of the gPodder project against the built executable, with a restart in between. It is a package of
// Debian (`apt-get install python3-mygpoclient`); where it is not, that is said, and nothing is tried. `bun run build` first.

const python = ['/usr/bin/python3', 'python3'].find(
  command => Bun.spawnSync([command, '-c', 'import mygpoclient'], { stderr: 'ignore' }).success,
)
if (!python) {
  console.log('not tried: python3-mygpoclient is not installed')
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'castellan-sync-'))
const env = { DATA_DIRECTORY: folder, DISK_RESERVE: '0', BASIC_AUTH: 'true', USERNAME: 'mara', PASSWORD: 'Sup3rSecret' }
let isFine = true
try {
  for (const turn of [[], ['again']]) {
    await using running = await startExecutable(env)
    const script = join(import.meta.dir, 'sync-clients.py')
    const { exitCode } = Bun.spawnSync([python, script, running.origin, 'mara', 'Sup3rSecret', ...turn], {
      stdout: 'inherit',
      stderr: 'inherit',
    })
    isFine &&= exitCode === 0
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(isFine ? 0 : 1)
