import { expect, test } from 'bun:test'
import type { Queue, QueueItem } from '../../../src/shared/api/queue'
import { createQueue } from '../../../src/ui/state/queue'
import { createCalls, settled } from '../../support/settled'

const item = (name: string) => ({ id: `item-${name}`, podcastEpisode: { id: name } }) as QueueItem
const queueOf = (version: number, names: string) => ({ version, items: [...names].map(item) }) as Queue

/** A queue that shows `abc`, and a server that the test answers for. */
async function startQueue() {
  const find = createCalls<[], Queue>()
  const add = createCalls<[unknown], Queue>()
  const reorder = createCalls<[{ items: { episode: string }[]; version?: number }], Queue>()
  const remove = createCalls<[string], void>()
  const queue = createQueue({ find: find.call, add: add.call, reorder: reorder.call, remove: remove.call } as never)
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

test('episodes that are put first stand before the others, and can be taken back', async () => {
  const { queue, reorder, shown, sent } = await startQueue()
  const putting = queue.putFirst([item('x'), item('y')] as never)
  expect(sent()).toBe('xyabc')
  await reorder.answer(queueOf(2, 'xyabc'))
  expect(shown()).toBe('xyabc')
  void (await putting)()
  expect(sent()).toBe('abc')
  await settled()
})
