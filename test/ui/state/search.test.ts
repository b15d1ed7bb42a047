import { expect, test } from 'bun:test'
import type { SearchResult } from '../../../src/shared/api/search'
import type { DirectoryHit } from '../../../src/ui/api/directory'
import { createSearch, type Found } from '../../../src/ui/state/search'
import { createMemoryStorage } from '../../support/memory-storage'
import { createCalls, settled } from '../../support/settled'

type Answer = { data: SearchResult; nextCursor: string | null }
const answer = (names: string, nextCursor: string | null = null, hasTranscripts = false): Answer => ({
  data: {
    podcasts: [],
    people: [],
    episodes: [...names].map(name => ({ podcastEpisode: { name } })),
    hasTranscripts,
  } as unknown as SearchResult,
  nextCursor,
})
const hit = (title: string) => ({ title }) as DirectoryHit

type Options = {
  stored?: Record<string, string>
  mayAdd?: boolean
  pacing?: Partial<Parameters<typeof createSearch>[0]>
}

function start({ stored = {}, mayAdd = true, pacing = { ownRestMs: 0, directoryRestMs: 0 } }: Options = {}) {
  const find = createCalls<[{ q: string; in?: string }, string | null, AbortSignal], Answer>()
  const directory = createCalls<[string, AbortSignal], DirectoryHit[]>()
  const storage = createMemoryStorage(stored)
  const search = createSearch({
    api: { find: find.call } as never,
    findInDirectory: mayAdd ? directory.call : null,
    storage,
    ...pacing,
  })
  const namesOf = (part: 'episodes' | 'said') =>
    search.found.value?.[part].hits.map(({ podcastEpisode }) => podcastEpisode.name).join('')
  return { search, find, directory, storage, namesOf }
}

test('everything is asked for in the library and in the directory, what is said after the rest', async () => {
  const { search, find, directory, namesOf } = start()
  search.type(' fog ')
  expect(find.calls.map(({ args }) => args[0])).toEqual([{ q: 'fog', in: 'podcasts,people,titles,notes,chapters' }])
  expect(directory.calls.map(({ args }) => args[0])).toEqual(['fog'])
  await find.answer(answer('ab', null, true), 0)
  expect(find.calls.slice(1).map(({ args }) => args[0])).toEqual([{ q: 'fog', in: 'transcripts' }])
  expect([search.found.value, search.isBusy.value]).toEqual([null, true])
  await find.answer(answer('c'), 1)
  expect([namesOf('episodes'), namesOf('said')]).toEqual(['ab', 'c'])
  await directory.answer([hit('Fog')])
  expect([search.inDirectory.value, search.isBusy.value]).toEqual([[hit('Fog')], false])
})

test('a library without transcripts is not asked what is said in them', async () => {
  const { search, find, namesOf } = start()
  search.type('fog')
  await find.answer(answer('ab'))
  expect([namesOf('episodes'), namesOf('said'), find.calls.length]).toEqual(['ab', '', 1])
})

/** Timers that end when the test says so. */
function createTimers() {
  let waiting: { work: () => void; ms: number }[] = []
  return {
    later(work: () => void, ms: number) {
      const timer = { work, ms }
      waiting.push(timer)
      return () => void (waiting = waiting.filter(other => other !== timer))
    },
    /** So much time passes. */
    async pass(ms: number) {
      for (const timer of waiting) timer.ms -= ms
      for (const { work } of waiting.filter(timer => timer.ms <= 0)) work()
      waiting = waiting.filter(timer => timer.ms > 0)
      await settled()
    },
  }
}

test('typing without a rest asks once, for the last words', async () => {
  const { later, pass } = createTimers()
  const { search, find, directory } = start({ pacing: { later } })
  for (let end = 1; end <= 'lighthousekeepers'.length; end++) {
    search.type('lighthousekeepers'.slice(0, end))
    await pass(120)
  }
  expect([find.calls.length, search.isBusy.value]).toEqual([0, true])
  await pass(40)
  expect(find.calls.map(({ args }) => args[0].q)).toEqual(['lighthousekeepers'])
  expect(directory.calls).toHaveLength(0)
  await pass(150)
  expect(directory.calls.map(({ args }) => args[0])).toEqual(['lighthousekeepers'])
})

test('one request is under way at most, and the last words always get their answer', async () => {
  const { later, pass } = createTimers()
  const { search, find, namesOf } = start({ mayAdd: false, pacing: { later } })
  const underWay = () => find.calls.filter(({ args }) => !args[2].aborted).map(({ args }) => args[0].q)
  search.type('fo')
  await pass(150)
  expect(underWay()).toEqual(['fo'])
  search.type('fog')
  expect(underWay()).toEqual([])
  await pass(150)
  expect(underWay()).toEqual(['fog'])
  // An aborted request that is answered all the same asks for no transcripts.
  await find.answer(answer('x', null, true), 0)
  expect([underWay(), namesOf('episodes')]).toEqual([['fog'], undefined])
  await find.answer(answer('ab', 'more'), 1)
  expect(namesOf('episodes')).toBe('ab')

  search.choose('episodes')
  await pass(150)
  await find.answer(answer('ab', 'more'))
  void search.loadMore()
  expect(find.calls.at(-1)!.args[1]).toBe('more')
  search.type('fogs')
  expect(find.calls.at(-1)!.args[2].aborted).toBe(true)
  await pass(150)
  await find.answer(answer('c'))
  expect([namesOf('episodes'), search.isBusy.value]).toEqual(['c', false])
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
  const asked = () => find.calls.slice(1).map(({ args }) => args[0].in)
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
  await find.answer(answer('ab'))
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
  search.forgetRecent()
  expect([search.recent.value, storage.stored.get('search.recent')]).toEqual([[], '[]'])
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
  await find.answer(answer('', null, true), 0)
  await find.answer(answer(''), 1)
  await settled()
  expect(search.found.value).toEqual({ ...foundAll, words: 'x' })
})
