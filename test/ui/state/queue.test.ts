import { expect, test } from 'bun:test'
import type { Queue, QueueItem } from '../../../src/shared/api/queue'
import { createQueue } from '../../../src/ui/state/queue'
import { createQueues } from '../../../src/ui/state/queues'
import { createCalls, settled } from '../../support/settled'

const item = (name: string) => ({ id: `item-${name}`, podcastEpisode: { id: name } }) as QueueItem
const queueOf = (version: number, names: string) => ({ version, items: [...names].map(item) }) as Queue

/** A queue that shows `abc`, and a server that the test answers for. */
async function startQueue() {
  const find = createCalls<[], Queue>()
  const add = createCalls<[unknown], Queue>()
  const reorder = createCalls<[{ items: { episode: string }[]; version?: number }], Queue>()
  const remove = createCalls<[string], void>()
  const state = createQueue({ find: find.call, add: add.call, reorder: reorder.call, remove: remove.call } as never)
  const queue = { ...createQueues({ api: { reorder: reorder.call } as never, queue: state }), ...state }
  void queue.load()
  await find.answer(queueOf(1, 'abc'))
  const shown = () => queue.items.value.map(({ podcastEpisode }) => podcastEpisode.id).join('')
  const sent = () =>
    reorder.calls
      .at(-1)!
      .args[0].items.map(({ episode }) => episode)
      .join('')
  return { queue, find, add, reorder, remove, shown, sent }
}

test('the queue of the server is shown, and an episode is found in it', async () => {
  const { queue, shown } = await startQueue()
  expect(shown()).toBe('abc')
  expect(queue.find('b')?.id).toBe('item-b')
  expect(queue.find('x')).toBeUndefined()
})

test('an older answer that comes last does not overwrite a newer queue', async () => {
  const { queue, find, add, shown } = await startQueue()
  void queue.load()
  void queue.add('d', 'last')
  await add.answer(queueOf(2, 'abcd'))
  await find.answer(queueOf(1, 'abc'))
  expect(shown()).toBe('abcd')
})

test('an event about a version that is here already asks for nothing', async () => {
  const { queue, find, shown } = await startQueue()
  await queue.changed(1)
  expect(find.calls.length).toBe(1)
  void queue.changed(2)
  await find.answer(queueOf(2, 'ab'))
  expect([find.calls.length, shown()]).toEqual([2, 'ab'])
})

test('a move is shown at once, and is sent with the version that it is about', async () => {
  const { queue, reorder, shown, sent } = await startQueue()
  void queue.move(0, 2)
  expect([shown(), sent(), reorder.calls[0]!.args[0].version]).toEqual(['bca', 'bca', 1])
  await reorder.answer(queueOf(2, 'bca'))
  expect(shown()).toBe('bca')
})

test('a move that the server refuses is undone, and the queue of the server is shown', async () => {
  const { queue, reorder, find, shown } = await startQueue()
  const attempt = queue.move(0, 2).catch((error: Error) => error.message)
  await reorder.refuse(new Error('changed meanwhile'))
  expect(shown()).toBe('abc')
  await find.answer(queueOf(3, 'cab'))
  expect([await attempt, shown()]).toEqual(['changed meanwhile', 'cab'])
})

test('an episode that is removed is gone at once', async () => {
  const { queue, remove, shown } = await startQueue()
  void queue.remove(queue.find('b')!)
  expect([shown(), remove.calls[0]!.args[0]]).toEqual(['ac', 'item-b'])
})

test('an episode that was removed can be put back in its place', async () => {
  const { queue, remove, add, shown } = await startQueue()
  const removing = queue.remove(queue.find('b')!)
  await remove.answer()
  void (await removing)()
  expect(add.calls[0]!.args[0]).toEqual({ episode: 'b', at: 1 })
  await add.answer(queueOf(3, 'abc'))
  expect(shown()).toBe('abc')
})

test('an episode that the server does not remove is shown again', async () => {
  const { queue, remove, find, shown } = await startQueue()
  const attempt = queue.remove(queue.find('b')!).catch((error: Error) => error.message)
  await remove.refuse(new Error('down'))
  await find.answer(queueOf(1, 'abc'))
  expect([await attempt, shown()]).toEqual(['down', 'abc'])
})

test('a shuffled queue holds the same episodes in another order, and the old order can be brought back', async () => {
  const { queue, reorder, sent } = await startQueue()
  const shuffling = queue.shuffle(() => 0)
  expect(sent()).toBe('bca')
  await reorder.answer(queueOf(2, 'bca'))
  void (await shuffling)()
  expect(sent()).toBe('abc')
})

test('a shuffle gives each order exactly once for all that can be drawn, and only orders of the same episodes', async () => {
  const { queue, reorder, sent } = await startQueue()
  let version = 1
  const orderOf = async (draw?: (below: number) => number) => {
    void queue.shuffle(draw)
    const order = sent()
    await reorder.answer(queueOf(++version, 'abc'))
    return order
  }
  const orders: string[] = []
  for (const first of [0, 1, 2])
    for (const second of [0, 1]) orders.push(await orderOf(below => (below === 3 ? first : second)))
  const all = ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']
  expect(orders.toSorted()).toEqual(all)
  for (let round = 0; round < 100; round++) expect(all).toContain(await orderOf())
})

test('a cleared queue can be brought back', async () => {
  const { queue, reorder, shown, sent } = await startQueue()
  const clearing = queue.clear()
  await reorder.answer(queueOf(2, ''))
  expect(shown()).toBe('')
  const restore = await clearing
  void restore()
  expect(sent()).toBe('abc')
  await reorder.answer(queueOf(3, 'abc'))
  expect(shown()).toBe('abc')
})

test('the queue is replaced by what is to play first and the others, and can be taken back', async () => {
  const { queue, reorder, shown, sent } = await startQueue()
  const putting = queue.replace([item('x'), item('y'), ...queue.items.value])
  expect(sent()).toBe('xyabc')
  await reorder.answer(queueOf(2, 'xyabc'))
  expect(shown()).toBe('xyabc')
  void (await putting)()
  expect(sent()).toBe('abc')
  await settled()
})

test('what came by itself still does when the queue is emptied and taken back', async () => {
  const { queue, reorder } = await startQueue()
  queue.items.value = [{ ...item('a'), automatic: true }, item('b')]
  void queue.clear()
  await reorder.answer(queueOf(2, ''))
  expect(reorder.calls[0]!.args[0].items).toEqual([])
  void queue.replace([...queue.items.value])
  queue.items.value = [{ ...item('a'), automatic: true }]
  void queue.shuffle(() => 0)
  await settled()
  expect(reorder.calls.at(-1)!.args[0].items).toEqual([{ episode: 'a', automatic: true }] as never)
})
