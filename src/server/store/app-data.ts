import type { Database } from 'bun:sqlite'

export const settingScopes = ['account', 'device', 'podcast', 'episode'] as const
export type SettingScope = (typeof settingScopes)[number]
/** The object of settings: the whole account (`of` is ''), a device, a podcast or an episode. */
export type SettingPlace = { userId: number; scope: SettingScope; of: string }

type SyncList = { name: string; title: string; feeds: readonly string[] }

/** Settings and lists that podcast apps store for their users. */
export const appDataStore = (db: Database) => ({
  settings: (place: SettingPlace): Record<string, unknown> =>
    Object.fromEntries(
      db
        .query<{ name: string; value: string }, SettingPlace>(
          'SELECT name, value FROM sync_setting WHERE user_id = $userId AND scope = $scope AND of = $of',
        )
        .all(place)
        .map(({ name, value }) => [name, JSON.parse(value)]),
    ),
  countSettings: (userId: number) =>
    db.query<{ count: number }, [number]>('SELECT count(*) AS count FROM sync_setting WHERE user_id = ?').get(userId)!
      .count,
  set(place: SettingPlace, name: string, value: unknown) {
    db.query(
      `INSERT INTO sync_setting VALUES ($userId, $scope, $of, $name, $value)
       ON CONFLICT DO UPDATE SET value = $value`,
    ).run({ ...place, name, value: JSON.stringify(value) })
  },
  unset(place: SettingPlace, name: string) {
    db.query('DELETE FROM sync_setting WHERE user_id = $userId AND scope = $scope AND of = $of AND name = $name').run({
      ...place,
      name,
    })
  },

  lists: (userId: number) =>
    db
      .query<{ name: string; title: string }, [number]>('SELECT name, title FROM sync_list WHERE user_id = ?')
      .all(userId),
  findList(userId: number, name: string): SyncList | null {
    const row = db
      .query<{ title: string; feeds: string }, [number, string]>(
        'SELECT title, feeds FROM sync_list WHERE user_id = ? AND name = ?',
      )
      .get(userId, name)
    return row && { name, title: row.title, feeds: JSON.parse(row.feeds) as string[] }
  },
  saveList(userId: number, { name, title, feeds }: SyncList) {
    db.query(
      `INSERT INTO sync_list VALUES ($userId, $name, $title, $feeds)
       ON CONFLICT DO UPDATE SET title = $title, feeds = $feeds`,
    ).run({ userId, name, title, feeds: JSON.stringify(feeds) })
  },
  removeList: (userId: number, name: string) =>
    db
      .query<{ name: string }, [number, string]>('DELETE FROM sync_list WHERE user_id = ? AND name = ? RETURNING name')
      .get(userId, name) !== null,
})
