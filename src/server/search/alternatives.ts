import type { SearchField } from '../../shared/api/search'
import { fold } from '../../shared/fold'
import type { Store } from '../store'
import { queryOfWord } from '../store/index-text'
import type { FoundEpisode, SearchFilter } from '../store/search'
import type { Viewer } from '../store/visibility'
import { type Hit, inColumns, isNumber, matcherOf, showTerms, type Term, wordsOf } from './words'

/** Shorter words mean little alone, whatever the language. */
const MIN_WORD = 3
/** The ending of a word this long is left open: horizons finds horizon. */
const MIN_STEM = 6
const ENDING = 2
/** The newest episodes with a word that are looked at; a word that more have counts as such a one. */
const MAX_OF_WORD = 150
/** The rarest words, which are also searched in pairs: then both are found in episodes however old. */
const RAREST = 4
const MAX_OF_PAIR = 40
/** Episodes that are worth less than this share of the best are left out. */
const MIN_SHARE = 0.4

const columns: Partial<Record<SearchField, string>> = {
  titles: 'title',
  notes: 'notes',
  chapters: 'chapters',
  transcripts: 'transcript',
}

type Weighed = { term: Term; weight: number; rows: readonly FoundEpisode[] }

/**
 * Finds episodes with some of the words of a sentence. Those with rare words and with several come first, titles count
 * double, and the newest are first among equals.
 */
export function findAlternatives(
  store: Store,
  viewer: Viewer,
  typed: string,
  fields: ReadonlySet<SearchField>,
  filter: SearchFilter,
  limit: number,
): Hit[] {
  const within = [...fields].flatMap(field => columns[field] ?? [])
  if (within.length === 0) return []
  const search = (query: string, most: number) =>
    store.search.find(viewer, 'text_index', inColumns(query, within), filter, most)
  const distinctive = termsOf(typed).filter(({ word }) => !store.search.isCommon(word))
  const weighed = distinctive
    .map((term): Weighed => {
      const rows = search(queryOf(term), MAX_OF_WORD)
      return { term, rows, weight: 1 / Math.log2(2 + rows.length) }
    })
    .filter(({ rows }) => rows.length > 0)
    .toSorted((a, b) => b.weight - a.weight)

  const found = new Map<number, { row: FoundEpisode; terms: Map<Term, number> }>()
  function note(row: FoundEpisode, { term, weight }: Weighed) {
    const known = found.get(row.id) ?? { row, terms: new Map() }
    found.set(row.id, known)
    known.terms.set(term, matcherOf([term]).hasAny(fold(row.title)) ? 2 * weight : weight)
  }
  for (const one of weighed) for (const row of one.rows) note(row, one)
  for (const [a, b] of pairsOf(weighed.slice(0, RAREST)))
    for (const row of search(`(${queryOf(a.term)}) AND (${queryOf(b.term)})`, MAX_OF_PAIR)) {
      note(row, a)
      note(row, b)
    }

  const ranked = [...found.values()]
    .map(({ row, terms }) => ({ row, terms, worth: [...terms.values()].reduce((sum, weight) => sum + weight, 0) }))
    .toSorted((a, b) => b.worth - a.worth || b.row.search_place - a.row.search_place)
  return ranked
    .filter(({ worth }) => worth >= MIN_SHARE * ranked[0]!.worth)
    .slice(0, limit)
    .map(({ row, terms }) => showTerms(store, row, [...terms.keys()], fields))
}

/** The words of a sentence, each once; the ending of a long one is left open. */
const termsOf = (typed: string): Term[] =>
  [...new Set(wordsOf(typed))]
    .filter(word => word.length >= MIN_WORD || isNumber(word))
    .map(word =>
      word.length >= MIN_STEM && !isNumber(word)
        ? { word: word.slice(0, -ENDING), isPrefix: true }
        : { word, isPrefix: false },
    )

const queryOf = ({ word, isPrefix }: Term) => queryOfWord(word, isPrefix)

const pairsOf = (weighed: readonly Weighed[]) =>
  weighed.flatMap((a, at) => weighed.slice(at + 1).map(b => [a, b] as const))
