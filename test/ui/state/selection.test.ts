import { expect, test } from 'bun:test'
import { createSelection } from '../../../src/ui/state/selection'

const list = [...'abcdef'].map(id => ({ id }))
const item = (id: string) => list.find(one => one.id === id)!

function start(most?: number) {
  const selection = createSelection<{ id: string }>(({ id }) => id, most)
  return { selection, chosen: () => [...selection.byId.value.keys()].join('') }
}

test('items are chosen and dropped one by one, and the first shows the boxes', () => {
  const { selection, chosen } = start()
  expect(selection.isActive.value).toBe(false)
  selection.toggle(item('b'))
  selection.toggle(item('d'))
  expect([chosen(), selection.count.value, selection.isActive.value]).toEqual(['bd', 2, true])
  selection.toggle(item('b'))
  expect(chosen()).toBe('d')
})

test('the boxes stay when the last item is dropped, and go when the selection ends', () => {
  const { selection } = start()
  selection.begin()
  selection.toggle(item('a'))
  selection.toggle(item('a'))
  expect([selection.count.value, selection.isActive.value]).toEqual([0, true])
  selection.end()
  expect(selection.isActive.value).toBe(false)
})

test('a range goes from the item chosen last, up or down, and keeps what was chosen before', () => {
  const { selection, chosen } = start()
  selection.toggle(item('a'))
  selection.toggle(item('e'))
  selection.extendTo(item('c'), list)
  expect(chosen()).toBe('aecd')
  selection.extendTo(item('f'), list)
  expect(chosen()).toBe('aecdf')
})

test('a range without a beginning chooses one item', () => {
  const { selection, chosen } = start()
  selection.extendTo(item('c'), list)
  expect(chosen()).toBe('c')
  selection.end()
  selection.extendTo(item('e'), list)
  expect(chosen()).toBe('e')
})

test('no more are chosen than a request may hold', () => {
  const { selection, chosen } = start(3)
  selection.chooseAll(list)
  expect(chosen()).toBe('abc')
  selection.toggle(item('f'))
  expect(chosen()).toBe('abc')
})

test('what is gone from the list is no longer chosen, and what changed counts as it is now', () => {
  const { selection, chosen } = start()
  selection.chooseAll(list.slice(0, 3))
  const changed = { id: 'b', isNew: true }
  selection.follow([changed, item('c')])
  expect(chosen()).toBe('bc')
  expect(selection.items.value[0]).toBe(changed)
})

test('everything is chosen beyond what is loaded, except for what is dropped then', () => {
  const { selection } = start()
  selection.chooseAll(list)
  selection.chooseEverything(2000)
  expect([selection.count.value, selection.has('not loaded yet')]).toEqual([2000, true])
  selection.follow(list)
  expect(selection.count.value).toBe(2000)
  selection.toggle(item('c'))
  selection.toggle(item('e'))
  selection.toggle(item('f'))
  expect([selection.count.value, selection.has('c'), selection.has('not loaded yet')]).toEqual([1997, false, true])
  selection.toggle(item('f'))
  selection.extendTo(item('d'), list)
  expect([...selection.everything.value!.except]).toEqual(['c'])
  selection.chooseEverything(2000)
  expect([selection.count.value, selection.has('c')]).toEqual([2000, true])
  selection.toggle(item('c'))
  selection.end()
  expect([selection.count.value, selection.has('a')]).toEqual([0, false])
})

test('that all that is loaded was chosen stays known while more is loaded, until another choice', () => {
  const { selection } = start()
  selection.chooseAll(list.slice(0, 3))
  selection.follow(list)
  expect([selection.isAllLoaded.value, selection.count.value]).toEqual([true, 3])
  selection.toggle(item('a'))
  expect(selection.isAllLoaded.value).toBe(false)
  selection.chooseAll([])
  expect(selection.isAllLoaded.value).toBe(false)
})
