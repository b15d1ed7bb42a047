import { expect, test } from 'bun:test'
import type { SearchResult } from '../../../src/shared/api/search'
import type { DirectoryHit } from '../../../src/ui/api/directory'
import { createSearch, type Found } from '../../../src/ui/state/search'
import { createMemoryStorage } from '../../support/memory-storage'
import { createCalls, settled } from '../../support/settled'

type Answer = { data: SearchResult; nextCursor: string | null }
const answer = (names: string, nextCursor: string | null = null): Answer => ({
  data: {
    podcasts: [],
    people: [],
    episodes: [...names].map(name => ({ podcastEpisode: { name } })),
  } as unknown as SearchResult,
  nextCursor,
})
const hit = (title: string) => ({ title }) as DirectoryHit

function start({ stored = {}, mayAdd = true }: { stored?: Record<string, string>; mayAdd?: boolean } = {}) {
  const find = createCalls<[{ q: string; in?: string }, string | null, AbortSignal], Answer>()
  const directory = createCalls<[string, AbortSignal], DirectoryHit[]>()
  const storage = createMemoryStorage(stored)
  const search = createSearch({
    api: { find: find.call } as never,
    findInDirectory: mayAdd ? directory.call : null,
    storage,
    ownRestMs: 0,
    directoryRestMs: 0,
  })
  const namesOf = (part: 'episodes' | 'said') =>
    search.found.value?.[part].hits.map(({ podcastEpisode }) => podcastEpisode.name).join('')
  return { search, find, directory, storage, namesOf }
}

test('everything is asked for in the library and in the directory, what is said apart from the rest', async () => {
  const { search, find, directory, namesOf } = start()
  search.type(' fog ')
  expect(find.calls.map(({ args }) => args[0])).toEqual([
    { q: 'fog', in: 'podcasts,people,titles,notes,chapters' },
    { q: 'fog', in: 'transcripts' },
  ])
  expect(directory.calls.map(({ args }) => args[0])).toEqual(['fog'])
  await find.answer(answer('ab'), 0)
  expect([search.found.value, search.isBusy.value]).toEqual([null, true])
  await find.answer(answer('c'), 1)
  expect([namesOf('episodes'), namesOf('said')]).toEqual(['ab', 'c'])
  await directory.answer([hit('Fog')])
  expect([search.inDirectory.value, search.isBusy.value]).toEqual([[hit('Fog')], false])
})

test('the answer to the last words is shown, though one to earlier words comes last', async () => {
  const { search, find, directory, namesOf } = start()
  search.choose('episodes')
  search.type('f')
  search.type('fog')
  await find.answer(answer('ab'), 1)
  await find.answer(answer('xyz'), 0)
  expect([namesOf('episodes'), find.calls[0]!.args[2].aborted]).toEqual(['ab', true])

  search.choose('directory')
  search.type('fogs')
  await directory.answer([hit('Fogs')], 1)
  await directory.answer([hit('Fog')], 0)
  expect(search.inDirectory.value).toEqual([hit('Fogs')])
})

test('no words ask for nothing, and end what was asked', async () => {
  const { search, find, namesOf } = start()
  search.choose('episodes')
  search.type('fog')
  await find.answer(answer('ab'))
  search.type('fog ')
  expect(find.calls).toHaveLength(1)
  search.type('fogs')
  search.type('  ')
  await find.answer(answer('xyz'))
  expect([namesOf('episodes'), search.isBusy.value, find.calls.length]).toEqual([undefined, false, 2])
})

test('a scope asks for its own part alone', async () => {
  const { search, find, directory, namesOf } = start()
  search.type('fog')
  const asked = () => find.calls.slice(2).map(({ args }) => args[0].in)
  search.choose('podcasts')
  search.choose('episodes')
  search.choose('transcripts')
  expect(asked()).toEqual(['podcasts,people', 'titles,notes,chapters', 'transcripts'])
  await find.answer(answer('c'))
  expect([namesOf('said'), namesOf('episodes')]).toEqual(['c', ''])
  search.choose('directory')
  expect([asked().length, directory.calls.length, search.found.value]).toEqual([3, 2, null])
})

test('who may not add podcasts has no directory to search', () => {
  const { search, directory } = start({ mayAdd: false })
  search.type('fog')
  expect([search.hasDirectory, directory.calls.length]).toEqual([false, 0])
})

test('a directory that does not answer leaves what the library has', async () => {
  const { search, find, directory, namesOf } = start()
  search.type('fog')
  await directory.refuse(new Error('away'))
  await find.answer(answer('ab'), 0)
  await find.answer(answer(''), 1)
  expect([namesOf('episodes'), search.error.value, search.directoryError.value]).toEqual([
    'ab',
    null,
    expect.any(Error) as never,
  ])
})

test('the next page follows the first, as long as the words are the same', async () => {
  const { search, find, namesOf } = start()
  search.choose('transcripts')
  search.type('fog')
  await find.answer(answer('ab', 'more'))
  void search.loadMore()
  expect([find.calls[1]!.args[0].in, find.calls[1]!.args[1]]).toEqual(['transcripts', 'more'])
  await find.answer(answer('cd'))
  expect([namesOf('said'), search.found.value?.said.cursor]).toEqual(['abcd', null])
  await search.loadMore()
  expect(find.calls).toHaveLength(2)

  search.type('fogs')
  await find.answer(answer('x', 'more'))
  void search.loadMore()
  search.type('rain')
  await find.answer(answer('r'), find.calls.length - 1)
  await find.answer(answer('yz'), find.calls.length - 2)
  expect(namesOf('said')).toBe('r')
})

test('recent searches are the last six, each once, the latest first', () => {
  const { search, storage } = start({ stored: { 'search.recent': '["fog","rain"]' } })
  expect(search.recent.value).toEqual(['fog', 'rain'])
  for (const words of ['snow', 'fog', ' ', 'hail', 'sleet', 'wind', 'storm']) {
    search.type(words)
    search.remember()
  }
  expect(search.recent.value).toEqual(['storm', 'wind', 'sleet', 'hail', 'fog', 'snow'])
  expect(start({ stored: Object.fromEntries(storage.stored) }).search.recent.value).toEqual(search.recent.value)
})

test('what another program left in the storage is no recent search', () => {
  for (const stored of ['{', '{"a":1}', '[1, null]'])
    expect(start({ stored: { 'search.recent': stored } }).search.recent.value).toEqual([])
})

const foundAll: Found = {
  words: '',
  podcasts: [],
  people: [],
  episodes: { hits: [], cursor: null },
  said: { hits: [], cursor: null },
}
test('an answer without hits is an answer', async () => {
  const { search, find } = start()
  search.type('x')
  await find.answer(answer(''), 0)
  await find.answer(answer(''), 1)
  await settled()
  expect(search.found.value).toEqual({ ...foundAll, words: 'x' })
})
