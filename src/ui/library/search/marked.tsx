/** A text in which the matches of a search are marked: the beginnings of words that are the same. */
export function Marked({ text, words }: { text: string; words: string }) {
  return <>{partsOf(text, words).map(({ part, at, isMarked }) => (isMarked ? <mark key={at}>{part}</mark> : part))}</>
}

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

/** Splits a text into parts with and without a match. `words`: the words of the search; `at`: where a part begins. */
export function partsOf(text: string, words: string): { part: string; at: number; isMarked: boolean }[] {
  const wanted = wordsIn(words)
  if (wanted.length === 0) return [{ part: text, at: 0, isMarked: false }]
  // Plain and marked parts take turns, plain first.
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${wanted.join('|')})`, 'giu'))
  let end = 0
  return parts.map((part, index) => ({ part, at: (end += part.length) - part.length, isMarked: index % 2 === 1 }))
}

/** Whether each of the words begins a word of the text, accents aside. */
export function matches(text: string, words: string): boolean {
  const there = wordsIn(fold(text))
  return wordsIn(fold(words)).every(word => there.some(other => other.startsWith(word)))
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
