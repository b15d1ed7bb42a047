import type { SearchField } from '../../shared/api/search'
import { textOf } from '../feeds/notes-text'
import type { Store } from '../store'
import type { PodcastForUser } from '../store/podcasts'
import type { ChapterRow } from '../store/chapters'
import type { FoundEpisode, SearchFilter } from '../store/search'
import type { Viewer } from '../store/visibility'
import { holdsAll, holdsSome, isNumber, queryOf, snippetOf, textTerms, titleTerms, wholeTerms, wordsOf } from './words'
import type { Term } from './words'

export type Hit = { row: FoundEpisode; matchedIn: SearchField; snippet: string; startMs?: number }
/** Where words were said in an episode. */
export type Said = { transcriptId: string; startMs: number | null; snippet: string }
export const stageNames = ['exact', 'numbered', 'titles', 'texts'] as const
/** Where the next page goes on: in which stage, and before which place of its index. */
export type SearchCursor = { stage: (typeof stageNames)[number]; before: number }
export type Found = { podcasts: PodcastForUser[]; episodes: Hit[]; next: SearchCursor | null }

const MOST_PODCASTS = 10
const columns: Partial<Record<SearchField, string>> = {
  notes: 'notes',
  chapters: 'chapters',
  transcripts: 'transcript',
}

/** What is looked for one after the other; `isNew`: whether no earlier stage has found it. */
type Stage = {
  name: SearchCursor['stage']
  index: 'title_index' | 'text_index'
  match: string
  isNew: (row: FoundEpisode) => boolean
}

/**
 * Podcasts by their names; episodes whose titles hold all the words, then those whose texts do, each newest first. A
 * rank by frequency would look at half the library for every common word, and people look for what is recent. Whoever
 * types a number means an episode by its number: titles that hold it come before those in which it only begins one.
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
  const stages = words.length === 0 ? [] : stagesOf(words, fields)
  const shown: FoundEpisode[] = []
  let next: SearchCursor | null = null
  const from = after ? stages.findIndex(({ name }) => name === after.stage) : 0
  for (const [place, { name, index, match, isNew }] of stages.entries()) {
    if (from === -1 || place < from || next) continue
    const before = after && place === from ? after.before : undefined
    const most = 2 * (limit - shown.length) + 1
    const rows = store.search.find(viewer, index, match, { ...filter, before }, most)
    for (const row of rows) {
      next = { stage: name, before: row.search_place + 1 }
      if (shown.length === limit) break
      if (isNew(row)) shown.push(row)
      next = rows.length === most ? { stage: name, before: row.search_place } : null
    }
  }
  return { podcasts: podcasts(), episodes: shown.map(hitOf), next }

  function podcasts(): PodcastForUser[] {
    if (!fields.has('podcasts') || words.length === 0 || after) return []
    return store.podcasts.findByTitle(viewer, words, MOST_PODCASTS)
  }

  function hitOf(row: FoundEpisode): Hit {
    const inTitle = titleTerms(words)
    if (fields.has('titles') && holdsAll(row.title, inTitle))
      return { row, matchedIn: 'titles', snippet: snippetOf(row.title, inTitle) }
    return textHitOf(store, row, textTerms(words), fields)
  }
}

function stagesOf(words: readonly string[], fields: ReadonlySet<SearchField>): Stage[] {
  const textColumns = [...fields].flatMap(field => columns[field] ?? [])
  const [whole, inTitle, inText] = [wholeTerms(words), titleTerms(words), textTerms(words)]
  const numbers = whole.filter(({ word }) => isNumber(word))
  const others = inText.filter(({ word }) => !isNumber(word))
  const endsInNumber = isNumber(words.at(-1)!)
  const titles: Stage = {
    name: 'titles',
    index: 'title_index',
    match: queryOf(inTitle),
    isNew: ({ title }) => !endsInNumber || !holdsAll(title, whole),
  }
  if (textColumns.length === 0 && !fields.has('titles')) return []
  // Words may be spread over title and text of an episode.
  const everywhere = fields.has('titles') ? ['title', ...textColumns] : textColumns
  const texts: Stage = { name: 'texts', index: 'text_index', match: queryOf(inText, everywhere), isNew: () => true }
  if (!fields.has('titles')) return [texts]

  const isInTitle = ({ title }: FoundEpisode) => holdsAll(title, inTitle)
  const exact: Stage = { name: 'exact', index: 'title_index', match: queryOf(whole), isNew: () => true }
  const byTitle = endsInNumber ? [exact, titles] : [titles]
  if (textColumns.length === 0) return byTitle
  texts.isNew = row => !isInTitle(row)
  if (numbers.length === 0 || others.length === 0) return [...byTitle, texts]
  const numbered: Stage = {
    name: 'numbered',
    index: 'text_index',
    match: `${queryOf(numbers, ['title'])} AND ${queryOf(others, everywhere)}`,
    isNew: row => !isInTitle(row),
  }
  texts.isNew = row => !isInTitle(row) && !holdsAll(row.title, numbers)
  return [byTitle[0]!, numbered, ...byTitle.slice(1), texts]
}

/** The text in which the words stand, the notes first; where there are times, when. */
function textHitOf(store: Store, row: FoundEpisode, words: readonly Term[], fields: ReadonlySet<SearchField>): Hit {
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

const chapterHitOf = (row: FoundEpisode, { title, start_ms }: ChapterRow, words: readonly Term[]): Hit => ({
  row,
  matchedIn: 'chapters',
  snippet: snippetOf(title, words),
  startMs: start_ms,
})

/** The first places of an episode's transcript at which all of the words are said together, else some of them. */
function saidIn(store: Store, episodeId: number, words: readonly Term[], most: number): Said[] {
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
export function searchTranscripts(
  store: Store,
  viewer: Viewer,
  typed: string,
  podcastId: number | undefined,
  from: number,
  limit: number,
): { row: FoundEpisode; hits: Said[] }[] {
  const words = textTerms(wordsOf(typed))
  if (words.length === 0) return []
  return store.search
    .find(viewer, 'text_index', queryOf(words, ['transcript']), { podcastId }, from + limit)
    .slice(from)
    .map(row => ({ row, hits: saidIn(store, row.id, words, MOST_PLACES) }))
}
