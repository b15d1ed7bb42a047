import type { Store } from '../store'
import { searchPlace, type SearchTexts } from '../store/search'
import type { FeedEpisode } from './digest'
import { searchedNotes } from './notes-text'

/** A transaction ends after so many characters. */
const MAX_COUNT = 200_000

type FreshTexts = { id: number; place: number } & SearchTexts

/**
 * Gathers the texts of episodes that a transaction adds, to put them into the search index at its end. That spares
 * reading and storing the rows again. It comes after all rows, since adding a row makes the index write down what it
 * has.
 */
export function gatherTexts() {
  const fresh: FreshTexts[] = []
  let length = 0
  return {
    add(id: number, publishedAt: number, { facts, chapters }: FeedEpisode) {
      const place = searchPlace(publishedAt, id)
      const notes = searchedNotes(facts)
      const titles = chapters?.list.map(({ title }) => title).join(' ') ?? ''
      fresh.push({ id, place, title: facts.title, notes, chapters: titles, transcript: '' })
      length += notes.length
    },
    /** Whether the transaction should end. */
    isFull: () => length > MAX_COUNT,
    index(store: Store) {
      for (const { id, place, ...texts } of fresh) store.search.put(id, place, texts)
    },
  }
}
