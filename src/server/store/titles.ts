// Every list and every search reads all titles of the library, which are nearly always those of the last time.
const MOST_REMEMBERED = 20_000

const foldedTitles = new Map<string, string>()
let ranks = new Map<string, number>()

/** Folds a text for comparison: without case and accents. */
export const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Folds a title, remembering the result. */
export function foldedTitle(title: string): string {
  const known = foldedTitles.get(title)
  if (known !== undefined) return known
  if (foldedTitles.size >= MOST_REMEMBERED) foldedTitles.clear()
  const text = folded(title)
  foldedTitles.set(title, text)
  return text
}

/** Sorts by title, numbers by their value. Titles that differ only in case or accents keep their order. */
export function sortByTitle<T extends { title: string }>(rows: readonly T[]): T[] {
  if (!rows.every(({ title }) => ranks.has(title))) rank(rows)
  return rows.toSorted((a, b) => ranks.get(a.title)! - ranks.get(b.title)!)
}

function rank(rows: readonly { title: string }[]) {
  const { compare } = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  const known = ranks.size < MOST_REMEMBERED ? [...ranks.keys()] : []
  const titles = [...new Set([...known, ...rows.map(({ title }) => title)])].sort(compare)
  let place = 0
  ranks = new Map(
    titles.map((title, index) => {
      if (index > 0 && compare(titles[index - 1]!, title) !== 0) place = index
      return [title, place]
    }),
  )
}
