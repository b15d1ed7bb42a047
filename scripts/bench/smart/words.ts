import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/server/data-folder'

const COUNTED = 2000

/** Words of the titles of a library: one that few have, one that many have, and the one that most have. */
export function wordsOfTitles(folder: string): Record<'rare' | 'usual' | 'common', string> {
  const db = new Database(join(folder, DATABASE_FILE), { readonly: true })
  const titles = db.query<{ title: string }, []>(`SELECT title FROM episode WHERE id % 100 = 0 LIMIT ${COUNTED}`).all()
  db.close()
  const counts = new Map<string, number>()
  for (const { title } of titles)
    for (const word of new Set(title.toLowerCase().match(/\p{L}+/gu))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  const closest = (share: number) =>
    sorted.toSorted(([, a], [, b]) => Math.abs(a - share * titles.length) - Math.abs(b - share * titles.length))[0]![0]
  return { rare: closest(0.0005), usual: closest(0.02), common: sorted[0]![0] }
}
