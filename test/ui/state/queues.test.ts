import { expect, test } from 'bun:test'
import type { Queue, QueueItem } from '../../../src/shared/api/queue'
import { createQueue } from '../../../src/ui/state/queue'
import { createQueues } from '../../../src/ui/state/queues'
import { createCalls, settled } from '../../support/settled'

const item = (name: string) => ({ id: `item-${name}`, podcastEpisode: { id: name } }) as QueueItem
const queueOf = (version: number, names: string) => ({ version, items: [...names].map(item) }) as Queue

/** Another queue, and a server that refuses or answers its changes. */
async function startWithOthers() {
  const find = createCalls<[], Queue>()
  const use = createCalls<[string, { version: number; playing?: string }], Queue>()
  const begin = createCalls<[{ name: string; version: number }], Queue>()
  const continueWith = createCalls<[string], Queue>()
  const queue = createQueue({ find: find.call } as never)
  const api = { use: use.call, begin: begin.call, continueWith: continueWith.call } as never
  const answerOf = (version: number, names: string, name: string | null, other: string | null) =>
    ({
      ...queueOf(version, names),
      name,
      continueWith: 'nothing',
      others: [{ id: `queue-${version}`, name: other, savedAt: '' }],
    }) as Queue
  void queue.load()
  await find.answer(answerOf(1, 'abc', null, 'Evening'))
  return { queue, queues: createQueues({ api, queue }), find, use, begin, continueWith, answerOf }
}

test('another queue takes the place of this one, which comes back by its name', async () => {
  const { queue, queues, use, answerOf } = await startWithOthers()
  const used = queues.use('queue-1', 'a')
  expect(use.calls[0]!.args).toEqual(['queue-1', { version: 1, playing: 'a' }])
  await use.answer(answerOf(2, 'xy', 'Evening', null))
  expect([queue.name.value, queue.items.value.length, queue.others.value[0]!.name]).toEqual(['Evening', 2, null])
  void (await used)()
  await settled()
  expect(use.calls[1]!.args).toEqual(['queue-2', { version: 2 }])
})

test('a change of queue that comes too late shows the queue of the server', async () => {
  const { queue, queues, begin, find, answerOf } = await startWithOthers()
  const refused = queues.begin('Night').catch((error: unknown) => error)
  await begin.refuse(new Error('changed'))
  await find.answer(answerOf(5, 'ab', 'Evening', null))
  expect([await refused, queue.name.value]).toEqual([expect.any(Error), 'Evening'])
})

test('what plays after the queue is shown at once, and undone when the server refuses', async () => {
  const { queue, queues, continueWith, find, answerOf } = await startWithOthers()
  const set = queues.setContinueWith('newest').catch(() => undefined)
  expect(queue.continueWith.value).toBe('newest')
  await continueWith.refuse(new Error('no'))
  await find.answer(answerOf(1, 'abc', null, 'Evening'))
  await set
  expect(queue.continueWith.value).toBe('nothing')
})
