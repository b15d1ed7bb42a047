import { expect, test } from 'bun:test'
import { createThread, type Thread, type ThreadOptions } from '../../../src/server/thread'
import { refusal } from '../../support/app'
import type { FixtureTasks } from './fixture-worker'

const [STARTS, RESTS, CLOSES] = [0, 1, 2]

type Limits = Pick<ThreadOptions, 'timeoutMs' | 'idleMs'>

/** A thread of the fixture's tasks; `counts` tells what happened to its workers, `ends` how many were ended. */
function startThread(limits: Limits = {}) {
  const memory = new SharedArrayBuffer(12)
  const counts = new Int32Array(memory)
  let ends = 0
  const thread: Thread<FixtureTasks> = createThread({
    start: () => new Worker(new URL('./fixture-worker.ts', import.meta.url).href),
    setup: memory,
    afterEnd: () => ends++,
    ...limits,
  })
  return {
    ...thread,
    count: (what: number) => Atomics.load(counts, what),
    ends: () => ends,
    [Symbol.asyncDispose]: () => thread.close(),
  }
}

/** A task that blocks the thread until the test opens it. */
function gate() {
  const cell = new SharedArrayBuffer(4)
  return {
    cell,
    open() {
      Atomics.store(new Int32Array(cell), 0, 1)
      Atomics.notify(new Int32Array(cell), 0)
    },
  }
}

async function until(isTrue: () => boolean) {
  while (!isTrue()) await Bun.sleep(1)
}

test('a thread starts with its first task', async () => {
  await using thread = startThread()
  expect(thread.count(STARTS!)).toBe(0)
  expect(await thread.run('echo', 'hello')).toBe('hello')
  expect(await thread.runUntrusted('echo', 'again')).toBe('again')
  expect(thread.count(STARTS!)).toBe(1)
})

test('an error of a task arrives with its message, and the thread stays', async () => {
  await using thread = startThread()
  expect(await refusal(thread.run('fail', 'no such file'))).toMatchObject({
    name: 'Error',
    message: expect.stringContaining('no such file'),
  })
  expect(await thread.run('echo', 'still here')).toBe('still here')
  expect(thread.count(STARTS!)).toBe(1)
})

test('an untrusted task that takes too long fails alone: the next one gets a fresh thread', async () => {
  await using thread = startThread()
  const spinning = refusal(thread.runUntrusted('spin', null, { timeoutMs: 50 }))
  const next = thread.runUntrusted('echo', 'next')
  expect(await spinning).toMatchObject({ name: 'TaskFailed', message: 'Took longer than 0.05 s' })
  expect(await next).toBe('next')
  expect(thread.count(STARTS!)).toBe(2)
  expect(thread.ends()).toBe(1)
})

test('the limit of the thread holds for a task without one of its own', async () => {
  await using thread = startThread({ timeoutMs: 1 })
  expect(await refusal(thread.runUntrusted('spin', null))).toMatchObject({ name: 'TaskFailed' })
})

test('a task beside the one that took too long is lost, and may be run again', async () => {
  await using thread = startThread()
  const spinning = refusal(thread.runUntrusted('spin', null, { timeoutMs: 50 }))
  expect(await refusal(thread.run('echo', 'beside'))).toMatchObject({ name: 'ThreadLost' })
  expect(await spinning).toMatchObject({ name: 'TaskFailed' })
  expect(await thread.run('echo', 'beside')).toBe('beside')
})

test('a crash of the thread fails the untrusted task in it', async () => {
  await using thread = startThread()
  expect(await refusal(thread.runUntrusted('crash', null))).toMatchObject({ name: 'TaskFailed' })
  expect(await thread.run('echo', 'after')).toBe('after')
})

test('untrusted tasks run one at a time, urgent ones first, each kind in its order', async () => {
  await using thread = startThread()
  const { cell, open } = gate()
  const done: string[] = []
  const first = thread.runUntrusted('block', cell)
  const echo = (text: string, isUrgent = false) =>
    thread.runUntrusted('echo', text, { isUrgent }).then(() => done.push(text))
  const all = [echo('a'), echo('b'), echo('urgent 1', true), echo('urgent 2', true), echo('c')]
  open()
  await Promise.all([first, ...all])
  expect(done).toEqual(['urgent 1', 'urgent 2', 'a', 'b', 'c'])
})

test('a waiting task is not timed before it begins', async () => {
  await using thread = startThread()
  const spinning = refusal(thread.runUntrusted('spin', null, { timeoutMs: 100 }))
  const waiting = thread.runUntrusted('echo', 'patient', { timeoutMs: 60_000 })
  await spinning
  expect(await waiting).toBe('patient')
})

test('an idle thread tidies up, then ends; the next task starts another', async () => {
  await using thread = startThread({ idleMs: 1 })
  await thread.run('echo', 'work')
  await until(() => thread.count(RESTS!) === 1)
  await until(() => thread.ends() === 1)
  expect(await thread.run('echo', 'more work')).toBe('more work')
  expect(thread.count(STARTS!)).toBe(2)
})

test('a held thread outlasts its rest until it is released', async () => {
  await using thread = startThread({ idleMs: 1 })
  const release = thread.hold()
  const id = await thread.run('remember', 'a digest')
  // Longer than an idle thread stays.
  await Bun.sleep(80)
  expect(await thread.run('recall', id)).toBe('a digest')
  expect(thread.ends()).toBe(0)
  release()
  await until(() => thread.ends() === 1)
})

test('the hold on a thread ends with it, and its ids are not given again', async () => {
  await using thread = startThread({ idleMs: 1 })
  thread.hold()
  const id = await thread.run('remember', 'old')
  await refusal(thread.runUntrusted('spin', null, { timeoutMs: 20 }))
  expect(await thread.run('remember', 'new')).toBeGreaterThan(id)
  expect(await thread.run('recall', id)).toBeNull()
  await until(() => thread.ends() >= 2)
})

test('a posted task runs without an answer, and starts no thread', async () => {
  await using thread = startThread()
  thread.post('forget', 1)
  expect(thread.count(STARTS!)).toBe(0)
  const id = await thread.run('remember', 'this')
  thread.post('forget', id)
  expect(await thread.run('recall', id)).toBeNull()
})

test('closing lets the worker close what it has open, and refuses every later task', async () => {
  const thread = startThread()
  await thread.run('echo', 'work')
  await thread.close()
  expect(thread.count(CLOSES!)).toBe(1)
  expect(thread.ends()).toBe(1)
  expect(await refusal(thread.run('echo', 'late'))).toMatchObject({ name: 'ThreadLost' })
})
