import type { SearchField } from '../../shared/api/search'
import type { Store } from '../store'
import type { ListedPodcast } from '../store/podcasts'
import type { FoundEpisode, FoundPerson, SearchFilter, SearchIndex } from '../store/search'
import type { Viewer } from '../store/visibility'
import { type Hit, hitOf } from './hits'
import { containsAll, isNumber, queryOf, textTerms, titleTerms, wholeTerms, wordsOf } from './words'

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
  const stages = from(stagesOf(words, fields), after)
  const search = (stage: Stage, before: number | undefined, most: number) =>
    store.search.find(viewer, stage.index, stage.match, { ...filter, before }, most)
  const { rows, next } = collect(stages, search, limit)
  return {
    podcasts: fields.has('podcasts') && !after ? store.podcasts.findByTitle(viewer, words, MAX_PODCASTS) : [],
    people:
      fields.has('people') && !after ? store.people.search(viewer, queryOf(titleTerms(words)), '', MAX_PEOPLE) : [],
    episodes: rows.map(row => hitOf(store, row, words, fields)),
    next,
  }
}

type Step = { stage: Stage; before: number | undefined }
type Search = (stage: Stage, before: number | undefined, most: number) => FoundEpisode[]

/** The stages that a page still has to go through, the first from where the page before ended. */
function from(stages: readonly Stage[], after: SearchCursor | null): Step[] {
  const first = after ? stages.findIndex(({ name }) => name === after.stage) : 0
  if (first === -1) return []
  return stages.slice(first).map((stage, index) => ({ stage, before: index === 0 ? after?.before : undefined }))
}

/** Moves from stage to stage until the page is full. */
function collect(steps: readonly Step[], search: Search, limit: number) {
  const rows: FoundEpisode[] = []
  for (const { stage, before } of steps) {
    // Some rows were found by an earlier stage; one row too many shows that there is another page.
    const most = 2 * (limit - rows.length) + 1
    const found = search(stage, before, most)
    for (const row of found) {
      if (rows.length === limit) return { rows, next: { stage: stage.name, before: row.search_place + 1 } }
      if (stage.isNew(row)) rows.push(row)
    }
    if (found.length === most) return { rows, next: { stage: stage.name, before: found.at(-1)!.search_place } }
  }
  return { rows, next: null }
}

export const stageNames = ['exact', 'numbered', 'titles', 'texts'] as const
type StageName = (typeof stageNames)[number]

/** One of several searches in a row, newest episodes first. `isNew`: no earlier stage has found the episode. */
type Stage = {
  name: StageName
  index: SearchIndex
  match: string
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
 * its number: titles that contain it as a whole come before those in which it only begins another number.
 */
function stagesOf(words: readonly string[], fields: ReadonlySet<SearchField>): Stage[] {
  const textColumns = [...fields].flatMap(field => columns[field] ?? [])
  if (!fields.has('titles')) return textColumns.length === 0 ? [] : [textStage(words, textColumns, () => true)]
  const [first, ...others] = titleStages(words)
  if (textColumns.length === 0) return [first, ...others]

  // Words may be spread over the title and the texts of an episode.
  const everywhere = ['title', ...textColumns]
  const isInTitle = ({ title }: FoundEpisode) => containsAll(title, titleTerms(words))
  const numbers = wholeTerms(words).filter(({ word }) => isNumber(word))
  if (numbers.length === 0 || numbers.length === words.length)
    return [first, ...others, textStage(words, everywhere, row => !isInTitle(row))]

  const numbered: Stage = {
    name: 'numbered',
    index: 'text_index',
    match: `${queryOf(numbers, ['title'])} AND ${queryOf(
      textTerms(words).filter(({ word }) => !isNumber(word)),
      everywhere,
    )}`,
    isNew: row => !isInTitle(row),
  }
  const texts = textStage(words, everywhere, row => !isInTitle(row) && !containsAll(row.title, numbers))
  return [first, numbered, ...others, texts]
}

function titleStages(words: readonly string[]): [Stage, ...Stage[]] {
  const whole = wholeTerms(words)
  const titles = { name: 'titles', index: 'title_index', match: queryOf(titleTerms(words)) } as const
  if (!isNumber(words.at(-1)!)) return [{ ...titles, isNew: () => true }]
  return [
    { name: 'exact', index: 'title_index', match: queryOf(whole), isNew: () => true },
    { ...titles, isNew: ({ title }) => !containsAll(title, whole) },
  ]
}

const textStage = (words: readonly string[], within: readonly string[], isNew: Stage['isNew']): Stage => ({
  name: 'texts',
  index: 'text_index',
  match: queryOf(textTerms(words), within),
  isNew,
})
