import type { SearchField } from '../../shared/api/search'
import type { Store } from '../store'
import type { ListedPodcast } from '../store/podcasts'
import type { FoundEpisode, FoundPerson, SearchFilter } from '../store/search'
import type { Viewer } from '../store/visibility'
import { type Hit, hitOf } from './hits'
import { type Stage, type StageName, stagesOf } from './stages'
import { queryOf, titleTerms, wordsOf } from './words'

// Why: docs/internals/decisions/0010

/** Start of the next page: its stage, and the index place below which it begins. */
export type SearchCursor = { stage: StageName; before: number }
export type Found = { podcasts: ListedPodcast[]; people: FoundPerson[]; episodes: Hit[]; next: SearchCursor | null }

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
