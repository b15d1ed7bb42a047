// Every list and every search looks at every title of the library, and nearly always these are the same as last time.
const MOST_REMEMBERED = 20_000

const inOrder = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
const foldedTitles = new Map<string, string>()
let ranks = new Map<string, number>()

/** For comparing names as people do: without case and accents. */
export const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase()

export function foldedTitle(title: string): string {
  const known = foldedTitles.get(title)
  if (known !== undefined) return known
  if (foldedTitles.size >= MOST_REMEMBERED) foldedTitles.clear()
  const text = folded(title)
  foldedTitles.set(title, text)
  return text
}

/** In alphabetical order, numbers by their value. Titles that are the same to a reader stay as they are. */
export function sortByTitle<T extends { title: string }>(rows: readonly T[]): T[] {
  if (!rows.every(({ title }) => ranks.has(title))) rank(rows)
  return rows.toSorted((a, b) => ranks.get(a.title)! - ranks.get(b.title)!)
}

function rank(rows: readonly { title: string }[]) {
  const known = ranks.size < MOST_REMEMBERED ? [...ranks.keys()] : []
  const titles = [...new Set([...known, ...rows.map(({ title }) => title)])].sort(inOrder.compare)
  let place = 0
  ranks = new Map(
    titles.map((title, index) => {
      if (index > 0 && inOrder.compare(titles[index - 1]!, title) !== 0) place = index
      return [title, place]
    }),
  )
}
