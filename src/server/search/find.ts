import type { SearchField } from '../../shared/api/search'
import { textOf } from '../feeds/notes-text'
import type { Store } from '../store'
import type { PodcastForUser } from '../store/podcasts'
import type { ChapterRow } from '../store/chapters'
import type { FoundEpisode, SearchFilter } from '../store/search'
import type { Viewer } from '../store/users'
import { holdsSome, snippetOf, textQuery, titleQuery, wordsOf } from './words'

export type Hit = { row: FoundEpisode; matchedIn: SearchField; snippet: string; startMs?: number }
/** Where words were said in an episode. */
export type Said = { transcriptId: string; startMs: number | null; snippet: string }
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
    return textHitOf(store, row, words, fields)
  }
}

/** The text in which the words stand, the notes first; where there are times, when. */
function textHitOf(store: Store, row: FoundEpisode, words: readonly string[], fields: ReadonlySet<SearchField>): Hit {
  const notes = textOf(row.notes)
  const inNotes = { row, matchedIn: 'notes' as const, snippet: snippetOf(notes, words) }
  if (fields.has('notes') && holdsAll(notes, words)) return inNotes
  const chapters = fields.has('chapters') && row.has_own_chapters ? store.chapters.of(row.id) : []
  const chapter = chapters.find(({ title }) => holdsAll(title, words))
  if (chapter) return chapterHitOf(row, chapter, words)
  const [said] = fields.has('transcripts') && row.transcripts !== null ? saidIn(store, row.id, words, 1) : []
  if (!said) {
    const part = chapters.find(({ title }) => holdsSome(title, words))
    return part ? chapterHitOf(row, part, words) : inNotes
  }
  return {
    row,
    matchedIn: 'transcripts',
    snippet: said.snippet,
    ...(said.startMs !== null && { startMs: said.startMs }),
  }
}

const chapterHitOf = (row: FoundEpisode, { title, start_ms }: ChapterRow, words: readonly string[]): Hit => ({
  row,
  matchedIn: 'chapters',
  snippet: snippetOf(title, words),
  startMs: start_ms,
})

/** The first places of an episode's transcript at which all of the words are said together, else some of them. */
function saidIn(store: Store, episodeId: number, words: readonly string[], most: number): Said[] {
  const here = store.documents.of(episodeId, 'transcript').find(document => document.state === 'parsed')
  if (!here) return []
  const spoken = store.documents.segmentsOf(here.id).filter(({ text }) => holdsSome(text, words))
  const together = spoken.filter(({ text }) => holdsAll(text, words))
  return (together.length > 0 ? together : spoken)
    .slice(0, most)
    .map(({ startMs, text }) => ({ transcriptId: here.uuid, startMs, snippet: snippetOf(text, words) }))
}

const MOST_PLACES = 3

/** Episodes in whose transcripts the words are, newest first, and where. */
export function findSaid(
  store: Store,
  viewer: Viewer,
  typed: string,
  podcastId: number | undefined,
  from: number,
  limit: number,
): { row: FoundEpisode; hits: Said[] }[] {
  const words = wordsOf(typed)
  const query = textQuery(words, ['transcript'])
  if (!query) return []
  return store.search
    .find(viewer, 'text_index', query, { podcastId }, from + limit)
    .slice(from)
    .map(row => ({ row, hits: saidIn(store, row.id, words, MOST_PLACES) }))
}

const holdsAll = (text: string, words: readonly string[]) => words.every(word => holdsSome(text, [word]))
