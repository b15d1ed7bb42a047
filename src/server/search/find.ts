import type { SearchField } from '../../shared/api/search'
import type { Store } from '../store'
import type { PodcastForUser } from '../store/podcasts'
import type { FoundEpisode, SearchFilter } from '../store/search'
import type { Viewer } from '../store/users'
import { holdsSome, snippetOf, textOf, textQuery, titleQuery, wordsOf } from './words'

export type Hit = { row: FoundEpisode; matchedIn: SearchField; snippet: string }
/** Where the next page goes on: in which index, and before which place of it. */
export type SearchCursor = { index: 'titles' | 'texts'; before: number }
export type Found = { podcasts: PodcastForUser[]; episodes: Hit[]; next: SearchCursor | null }

const MOST_PODCASTS = 10
const columns: Partial<Record<SearchField, string>> = {
  notes: 'notes',
  chapters: 'chapters',
  transcripts: 'transcript',
}

/**
 * Podcasts by their names; episodes whose titles hold all the words, then those whose texts do, each newest first. A
 * rank by frequency would look at half the library for every common word, and people look for what is recent.
 */
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
  const inTitles = fields.has('titles') ? titleQuery(words) : null
  const textColumns = [...fields].flatMap(field => columns[field] ?? [])
  // Words may be spread over title and text of an episode.
  const wanted = inTitles ? ['title', ...textColumns] : textColumns
  const inTexts = textColumns.length > 0 ? textQuery(words, wanted) : null

  const titled =
    inTitles && after?.index !== 'texts'
      ? store.search.find(viewer, 'title_index', inTitles, { ...filter, before: after?.before }, limit + 1)
      : []
  if (titled.length > limit) {
    const shown = titled.slice(0, limit)
    const next = { index: 'titles' as const, before: shown.at(-1)!.search_place }
    return { podcasts: podcasts(), episodes: shown.map(hitOf), next }
  }
  const room = limit - titled.length
  const before = after?.index === 'texts' ? after.before : undefined
  const texted = inTexts ? store.search.find(viewer, 'text_index', inTexts, { ...filter, before }, room * 2 + 1) : []
  const shown: FoundEpisode[] = []
  let last = Number.MAX_SAFE_INTEGER
  let isLonger = texted.length > room * 2
  for (const row of texted) {
    if (shown.length === room) {
      isLonger = true
      break
    }
    last = row.search_place
    // What was shown for its title is not shown again.
    if (!inTitles || !holdsAll(row.title, words)) shown.push(row)
  }
  return {
    podcasts: podcasts(),
    episodes: [...titled, ...shown].map(hitOf),
    next: isLonger ? { index: 'texts', before: last } : null,
  }

  function podcasts(): PodcastForUser[] {
    if (!fields.has('podcasts') || words.length === 0 || after) return []
    return store.podcasts.findByTitle(viewer, words, MOST_PODCASTS)
  }

  function hitOf(row: FoundEpisode): Hit {
    if (inTitles && holdsAll(row.title, words))
      return { row, matchedIn: 'titles', snippet: snippetOf(row.title, words) }
    return { row, matchedIn: 'notes', snippet: snippetOf(textOf(row.notes), words) }
  }
}

const holdsAll = (text: string, words: readonly string[]) => words.every(word => holdsSome(text, [word]))
