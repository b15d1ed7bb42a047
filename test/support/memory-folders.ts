import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder in memory, where there is one: nothing waits for a disk that other tests keep busy. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Folders are named after their process, so that a later one finds what a process that was killed left behind. */
export const makeFolder = (kind: 'test' | 'template') => mkdtempSync(join(memory, `castellan-${kind}-${process.pid}-`))

for (const name of readdirSync(memory)) {
  const pid = /^castellan-(?:test|template)-(\d+)-/.exec(name)?.[1]
  if (pid && !isAlive(Number(pid))) rmSync(join(memory, name), { recursive: true, force: true })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
