import { readBothWays } from './dates'
import type { ParsedItem } from './parsed-feed'

type Unsure = { place: number; dayFirst: number; monthFirst: number; hasHalf: boolean; isSlashed: boolean }

/** Weekdays from Sunday on, by their first three letters in the languages that write a date so. */
const weekdays = [
  'sun son dim dom',
  'mon lun seg',
  'tue die mar ter',
  'wed mit mer mie mié qua',
  'thu don jeu jue gio qui',
  'fri fre ven vie sex',
  'sat sam sab sáb',
]

/**
 * Decides whether `05/11/2026` is the fifth of November or the eleventh of May, for all items of a feed alike: by a
 * number above 12 or a weekday in any of its dates; failing these, the month comes first before AM and PM, and between
 * slashes in a feed in American English.
 */
export function createDateOrder(language: string | null) {
  const isAmerican = /^en[-_]us\b/.test(language ?? '')
  const unsure: Unsure[] = []
  let count = 0
  /** Dates that can only be read with the day first, less those with the month first. */
  let evidence = 0

  return {
    /** Notes the date of the next item as its feed writes it. */
    note(raw: string | null) {
      const place = count++
      const found = raw === null ? null : readBothWays(raw)
      if (!found) return
      const { dayFirst, monthFirst, hasHalf, isSlashed } = found
      const days = weekdaysIn(raw!)
      const [isByDay, isByMonth] = [dayFirst, monthFirst].map(
        at => at !== null && (days.length === 0 || days.includes(new Date(at.day).getUTCDay())),
      )
      if (isByDay !== isByMonth) evidence += isByDay ? 1 : -1
      if (dayFirst && monthFirst)
        unsure.push({ place, dayFirst: dayFirst.at, monthFirst: monthFirst.at, hasHalf, isSlashed })
    },
    /** Gives the items the dates that their feed means. */
    settle(items: readonly ParsedItem[]) {
      for (const { place, dayFirst, monthFirst, hasHalf, isSlashed } of unsure) {
        const item = items[place]
        const isMonthFirst = evidence < 0 || (evidence === 0 && (hasHalf || (isSlashed && isAmerican)))
        if (item) item.announcedAt = isMonthFirst ? monthFirst : dayFirst
      }
    },
  }
}

/** The days that the word in front of the digits may mean; none for a word that is not a weekday. */
function weekdaysIn(raw: string): number[] {
  const word = /^\p{L}{3}/u.exec(raw.trim())?.[0].toLowerCase()
  return word === undefined ? [] : weekdays.flatMap((names, day) => (names.split(' ').includes(word) ? [day] : []))
}
