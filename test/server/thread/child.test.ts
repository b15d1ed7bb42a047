import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND } from '../../../src/server/platform/clock'
import { createChild } from '../../../src/server/thread/child'
import { temporaryFolder } from '../../support/app'
import { startFeedHost } from '../../support/feed-host'
import type { ChildTasks } from './fixture-child'

const MEGABYTE = 1024 * 1024
const onLinux = test.skipIf(process.platform !== 'linux')

/** Starts the fixture; it has time and memory in abundance unless a test says otherwise. */
function startChild({ memoryBytes = 8192 * MEGABYTE, timeMs = 600 * SECOND, walls = null as object | null } = {}) {
  const cancel = new AbortController()
  const child = createChild<ChildTasks>({
    command: [process.execPath, join(import.meta.dir, 'fixture-child.ts')],
    env: {},
    folder: temporaryFolder(),
    setup: walls,
    memoryBytes,
    timeMs,
    signal: cancel.signal,
  })
  return { ...child, cancel, [Symbol.asyncDispose]: child.end }
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: { reason?: string; message: string }) => error.reason ?? error.message.split('\n', 1)[0]!,
  )

test('a child answers tasks, passes errors on, and learns nothing of the environment', async () => {
  await using child = startChild()
  expect(await child.run('add', [1, 2])).toBe(3)
  expect(await failureOf(child.run('fail', null))).toContain('no such luck')
  expect(await child.run('add', [3, 4])).toBe(7)
  expect((await child.run('environment', null)).filter(name => !name.startsWith('NODE_CHANNEL'))).toEqual([])
})

test('a child that takes too long is ended, and every later task fails the same way', async () => {
  await using child = startChild({ timeMs: 1000 })
  expect(await failureOf(child.run('spin', null))).toBe('time')
  expect(await failureOf(child.run('add', [1, 2]))).toBe('time')
})

test('the tasks of a child share their time', async () => {
  await using child = startChild({ timeMs: 1000 })
  let failure = 'none'
  while (failure === 'none') failure = await failureOf(child.run('add', [1, 2]))
  expect(failure).toBe('time')
})

test('D4: a child that crashes takes nobody along', async () => {
  await using child = startChild()
  expect(await failureOf(child.run('crash', null))).toBe('crash')
})

test('a child that the kernel kills had too little memory', async () => {
  await using child = startChild()
  const failure = failureOf(child.run('spin', null))
  process.kill(child.pid, 'SIGKILL')
  expect(await failure).toBe('memory')
})

test('a child that nobody wants any more is ended in the middle of its work', async () => {
  await using child = startChild()
  const failure = failureOf(child.run('spin', null))
  child.cancel.abort()
  expect(await failure).toBe('ended')
  await child.end()
})

onLinux('memory of the engine is watched from outside', async () => {
  await using child = startChild({ memoryBytes: 200 * MEGABYTE })
  expect(await failureOf(child.run('fillHeap', null))).toBe('memory')
})

onLinux('memory of a database is refused by the system, which the child survives', async () => {
  await using child = startChild({ walls: { memoryBytes: 64 * MEGABYTE, seconds: 600 } })
  expect(await failureOf(child.run('fillDatabase', null))).toContain('out of memory')
  expect(await child.run('add', [1, 2])).toBe(3)
})

onLinux('a confined child reaches no network, listens nowhere, starts no program and signals nobody', async () => {
  using host = startFeedHost()
  host.on('/', () => new Response('here'))
  {
    await using child = startChild()
    expect(await child.run('reach', host.origin)).toEqual(['reached', 'reached', 'reached', 'reached'])
  }
  await using child = startChild({ walls: { memoryBytes: 512 * MEGABYTE, seconds: 600 } })
  expect(await child.run('reach', host.origin)).toEqual(['refused', 'refused', 'refused', 'refused'])
})

onLinux('a child dies with its parent, in the middle of its work', async () => {
  const parent = Bun.spawn([process.execPath, join(import.meta.dir, 'fixture-parent.ts')], { stdout: 'pipe' })
  const { value } = await parent.stdout.getReader().read()
  const pid = Number(new TextDecoder().decode(value))
  expect(existsSync(`/proc/${pid}`)).toBe(true)
  parent.kill('SIGKILL')
  await parent.exited
  while (isRunning(pid)) await Bun.sleep(10)
})

/** A process that has ended stays as a zombie until somebody asks for it. */
function isRunning(pid: number): boolean {
  const state = Bun.spawnSync(['cat', `/proc/${pid}/stat`]).stdout.toString()
  return state !== '' && !/\) Z /.test(state)
}
