import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'

// Installs, builds, and runs what was built; arguments go on to it. Only Node's own modules: nothing is installed yet.

const root = join(import.meta.dir, '..')
const bun = process.execPath

for (const args of [['install', '--frozen-lockfile'], ['scripts/build.ts']]) {
  const { status } = spawnSync(bun, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const castellan = spawn(join(root, 'dist/castellan'), process.argv.slice(2), { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => castellan.kill(signal))
castellan.on('exit', code => process.exit(code ?? 0))
