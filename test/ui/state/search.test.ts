import { expect, test } from 'bun:test'
import type { SearchResult } from '../../../src/shared/api/search'
import { createSearch } from '../../../src/ui/state/search'
import { createMemoryStorage } from '../../support/memory-storage'
import { createCalls, settled } from '../../support/settled'

type Found = { data: SearchResult; nextCursor: string | null }
const found = (names: string, nextCursor: string | null = null): Found => ({
  data: { podcasts: [], episodes: [...names].map(name => ({ podcastEpisode: { name } })) } as unknown as SearchResult,
  nextCursor,
})

function start(stored: Record<string, string> = {}) {
  const find = createCalls<
    [{ q: string; in?: string; downloaded?: boolean; unplayed?: boolean }, string | null, AbortSignal],
    Found
  >()
  const storage = createMemoryStorage(stored)
  const search = createSearch({ find: find.call } as never, storage, 0)
  const shown = () => search.result.value?.episodes.map(({ podcastEpisode }) => podcastEpisode.name).join('')
  return { search, find, storage, shown }
}

test('the answer to the last words is shown, though one to earlier words comes last', async () => {
  const { search, find, shown } = start()
  search.type('f')
  search.type('fog')
  expect([find.calls.map(({ args }) => args[0].q), search.isBusy.value]).toEqual([['f', 'fog'], true])
  await find.answer(found('ab'), 1)
  await find.answer(found('xyz'), 0)
  expect([shown(), search.isBusy.value, find.calls[0]!.args[2].aborted]).toEqual(['ab', false, true])
})

test('no words ask for nothing, and end what was asked', async () => {
  const { search, find, shown } = start()
  search.type('fog')
  await find.answer(found('ab'))
  search.type('fogs')
  search.type('  ')
  await find.answer(found('xyz'))
  expect([shown(), search.isBusy.value, find.calls.length]).toEqual([undefined, false, 2])
})

test('filters ask again for the same words', async () => {
  const { search, find } = start()
  search.type(' fog ')
  search.filter({ downloaded: true })
  search.filter({ titlesOnly: true })
  expect(find.calls.at(-1)!.args[0]).toEqual({ q: 'fog', downloaded: true, unplayed: false, in: 'podcasts,titles' })
})

test('the next page follows the first, as long as the words are the same', async () => {
  const { search, find, shown } = start()
  search.type('fog')
  await find.answer(found('ab', 'more'))
  expect(search.hasMore.value).toBe(true)
  void search.more()
  expect(find.calls[1]!.args[1]).toBe('more')
  await find.answer(found('cd'))
  expect([shown(), search.hasMore.value]).toEqual(['abcd', false])
  await search.more()
  expect(find.calls.length).toBe(2)
})

test('a page that comes after other words were typed is dropped', async () => {
  const { search, find, shown } = start()
  search.type('fog')
  await find.answer(found('ab', 'more'))
  void search.more()
  search.type('rain')
  await find.answer(found('xy'), 2)
  await find.answer(found('cd'), 1)
  expect(shown()).toBe('xy')
})

test('a failure is shown until another search begins', async () => {
  const { search, find } = start()
  search.type('fog')
  await find.refuse(new Error('down'))
  expect([search.error.value, search.isBusy.value]).toEqual([new Error('down'), false])
  search.type('rain')
  expect(search.error.value).toBe(null)
})

test('what was found and chosen is remembered, six at most, each once, the last one first', () => {
  const { search, storage } = start()
  for (const words of ['1', '2', '3', '4', '5', '6', '7', ' 3 ', '']) {
    search.type(words)
    search.remember()
  }
  expect(search.recent.value).toEqual(['3', '7', '6', '5', '4', '2'])
  expect(start(Object.fromEntries(storage.stored)).search.recent.value).toEqual(search.recent.value)
})

test.each(['{not json', '{"a":1}', '[1, null, "fog"]'])('stored words like %s do no harm', async stored => {
  const { search } = start({ 'search.recent': stored })
  expect(search.recent.value).toEqual(stored.startsWith('[') ? ['fog'] : [])
  await settled()
})
