import { expect, test } from 'bun:test'
import { createWholeList } from '../../../src/ui/state/whole-list'
// Loaded lazily by the list: here it is there at once.
import '../../../src/ui/state/fill-list'
import { createCalls, settled } from '../../support/settled'

type Outline = { total: number; place: number | null }

/** A list of two items a page, whose server the test answers for. */
function start(total = 100, place: number | null = null) {
  const outlines = createCalls<[AbortSignal], Outline>()
  const rows = createCalls<[number, AbortSignal], readonly string[]>()
  const list = createWholeList<string, Outline>({
    size: 2,
    idOf: item => item.toLowerCase(),
    loadOutline: outlines.call,
    loadRows: rows.call,
  })
  const asked = () => rows.calls.map(({ args: [offset] }) => offset)
  async function ready() {
    void list.reload()
    await outlines.answer({ total, place })
    await rows.answer(['a', 'b'])
  }
  return { list, outlines, rows, asked, ready }
}

test('a list knows its length at once, and fetches only the pages in sight', async () => {
  const { list, rows, asked, ready } = start()
  await ready()
  expect([list.length.value, list.status.value, list.items.value]).toEqual([100, 'ready', ['a', 'b']])
  list.show(96, 99)
  expect(asked()).toEqual([0, 96, 98])
  await rows.answer(['y', 'z'])
  expect([list.at(99), list.at(97), list.at(1)]).toEqual(['z', undefined, 'b'])
  await rows.answer(['w', 'x'], 1)
  expect(list.items.value).toEqual(['a', 'b', 'w', 'x', 'y', 'z'])
  list.show(0, 1)
  expect(asked()).toHaveLength(3)
})

test('what is between two places is fetched where it was never in sight', async () => {
  const { list, rows, asked, ready } = start(8)
  await ready()
  list.show(6, 7)
  await rows.answer(['G', 'h'])
  const filled = list.fill(1, 6)
  await settled()
  expect(asked()).toEqual([0, 6, 2, 4])
  await rows.answer(['e', 'f'])
  await rows.answer(['c', 'd'], 2)
  await filled
  expect(list.items.value.join('')).toBe('abcdefGh')
  await list.fill(0, 7)
  expect(asked()).toHaveLength(4)
})

test('pages that were passed by are given up, and fetched once they are in sight again', async () => {
  const { list, rows, asked, ready } = start()
  await ready()
  list.show(20, 21)
  const [, passedBy] = rows.calls[1]!.args
  list.show(50, 51)
  expect([passedBy.aborted, asked()]).toEqual([true, [0, 20, 50]])
  await rows.answer(['k', 'l'], 1)
  expect(list.at(20)).toBeUndefined()
  list.show(20, 21)
  expect(asked()).toEqual([0, 20, 50, 20])
})

test('a reload fetches what is in sight, keeps the rest until it is, and shows no item twice', async () => {
  const { list, outlines, rows, asked, ready } = start()
  await ready()
  list.show(2, 3)
  await rows.answer(['c', 'd'])
  void list.reload()
  expect([asked().slice(2), list.items.value]).toEqual([[2], ['a', 'b', 'c', 'd']])
  await outlines.answer({ total: 101, place: null })
  await rows.answer(['b', 'c'])
  expect([list.length.value, list.items.value]).toEqual([101, ['a', 'b', 'c']])
  list.show(0, 3)
  expect(asked().slice(3)).toEqual([0])
  await rows.answer(['new', 'a'])
  expect(list.items.value).toEqual(['new', 'a', 'b', 'c'])
})

test('a list that became shorter has no items beyond its end, so that choosing all chooses none of them', async () => {
  const { list, outlines, rows, ready } = start()
  await ready()
  list.show(2, 5)
  await rows.answer(['c', 'd'], 1)
  await rows.answer(['e', 'f'], 2)
  list.show(0, 1)
  void list.reload()
  await outlines.answer({ total: 3, place: null })
  await rows.answer(['a', 'f'])
  expect([list.length.value, list.items.value]).toEqual([3, ['a', 'f', 'c']])
})

test('an edit outlives the answer that was on its way before it, and no later one', async () => {
  const { list, rows, ready } = start()
  await ready()
  list.show(2, 3)
  list.change(item => item.toUpperCase())
  await rows.answer(['c', 'd'])
  expect(list.items.value).toEqual(['A', 'B', 'C', 'D'])
  list.show(4, 5)
  await rows.answer(['e', 'f'])
  expect(list.items.value.slice(4)).toEqual(['e', 'f'])
})

test('a page that fails leaves the others in sight, and is asked for again', async () => {
  const { list, rows, asked, ready } = start()
  await ready()
  list.show(2, 3)
  await rows.refuse(new Error('down'))
  expect([list.status.value, list.error.value, list.at(0)]).toEqual(['failed', new Error('down'), 'a'])
  void list.retry()
  expect(asked()).toEqual([0, 2, 2])
  await rows.answer(['c', 'd'])
  expect([list.status.value, list.at(3)]).toEqual(['ready', 'd'])
})

test('a list is summed up again without a glance at its items', async () => {
  const { list, outlines, asked, ready } = start()
  await ready()
  void list.sumUp()
  await outlines.answer({ total: 100, place: 7 })
  expect([list.outline.value, list.status.value, asked()]).toEqual([{ total: 100, place: 7 }, 'ready', [0]])
})

test('an item that is not there yet is found by the outline', async () => {
  const { list, outlines, rows } = start(100, 61)
  void list.reload()
  expect(list.seek(item => item === 'x')).toBeNull()
  await outlines.answer({ total: 100, place: 61 })
  expect(list.seek(item => item === 'x')).toBe(61)
  list.show(60, 61)
  await rows.answer(['w', 'x'])
  expect([list.seek(item => item === 'w'), list.seek(item => item === 'x')]).toEqual([60, 61])
})

test('a list without items says so, and one that nobody looks at asks for nothing', async () => {
  const { list, outlines, rows } = start()
  expect(list.status.value).toBe('idle')
  void list.reload()
  expect(list.status.value).toBe('loading')
  list.cancel()
  expect(rows.calls[0]!.args[1].aborted).toBe(true)
  void list.reload()
  await outlines.answer({ total: 0, place: null })
  expect([list.status.value, list.length.value]).toEqual(['ready', 0])
  await settled()
})

test('a list begins with what it showed at the last visit', () => {
  const outline = { total: 3, place: null }
  const pages = new Map([[1, ['c', undefined]]])
  const list = createWholeList<string, Outline>(
    { size: 2, idOf: String, loadOutline: async () => outline, loadRows: async () => [] },
    { outline, pages },
  )
  expect([list.status.value, list.length.value, list.at(2), list.at(3)]).toEqual(['ready', 3, 'c', undefined])
})
