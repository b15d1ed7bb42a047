import { Database } from 'bun:sqlite'
import { confine } from '../../../src/server/platform/confine'
import { serveParent } from '../../../src/server/thread'

export type ChildTasks = {
  add: { request: [number, number]; result: number }
  environment: { request: null; result: string[] }
  /** Takes memory outside the engine, as a database does. */
  fillDatabase: { request: null; result: null }
  /** Takes memory of the engine. */
  fillHeap: { request: null; result: null }
  spin: { request: null; result: null }
  crash: { request: null; result: null }
  fail: { request: null; result: null }
  /** The outcomes of attempts to reach something. */
  reach: { request: string; result: string[] }
}

const attempt = async (work: () => unknown) => {
  try {
    await work()
    return 'reached'
  } catch {
    return 'refused'
  }
}

serveParent<ChildTasks, Parameters<typeof confine>[0] | null>(limits => {
  if (limits) confine(limits)
  return {
    tasks: {
      add: ([one, other]) => one + other,
      environment: () => Object.keys(process.env).sort(),
      fillDatabase() {
        new Database(':memory:').query('SELECT length(hex(zeroblob(499999990)))').get()
        return null
      },
      fillHeap() {
        const kept: string[][] = []
        for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => `${kept.length} ${index}`))
      },
      spin() {
        for (;;);
      },
      crash() {
        process.exit(3)
      },
      fail() {
        throw new Error('no such luck')
      },
      reach: async address => [
        await attempt(() => fetch(address)),
        await attempt(() => Bun.serve({ port: 0, fetch: () => new Response() }).stop()),
        await attempt(() => Bun.spawnSync([process.execPath, '--version'])),
        await attempt(() => process.kill(process.ppid, 0)),
      ],
    },
  }
})
