import { collectGarbage } from '../../platform/garbage'

/** Rows that are read at once: a few milliseconds of work. */
export const PAGE = 250
/** Garbage that a row leaves behind, in bytes. */
const LEFT_BEHIND = 2000

/**
 * Reads a list page by page, each from the last row of the one before, and lets other work go first between them. Other
 * requests may change the list in the meantime.
 */
export async function* inPages<Row>(read: (last: Row | null, limit: number) => Row[]): AsyncGenerator<Row[]> {
  let last: Row | null = null
  for (;;) {
    const rows = read(last, PAGE)
    if (rows.length > 0) yield rows
    await rest(rows.length)
    if (rows.length < PAGE) return
    last = rows.at(-1)!
  }
}

/** Lets other work go first after some rows. */
export async function rest(rows: number) {
  collectGarbage(rows * LEFT_BEHIND)
  await new Promise(setImmediate)
}

/** Changes the rows of each page. */
export async function* mapPages<Row, To>(
  pages: AsyncIterable<readonly Row[]>,
  change: (row: Row) => To,
): AsyncGenerator<To[]> {
  for await (const page of pages) yield page.map(change)
}
