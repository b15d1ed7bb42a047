import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { executableOf } from '../../../scripts/release/targets'
import { runCommand, startExecutable } from '../../support/executable'
import { until } from '../../support/programs'
import { freePort } from '../../support/ports'
import { findMissing, type Report } from '../../support/report'
import { isRoot, releaseFolder } from './root'

const DISK = '200m'

/** Fills the disk of a running server, a small one of its own, and makes room again: what the health check says. */
export async function tryFullDisk(report: Report) {
  const path = join(releaseFolder, executableOf('linux-x64'))
  const missing = findMissing(['unshare', 'mount'])
  const obstacle = !existsSync(path) ? 'it was not built' : missing ? `${missing} is not installed` : 'it needs root'
  if (!existsSync(path) || missing || !isRoot) return report.skip('the health check on a full disk', obstacle)
  const folder = mkdtempSync(join(tmpdir(), 'castellan-full-'))
  const env = { DATA_DIRECTORY: folder, DISK_RESERVE: '0', HOST: '127.0.0.1', PORT: String(freePort()) }
  try {
    // The disk belongs to the mounts of the server, and ends with it.
    const shell = `mount -t tmpfs -o size=${DISK} castellan "$0" && exec "$@"`
    const command = [Bun.which('unshare')!, '--mount', '/bin/sh', '-c', shell, folder, path]
    await using running = await startExecutable(env, command)
    const within = join(`/proc/${running.process.pid}/root`, folder)
    const health = () => runCommand([path, 'health'], env)
    const turns = (code: number) =>
      until(`health exits with ${code}`, async () => (await health()).code === code).then(
        () => true,
        () => false,
      )
    report.check('the health check is fine where there is room', await turns(0))
    fill(join(within, 'ballast-of-others'))
    report.check('it fails once the disk is full', await turns(1))
    const { stdout } = await health()
    report.check('it names the disk', stdout.includes('problem with disk'), stdout)
    report.check('the interface still answers', (await fetch(`${running.origin}/ui/`)).ok)
    rmSync(join(within, 'ballast-of-others'))
    report.check('it is fine again once there is room', await turns(0))
    report.check('the server with the full disk stops when asked to', (await running.stop()) === 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes a file until the disk has no room for another byte. */
function fill(path: string) {
  const file = openSync(path, 'w')
  try {
    for (let size = 1 << 20; size >= 1; size >>= 1)
      for (let written = size; written === size;) written = write(file, size)
  } finally {
    closeSync(file)
  }
}

function write(file: number, size: number): number {
  try {
    return writeSync(file, new Uint8Array(size))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 0
    throw error
  }
}
