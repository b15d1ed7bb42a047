import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import runtimes from './runtimes/package.json'
import { targets, type Target } from './targets'

/**
 * Fetches Bun for another system into the folder and answers the path of its executable. Bun's installer checks it
 * against the digest in `runtimes/bun.lock`; left to itself, `Bun.build` would fetch it unchecked.
 */
export function fetchRuntime(target: Target, folder: string): string {
  const name = `@oven/${targets[target].runtime}` as keyof typeof runtimes.dependencies
  const home = join(folder, target)
  mkdirSync(home, { recursive: true })
  const dependencies = { [name]: runtimes.dependencies[name] }
  writeFileSync(join(home, 'package.json'), JSON.stringify({ ...runtimes, dependencies }))
  cpSync(join(import.meta.dir, 'runtimes/bun.lock'), join(home, 'bun.lock'))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['install'], { cwd: home, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Bun for ${target} could not be installed.\n${stdout}${stderr}`)
  return join(home, 'node_modules', name, 'bin', target.startsWith('windows') ? 'bun.exe' : 'bun')
}
