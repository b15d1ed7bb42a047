import type { SearchField } from '../../shared/api/search'
import { fold } from '../../shared/fold'
import type { Store } from '../store'
import type { ListedPodcast } from '../store/podcasts'
import { queryOfWord } from '../store/index-text'
import { type FoundEpisode, type FoundPerson, type SearchFilter, type SearchIndex, TRANSCRIBED } from '../store/search'
import type { Viewer } from '../store/visibility'
import {
  areInexact,
  containsWords,
  type Hit,
  inColumns,
  isNumber,
  matcherOf,
  type Passage,
  passagesOf,
  queryOf,
  showWords,
  type Term,
  textTerms,
  titleTerms,
  wholeTerms,
  wordsOf,
} from './words'

// Why: docs/internals/decisions/0010

/** Start of the next page: its stage, and the index place below which it begins. */
export type SearchCursor = { stage: StageName; before: number }
type Found = { podcasts: ListedPodcast[]; people: FoundPerson[]; episodes: Hit[]; next: SearchCursor | null }

const MAX_PODCASTS = 10
const MAX_PEOPLE = 10

/** Finds podcasts by title and people by name, on the first page only, and episodes by title and text, in the order of their stages. */
export function find(
  store: Store,
  viewer: Viewer,
  typed: string,
  fields: ReadonlySet<SearchField>,
  filter: SearchFilter,
  limit: number,
  after: SearchCursor | null,
): Found {
  const words = wordsOf(typed)
  if (words.length === 0) return { podcasts: [], people: [], episodes: [], next: null }
  // FTS5 would look for a transcript in every row that has the words.
  const searched = store.documents.hasTranscripts() ? fields : fields.difference(new Set(['transcripts']))
  const { rows, next } = collect(from(stagesOf(store, words, searched), after), searchOf(store, viewer, filter), limit)
  return {
    podcasts: fields.has('podcasts') && !after ? store.podcasts.findByTitle(viewer, words, MAX_PODCASTS) : [],
    people:
      fields.has('people') && !after ? store.people.search(viewer, queryOf(titleTerms(words)), '', MAX_PEOPLE) : [],
    episodes: rows.map(showWords(store, words, searched)),
    next,
  }
}

const MAX_PASSAGES = 3

/** Finds episodes whose transcripts contain the words, with the passages, behind the first `skipped` ones. */
export function searchTranscripts(
  store: Store,
  viewer: Viewer,
  typed: string,
  podcastId: number | undefined,
  skipped: number,
  limit: number,
): { row: FoundEpisode; hits: Passage[] }[] {
  const words = wordsOf(typed)
  if (words.length === 0 || !store.documents.hasTranscripts()) return []
  const stages = stagesOf(store, words, new Set(['transcripts']))
  const { rows } = collect(from(stages, null), searchOf(store, viewer, { podcastId }), skipped + limit)
  const matcher = matcherOf(textTerms(words))
  return rows.slice(skipped).map(row => ({ row, hits: passagesOf(store, row.id, matcher, MAX_PASSAGES) }))
}

const searchOf =
  (store: Store, viewer: Viewer, filter: SearchFilter): Search =>
  (index, match, before, most) =>
    store.search.find(viewer, index, match, { ...filter, before }, most)

type Step = { stage: Stage; before: number | undefined }
type Search = (index: SearchIndex, match: string, before: number | undefined, most: number) => FoundEpisode[]

/** The stages that a page still has to go through, the first from where the previous page ended. */
function from(stages: readonly Stage[], after: SearchCursor | null): Step[] {
  const first = after ? stages.findIndex(({ name }) => name === after.stage) : 0
  if (first === -1) return []
  return stages.slice(first).map((stage, index) => ({ stage, before: index === 0 ? after?.before : undefined }))
}

/** Moves from stage to stage until the page is full, or until as many rows as fit on a page were passed by. */
function collect(steps: readonly Step[], search: Search, limit: number) {
  const rows: FoundEpisode[] = []
  for (const { stage, before: first } of steps) {
    const match = stage.match()
    let isOver = match === null
    for (let [before, passed] = [first, 0]; !isOver;) {
      // One row too many shows that there is another page.
      const most = limit - rows.length + 1
      const found = search(stage.index, match!, before, most)
      for (const row of found) {
        if (rows.length === limit) return { rows, next: { stage: stage.name, before: row.search_place + 1 } }
        if (stage.isNew(row)) rows.push(row)
        else passed++
      }
      isOver = found.length < most
      if (isOver) break
      before = found.at(-1)!.search_place
      if (passed >= limit) return { rows, next: { stage: stage.name, before } }
    }
  }
  return { rows, next: null }
}

/** Their names are in cursors: stages in another order need other names. */
export const stageNames = ['title', 'titlestart', 'number', 'numberstart', 'text', 'textstart'] as const
type StageName = (typeof stageNames)[number]

/** One of several searches in a row, newest episodes first. */
type Stage = {
  name: StageName
  index: SearchIndex
  /** Query in the language of FTS5; null if it would find nothing. */
  match: () => string | null
  /** Whether the episode has the words, and no earlier stage has found it. */
  isNew: (row: FoundEpisode) => boolean
}

const columns: Partial<Record<SearchField, string>> = {
  notes: 'notes',
  chapters: 'chapters',
  transcripts: 'transcript',
}

/**
 * Lists the stages of a search for episodes: titles with all the words come first, then texts. A rank by frequency
 * would read half the library for every common word, and people look for what is recent. A number means an episode by
 * its number: texts whose title contains it as a whole come before other texts, and, where it was typed last, before
 * titles in which it only begins another number.
 */
function stagesOf(store: Store, words: readonly string[], fields: ReadonlySet<SearchField>): Stage[] {
  const { search } = store
  const textColumns = [...fields].flatMap(field => columns[field] ?? [])
  const inTexts = matcherOf(textTerms(words))
  const isCommon = once((word: string) => words.length > 1 && search.isCommon(word))
  const hasWords = (row: FoundEpisode) =>
    !(areInexact(words) || words.some(isCommon)) || containsWords(store, row, inTexts, fields)
  const textStages = (within: readonly string[] | undefined, isNew: Stage['isNew']) =>
    inOrder(['text', 'textstart'], search, 'text_index', textTerms(words), { columns: within, isNew, isCommon })
  if (!fields.has('titles')) return textColumns.length === 0 ? [] : textStages(textColumns, hasWords)

  const inTitle = matcherOf(titleTerms(words))
  const isInTitle = ({ title }: FoundEpisode) => inTitle.hasAll(fold(title))
  const ofTitle = { isNew: areInexact(words) ? isInTitle : () => true }
  const [title, ...longer] = inOrder(['title', 'titlestart'], search, 'title_index', titleTerms(words), ofTitle)
  if (textColumns.length === 0) return [title, ...longer]

  // Words may be spread over the title and the texts of an episode. Without transcripts, those are all of the index.
  const areAll =
    ['notes', 'chapters'].every(column => textColumns.includes(column)) && !store.documents.hasTranscripts()
  const everywhere = areAll ? undefined : ['title', ...textColumns]
  const isElsewhere = (row: FoundEpisode) => !isInTitle(row) && hasWords(row)
  const numbers = wholeTerms(words).filter(({ word }) => isNumber(word))
  const others = textTerms(words).filter(({ word }) => !isNumber(word))
  if (numbers.length === 0 || others.length === 0) return [title, ...longer, ...textStages(everywhere, isElsewhere)]

  const numbersIn = matcherOf(numbers)
  const texts = textStages(everywhere, row => isElsewhere(row) && !numbersIn.hasAll(fold(row.title)))
  const numbered = inOrder(['number', 'numberstart'], search, 'text_index', others, {
    columns: everywhere,
    isCommon,
    also: queryOf(numbers, ['title']),
    isNew: isElsewhere,
  })
  return isNumber(words.at(-1)!) ? [title, ...numbered, ...longer, ...texts] : [title, ...longer, ...numbered, ...texts]
}

/** Words longer than the one typed that are searched one by one, from the newest on; more are left to FTS5. */
const MAX_LONGER = 20
/** The index of titles has the rows of all words that begin with one or two letters. */
const LETTERS_OF_TITLES = 2

type Rest = {
  columns?: readonly string[] | undefined
  also?: string
  isNew: Stage['isNew']
  /** Whether a word is left to `isNew`, as nearly every row has it. */
  isCommon?: (word: string) => boolean
}

/**
 * Two stages: episodes with the words as a whole, which FTS5 reads from the newest on until a page is full; then those
 * in which the last word only begins a longer one. For the beginning of a word, FTS5 merges the rows of all such words
 * before it knows the newest, so a few longer words are searched one by one. For a word that most episodes have, it reads
 * a page of its index for each row of the others, so such words are looked for in the rows found, but for the last one.
 */
function inOrder(
  [whole, longer]: readonly [StageName, StageName],
  search: Store['search'],
  index: SearchIndex,
  terms: readonly Term[],
  { columns, also = transcribed(search, columns), isNew, isCommon = () => false }: Rest,
): [Stage, ...Stage[]] {
  const { word, isPrefix } = terms.at(-1)!
  const others = terms.slice(0, -1)
  const query = (last: string) => {
    const rare = others.filter(other => !isCommon(other.word)).map(other => queryOfWord(other.word, false))
    return [also, inColumns([...rare, last].join(' AND '), columns)].filter(Boolean).join(' AND ')
  }
  const wholeWord = queryOfWord(word, false)
  const stage: Stage = { index, isNew, name: whole, match: () => query(wholeWord) }
  if (!isPrefix) return [stage]
  const match = () => {
    const beginning = beginningOf(search, index, word)
    return beginning && `(${query(`(${beginning})`)}) NOT ${inColumns(wholeWord, columns)}`
  }
  return [stage, { index, isNew, name: longer, match }]
}

/** Remembers the answers of a question. */
function once<T>(ask: (word: string) => T): (word: string) => T {
  const answers = new Map<string, T>()
  return word => {
    if (!answers.has(word)) answers.set(word, ask(word))
    return answers.get(word)!
  }
}

/** Query that limits a search of transcripts to episodes with one, which may be few among those with the words. */
const transcribed = (search: Store['search'], columns?: readonly string[]) =>
  columns?.length === 1 && columns[0] === 'transcript' && !search.isReindexing()
    ? inColumns(`"${TRANSCRIBED}"`, columns)
    : undefined

/** Query for the longer words that begin with a word; null = none does. */
function beginningOf(search: Store['search'], index: SearchIndex, word: string): string | null {
  const all = queryOfWord(word, true)
  if (index === 'title_index' && word.length <= LETTERS_OF_TITLES) return all
  const longer = search.listLonger(index, word, MAX_LONGER + 1)
  if (longer.length > MAX_LONGER) return all
  return longer.map(other => `"${other}"`).join(' OR ') || null
}
