import type { Database } from 'bun:sqlite'
import type { Filter, FilterEdit } from '../../shared/api/podcast'

type FilterRow = { title: string | null; ascending: number; sort: Filter['filter']; only_favored: number }

/** The order and filter in which a user last looked at the podcasts. */
export const listFilters = (db: Database) => ({
  findFilter(userId: number): Omit<Filter, 'user_id'> | null {
    const row = db
      .query<FilterRow, [number]>('SELECT title, ascending, sort, only_favored FROM list_filter WHERE user_id = ?')
      .get(userId)
    return (
      row && {
        title: row.title,
        ascending: row.ascending === 1,
        filter: row.sort,
        only_favored: row.only_favored === 1,
      }
    )
  },
  setFilter(userId: number, { title = null, ascending, filter, only_favored }: FilterEdit) {
    db.query(
      `INSERT OR REPLACE INTO list_filter (user_id, title, ascending, sort, only_favored) VALUES (?, ?, ?, ?, ?)`,
    ).run(userId, title, Number(ascending), filter, Number(only_favored))
  },
})
