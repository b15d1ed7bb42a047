import { join } from 'node:path'
import { createChild } from '../../../src/server/thread/child'
import type { ChildTasks } from './fixture-child'

/** Keeps a child busy, and prints the number of its process. */
const child = createChild<ChildTasks>({
  command: [process.execPath, join(import.meta.dir, 'fixture-child.ts')],
  env: {},
  folder: import.meta.dir,
  setup: { memoryBytes: 512 * 1024 * 1024, seconds: 600 },
  memoryBytes: 2 ** 40,
  timeMs: 600_000,
  signal: new AbortController().signal,
})
await child.run('add', [1, 2])
void child.run('spin', null).catch(() => undefined)
console.log(child.pid)
