import { expect, test } from 'bun:test'
import type { SearchField } from '../../../src/shared/api/search'
import { find, type SearchCursor } from '../../../src/server/search/find'
import { indexSome } from '../../../src/server/search/indexer'
import { searchTranscripts, snippetOf } from '../../../src/server/search/hits'
import { textTerms, wordsOf } from '../../../src/server/search/words'
import { plantStore } from '../store/plant'

const everywhere: ReadonlySet<SearchField> = new Set(['podcasts', 'titles', 'notes', 'chapters', 'transcripts'])

async function plant(...titles: string[]) {
  const planted = plantStore()
  const alice = planted.user('alice')
  const { id } = planted.podcast('Episode Four', alice.id)
  const episodes = titles.map(title => planted.episode(id, title))
  await indexSome(planted.store)
  const page = (typed: string, limit: number, after: SearchCursor | null = null) =>
    find(planted.store, alice, typed, everywhere, {}, limit, after)
  return { ...planted, alice, episodes, page }
}

test('nothing is lost between pages, even where a page holds only what was found before', async () => {
  using here = await plant('Episode 42', ...[1, 2, 3, 4, 5, 6].map(part => `Episode 4, part ${part}`))
  const titles: string[] = []
  let cursor: SearchCursor | null = null
  for (let pages = 0; pages === 0 || cursor; pages++) {
    const found: ReturnType<typeof here.page> = here.page('episode 4', 1, cursor)
    titles.push(...found.episodes.map(({ row }) => row.title))
    cursor = found.next
    expect(pages).toBeLessThan(30)
  }
  expect(titles).toEqual([...[6, 5, 4, 3, 2, 1].map(part => `Episode 4, part ${part}`), 'Episode 42'])
})

test('podcasts are on the first page alone', async () => {
  using here = await plant('Episode one', 'Episode two')
  const first = here.page('episode', 1)
  expect([first.podcasts.length, first.episodes.length]).toEqual([1, 1])
  const second = here.page('episode', 1, first.next)
  expect([second.podcasts.length, second.episodes.length]).toEqual([0, 1])
  expect(here.page('', 9)).toEqual({ podcasts: [], people: [], episodes: [], next: null })
})

test('of very many words the first count', () => {
  expect(wordsOf('a b c d e f g h i j k l m n o')).toHaveLength(12)
})

test('the beginning of a word counts in texts from three letters on, and a number never', () => {
  expect(textTerms(['to'])).toEqual([{ word: 'to', isPrefix: false }])
  expect(textTerms(['tow'])).toEqual([{ word: 'tow', isPrefix: true }])
  expect(textTerms(['1234'])).toEqual([{ word: '1234', isPrefix: false }])
})

test('a snippet begins at its text, or a little before the first match', () => {
  const terms = textTerms(['harbour'])
  expect(snippetOf('The harbour & the <b>fog</b>', terms)).toBe(
    'The <mark>harbour</mark> &amp; the &lt;b&gt;fog&lt;/b&gt;',
  )
  const long = `${'word '.repeat(30)}harbour ${'more '.repeat(60)}`
  expect(snippetOf(long, terms)).toMatch(/^… (word ){4,5}<mark>harbour<\/mark> (more )+m?o?r?e? …$/)
})

test('a chapter with all the words shows the hit before a transcript does, a passage with all before one with some', async () => {
  using here = await plant('One', 'Two')
  const { store, alice, episodes, page } = here
  const [one, two] = episodes as [(typeof episodes)[0], (typeof episodes)[0]]
  const segment = (text: string, startMs: number) => ({ startMs, endMs: null, speaker: null, text })
  for (const { id } of episodes) {
    store.documents.describe(id, [{ kind: 'transcript', url: 'a', type: 'text/vtt', language: null }])
    const segments = [segment('a harbour', 1000), segment('fog in the harbour', 2000), segment('fog', 3000)]
    store.documents.keep(
      store.documents.of(id, 'transcript')[0]!.id,
      { body: new Uint8Array([1]), segments, format: 'vtt' },
      1,
    )
    store.episodes.edit(id, here.facts(id === one.id ? 'One' : 'Two', { transcripts: '[]' }))
    store.search.drop(id)
  }
  const chapter = { startMs: 500, endMs: null, title: 'Harbour and fog', href: null, imageUrl: null }
  store.chapters.replace(two.id, 'feed', [chapter])
  await indexSome(store)
  const hits = page('harbour fog', 9).episodes.map(({ row, matchedIn, startMs }) => [row.title, matchedIn, startMs])
  expect(hits).toEqual([
    ['Two', 'chapters', 500],
    ['One', 'transcripts', 2000],
  ])
  const spoken = searchTranscripts(store, alice, 'harbour fog', undefined, 0, 9)
  expect(spoken.map(({ hits }) => hits.map(({ startMs }) => startMs))).toEqual([[2000], [2000]])
  expect(searchTranscripts(store, alice, 'harbour fog', undefined, 1, 9)).toHaveLength(1)
  expect(searchTranscripts(store, alice, '', undefined, 0, 9)).toEqual([])
})

test('a transaction of the index ends after fifty episodes, or with the one whose texts make it too long', async () => {
  using here = await plant()
  const { store, alice } = here
  let turns = 0
  const counting = { ...store, inTurn: <T>(work: () => T) => (turns++, store.inTurn(work)) }
  const { id } = here.podcast('Long', alice.id)
  for (let count = 0; count < 60; count++) here.episode(id, `Short ${count}`)
  await indexSome(counting)
  expect([turns, store.search.isBehind()]).toEqual([2, false])
  turns = 0
  for (let count = 0; count < 4; count++) here.episode(id, `Long ${count}`, { notes: 'word '.repeat(30_000) })
  await indexSome(counting)
  expect([turns, store.search.isBehind()]).toEqual([2, false])
})
