import { serve } from '../../../src/server/thread'

/** Counts what happens to the worker, in memory that the test reads. */
export const STARTS = 0
export const RESTS = 1
export const CLOSES = 2

export type FixtureTasks = {
  echo: { request: string; result: string }
  /** Never ends. */
  spin: { request: null; result: void }
  /** Blocks until the test puts a number other than 0 into the cell. */
  block: { request: SharedArrayBuffer; result: void }
  /** Answers the id under which the value is remembered. */
  remember: { request: string; result: number }
  recall: { request: number; result: string | null }
  forget: { request: number; result: void }
  fail: { request: string; result: void }
  crash: { request: null; result: void }
}

serve<FixtureTasks, SharedArrayBuffer>(memory => {
  const counts = new Int32Array(memory)
  const remembered = new Map<number, string>()
  Atomics.add(counts, STARTS, 1)
  return {
    tasks: {
      echo: text => text,
      spin() {
        for (;;);
      },
      block: cell => void Atomics.wait(new Int32Array(cell), 0, 0),
      remember(value, id) {
        remembered.set(id, value)
        return id
      },
      recall: id => remembered.get(id) ?? null,
      forget: id => void remembered.delete(id),
      fail(message) {
        throw new Error(message)
      },
      async crash() {
        setTimeout(() => {
          throw new Error('crashed')
        })
        await new Promise(() => {})
      },
    },
    rest: () => void Atomics.add(counts, RESTS, 1),
    close: () => void Atomics.add(counts, CLOSES, 1),
  }
})
