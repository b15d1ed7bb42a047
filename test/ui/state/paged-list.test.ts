import { expect, test } from 'bun:test'
import { createPagedList, type Page } from '../../../src/ui/state/paged-list'
import { createCalls, settled } from '../../support/settled'

const createServer = () => createCalls<[cursor: string | null, signal: AbortSignal, wanted: number], Page<string>>()

/** A list that shows its first page, `a` and `b`, and knows of another one. */
async function startList() {
  const server = createServer()
  const list = createPagedList(server.call)
  void list.reload()
  await server.answer({ items: ['a', 'b'], next: '2' })
  return { server, list }
}

test('a list is loading, then shows its first page, and knows that there is more', async () => {
  const server = createServer()
  const list = createPagedList(server.call)
  expect([list.status.value, list.isEmpty.value]).toEqual(['idle', false])
  void list.reload()
  expect(list.status.value).toBe('loading')
  await server.answer({ items: ['a', 'b'], next: '2' })
  expect([list.status.value, list.items.value, !list.isWhole.value]).toEqual(['ready', ['a', 'b'], true])
})

test('the next page is asked for once, and follows the first', async () => {
  const { server, list } = await startList()
  list.loadMore()
  list.loadMore()
  expect([server.calls.length, server.calls[1]!.args[0], list.status.value]).toEqual([2, '2', 'loading'])
  await server.answer({ items: ['c'], next: null })
  expect([list.items.value, !list.isWhole.value]).toEqual([['a', 'b', 'c'], false])
  list.loadMore()
  expect(server.calls.length).toBe(2)
})

test('a page that a reload overtakes is dropped, though it comes last', async () => {
  const { server, list } = await startList()
  list.loadMore()
  void list.reload()
  await server.answer({ items: ['new'], next: null }, 2)
  await server.answer({ items: ['late'], next: '3' }, 1)
  expect([list.items.value, !list.isWhole.value]).toEqual([['new'], false])
  expect(server.calls[1]!.args[1].aborted).toBe(true)
})

test('a reload that another one overtakes is dropped, though it comes last', async () => {
  const { server, list } = await startList()
  void list.reload()
  void list.reload()
  await server.answer({ items: ['second', 'reload'], next: null }, 2)
  await server.answer({ items: ['first', 'reload'], next: null }, 1)
  expect(list.items.value).toEqual(['second', 'reload'])
})

test('a reload fetches as much as was shown, so that readers keep their place', async () => {
  const { server, list } = await startList()
  list.loadMore()
  await server.answer({ items: ['c', 'd'], next: '3' })
  void list.reload()
  expect(list.status.value).toBe('ready')
  await server.answer({ items: ['new', 'a'], next: '2' })
  expect(server.calls.at(-1)!.args[0]).toBe('2')
  await server.answer({ items: ['b', 'c'], next: '3' })
  expect([list.items.value, list.next.value]).toEqual([['new', 'a', 'b', 'c'], '3'])
})

test('a reader who reaches the end during a reload gets one page more from it', async () => {
  const { server, list } = await startList()
  void list.reload()
  list.loadMore()
  expect(server.calls.length).toBe(2)
  await server.answer({ items: ['a', 'b'], next: '2' })
  await server.answer({ items: ['c', 'd'], next: '3' })
  expect(list.items.value).toEqual(['a', 'b', 'c', 'd'])
})

test('a list that fails shows the error, and can be tried again', async () => {
  const server = createServer()
  const list = createPagedList(server.call)
  void list.reload()
  await server.refuse(new Error('down'))
  expect([list.status.value, list.error.value, list.items.value]).toEqual(['failed', new Error('down'), []])
  void list.retry()
  expect(list.status.value).toBe('loading')
  await server.answer({ items: ['here'], next: null })
  expect([list.status.value, list.items.value]).toEqual(['ready', ['here']])
})

test('a next page that fails leaves the others in sight, and is asked for again', async () => {
  const { server, list } = await startList()
  list.loadMore()
  await server.refuse(new Error('down'))
  expect([list.status.value, list.items.value]).toEqual(['failed', ['a', 'b']])
  void list.retry()
  expect(server.calls.at(-1)!.args[0]).toBe('2')
  await server.answer({ items: ['c'], next: null })
  expect(list.items.value).toEqual(['a', 'b', 'c'])
})

test('a reload that fails behind a list in sight changes nothing', async () => {
  const { server, list } = await startList()
  void list.reload()
  await server.refuse(new Error('down'))
  expect([list.status.value, list.items.value, !list.isWhole.value]).toEqual(['ready', ['a', 'b'], true])
})

test('a row that is edited while the next page is on its way stays edited', async () => {
  const { server, list } = await startList()
  list.loadMore()
  list.change(item => (item === 'a' ? 'A' : item))
  await server.answer({ items: ['c'], next: null })
  expect(list.items.value).toEqual(['A', 'b', 'c'])
})

test('an edit outlives an answer that was on its way before it: of the first page, of more, and of a reload', async () => {
  const server = createServer()
  const list = createPagedList(server.call)
  const download = (name: string) => list.change(item => (item === name ? `${name}, downloaded` : item))
  void list.reload()
  download('a')
  await server.answer({ items: ['a', 'b'], next: '2' })
  expect(list.items.value).toEqual(['a, downloaded', 'b'])
  list.loadMore()
  download('c')
  await server.answer({ items: ['c'], next: null })
  expect(list.items.value).toEqual(['a, downloaded', 'b', 'c, downloaded'])
  void list.reload()
  download('b')
  await server.answer({ items: ['a', 'b', 'c'], next: null })
  // What the reload answers was asked for after the earlier edits.
  expect(list.items.value).toEqual(['a', 'b, downloaded', 'c'])
})

test('a list begins with what it showed at the last visit', () => {
  const list = createPagedList<string>(createServer().call, { items: ['a'], next: '2' })
  expect([list.status.value, list.items.value, !list.isWhole.value]).toEqual(['ready', ['a'], true])
})

test('an empty list says so, once that is known', async () => {
  const server = createServer()
  const list = createPagedList(server.call)
  void list.reload()
  expect(list.isEmpty.value).toBe(false)
  await server.answer({ items: [], next: null })
  expect([list.isEmpty.value, list.status.value]).toEqual([true, 'ready'])
})

test('a list that nobody looks at any more asks for nothing more', async () => {
  const { server, list } = await startList()
  list.loadMore()
  await server.answer({ items: ['c', 'd'], next: '3' })
  void list.reload()
  list.cancel()
  await server.answer({ items: ['a', 'b'], next: '2' })
  await settled()
  expect([server.calls.length, list.items.value]).toEqual([3, ['a', 'b', 'c', 'd']])
})
