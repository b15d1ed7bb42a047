import type { SearchField } from '../../shared/api/search'
import type { FoundEpisode, SearchIndex } from '../store/search'
import { containsAll, isNumber, queryOf, textTerms, titleTerms, wholeTerms } from './words'

// Why: docs/internals/decisions/0010

export const stageNames = ['exact', 'numbered', 'titles', 'texts'] as const
export type StageName = (typeof stageNames)[number]

/** One of several searches in a row, newest episodes first. `isNew`: no earlier stage has found the episode. */
export type Stage = {
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
export function stagesOf(words: readonly string[], fields: ReadonlySet<SearchField>): Stage[] {
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
