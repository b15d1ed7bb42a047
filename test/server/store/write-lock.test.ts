import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStore } from '../../../src/server/store'
import { createWriteLock } from '../../../src/server/store/writing'
import { temporaryFolder } from '../../support/app'
import type { Order } from './writing-thread'

test.each([true, false])(
  'two threads that write at once wait for each other (in a transaction: %p)',
  async inTransaction => {
    const path = join(temporaryFolder(), 'castellan.db')
    const lock = createWriteLock()
    const store = openStore(path, { lock })
    const thread = new Worker(new URL('./writing-thread.ts', import.meta.url))
    const [ready, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    thread.onmessage = ({ data }) => (data === 'ready' ? ready : done).resolve()
    const order = (message: Order) => thread.postMessage(message)
    order({ path, memory: lock.memory })
    await ready.promise
    const writes = lock.writes()

    const begun = new Int32Array(new SharedArrayBuffer(4))
    lock.hold(() => {
      order({ inTransaction, begun: begun.buffer })
      while (!lock.isWantedByOthers() && store.forgottenFiles.list().length === 0) Bun.sleepSync(1)
      expect(store.forgottenFiles.list()).toEqual([])
      expect(begun[0]).toBe(0)
    })
    await done.promise
    expect(store.forgottenFiles.list()).toEqual([{ storage: 'folder', path: 'written by the thread' }])
    expect(lock.isWantedByOthers()).toBe(false)
    expect(lock.writes()).toBeGreaterThan(writes + 1)
    thread.terminate()
    store.close()
  },
)

test('a thread that waited for too long writes without the lock, and leaves it to the other', () => {
  const lock = createWriteLock()
  const impatient = createWriteLock(lock.memory, 1)
  const held = () => new Int32Array(lock.memory)[0]
  const order: string[] = []
  lock.hold(() => {
    impatient.hold(() => order.push('impatient'))
    expect(held()).toBe(1)
    order.push('holder')
  })
  expect(order).toEqual(['impatient', 'holder'])
  expect(held()).toBe(0)
})

test('the lock is free again after work that failed, and after a thread was terminated', () => {
  const lock = createWriteLock()
  const held = () => new Int32Array(lock.memory)[0]
  expect(() =>
    lock.hold(() => {
      throw new Error('no room')
    }),
  ).toThrow('no room')
  expect(held()).toBe(0)

  Atomics.store(new Int32Array(lock.memory), 0, 1)
  Atomics.store(new Int32Array(lock.memory), 1, 1)
  lock.reset()
  expect(held()).toBe(0)
  expect(lock.isWantedByOthers()).toBe(false)
})

test('what only reads holds no lock', () => {
  const lock = createWriteLock()
  let holds = 0
  const counting = { ...lock, hold: <T>(work: () => T) => (holds++, lock.hold(work)) }
  const store = openStore(join(temporaryFolder(), 'castellan.db'), { lock: counting })
  holds = 0
  store.forgottenFiles.list()
  store.users.list()
  expect(holds).toBe(0)
  store.forgottenFiles.add({ storage: 'folder', path: 'a' })
  expect(holds).toBe(1)
  store.close()
})

test('many transactions in a row let a thread that waits come in between, but not for ever', async () => {
  const lock = createWriteLock()
  const cells = new Int32Array(lock.memory)
  const folder = temporaryFolder()
  const isOver = async (maxPauseMs: number) => {
    const store = openStore(join(folder, 'castellan.db'), { lock, maxPauseMs })
    let isOver = false
    Atomics.add(cells, 1, 1)
    const turn = store
      .inTurn(() => store.forgottenFiles.add({ storage: 'folder', path: 'a' }))
      .then(() => (isOver = true))
    // A turn that nobody waits for is over after one round of the event loop.
    for (let round = 0; round < 3; round++) await Bun.sleep(0)
    const wasOver = isOver
    Atomics.sub(cells, 1, 1)
    await turn
    store.close()
    return wasOver
  }
  expect(await isOver(600_000)).toBe(false)
  expect(await isOver(0)).toBe(true)
})

test('a thread can wait for the lock without standing still, and the other one sees it', async () => {
  const lock = createWriteLock()
  const other = createWriteLock(lock.memory)
  let isFree = false
  let wait = Promise.resolve()
  other.hold(() => {
    wait = lock.whenFree().then(() => void (isFree = true))
    expect(other.isWantedByOthers()).toBe(true)
    // The other thread was terminated: this one waits still.
    lock.reset()
    Atomics.store(new Int32Array(lock.memory), 0, 1)
    expect(other.isWantedByOthers()).toBe(true)
    expect(isFree).toBe(false)
  })
  await wait
  expect(other.isWantedByOthers()).toBe(false)
})
