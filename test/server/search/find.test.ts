import { expect, test } from 'bun:test'
import { packDocument } from '../../../src/server/store/documents'
import type { SearchField } from '../../../src/shared/api/search'
import { find, searchTranscripts, type SearchCursor } from '../../../src/server/search/find'
import { indexSome } from '../../../src/server/search/indexer'
import { snippetOf, textTerms, wordsOf } from '../../../src/server/search/words'
import { startRandom } from '../../support/random'
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
  expect(readPages(here.page, 'episode 4', 1)).toEqual([
    ...[6, 5, 4, 3, 2, 1].map(part => `Episode 4, part ${part}`),
    'Episode 42',
  ])
})

/** Everything that a search finds, page by page. */
function readPages(page: Awaited<ReturnType<typeof plant>>['page'], typed: string, limit: number): string[] {
  const titles: string[] = []
  let cursor: SearchCursor | null = null
  for (let pages = 0; pages === 0 || cursor; pages++) {
    const found: ReturnType<typeof page> = page(typed, limit, cursor)
    titles.push(...found.episodes.map(({ row }) => row.title))
    cursor = found.next
    expect(pages).toBeLessThan(500)
  }
  return titles
}

test('the word as a whole comes before longer ones, in titles and then in texts, the newest first', async () => {
  using here = await plant()
  const { id } = here.podcast('Weather', here.alice.id)
  const planted = [
    ['A foggy day', ''],
    ['Clear', 'no fog'],
    ['Fog and fogs', ''],
    ['Bright', 'foghorns'],
    ['Fog', 'fogs'],
    ['Foghorns', 'fog'],
    ['Dark', 'fog and foghorns'],
  ] as const
  for (const [title, notes] of planted) here.episode(id, title, { notes })
  await indexSome(here.store)
  const inOrder = ['Fog', 'Fog and fogs', 'Foghorns', 'A foggy day', 'Dark', 'Clear', 'Bright']
  for (const limit of [1, 2, 3, 9]) expect(readPages(here.page, 'fog', limit)).toEqual(inOrder)
})

test('pages of any size show every episode once, of words that begin many others', async () => {
  using here = await plant()
  const { id } = here.podcast('Weather', here.alice.id)
  const random = startRandom(3)
  const longer = Array.from({ length: 40 }, (_, index) => `fog${String.fromCharCode(97 + (index % 26))}${index}`)
  const words = ['fog', 'fogs', 'foggy', 'horn', 'horns', '4', '42', '421', 'and', 'a', ...longer]
  const some = (count: number) => Array.from({ length: count }, () => random.pick(words)).join(' ')
  const all = Array.from({ length: 120 }, (_, index) => ({ title: `${some(3)} n${index}`, notes: some(6) }))
  for (const { title, notes } of all) here.episode(id, title, { notes })
  while (here.store.search.isBehind()) await indexSome(here.store)
  const has = (text: string, word: string, isPrefix: boolean) =>
    text.split(' ').some(other => (isPrefix ? other.startsWith(word) : other === word))
  for (const typed of ['fog', 'fogs', 'horn', 'horn fog', 'a fog', 'fog 4', '4 fog', '42', 'fo', 'f', 'and h']) {
    const parts = typed.split(' ')
    const last = parts.at(-1)!
    const beginsInTexts = last.length > 2 && !/\d/.test(last)
    const isFound = ({ title, notes }: (typeof all)[number]) =>
      parts.every((word, at) => has(title, word, at === parts.length - 1)) ||
      parts.every((word, at) => has(`${title} ${notes}`, word, at === parts.length - 1 && beginsInTexts))
    const wanted = all.filter(isFound).map(({ title }) => title)
    for (const limit of [1, 7, 200])
      expect([typed, limit, readPages(here.page, typed, limit).sort()]).toEqual([typed, limit, wanted.toSorted()])
  }
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
      { ...packDocument(new Uint8Array([1]), segments), format: 'vtt' },
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
