import { expect, test } from 'bun:test'
import { createLanes } from '../../../src/server/outbound/lanes'

/** Work for hosts that goes on until the test ends it; `begun` lists what has begun, in order. */
function startWork(limits: { total: number; perHost: number }) {
  const lanes = createLanes(limits)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    add: (host: string, name: string) =>
      lanes.run(host, () => {
        begun.push(name)
        const { promise, resolve } = Promise.withResolvers<void>()
        ends.set(name, resolve)
        return promise
      }),
    async end(name: string) {
      ends.get(name)!()
      await Bun.sleep(0)
    },
  }
}

test('a host gets no more than its share, and work that waits for it lets other hosts go first', async () => {
  const { begun, add, end } = startWork({ total: 9, perHost: 2 })
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void add(name[0]!, name)
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('no more runs at once than the total allows', async () => {
  const { begun, add, end } = startWork({ total: 2, perHost: 1 })
  for (const host of ['a', 'b', 'c', 'd']) void add(host, host)
  expect(begun).toEqual(['a', 'b'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('work that fails frees its place, and rejects', async () => {
  const lanes = createLanes({ total: 1, perHost: 1 })
  const failed = lanes.run('a', () => Promise.reject(new Error('no luck')))
  expect(await failed.catch((error: Error) => error.message)).toBe('no luck')
  expect(await lanes.run('a', async () => 'done')).toBe('done')
})
