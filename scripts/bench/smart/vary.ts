import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/server/data-folder'

/** People of the library: one who plays as people do, one who has played everything, and one without consent. */
export const people = { usual: 1, tireless: 2, child: 3 }

/** A number that looks random but is the same for each run: the nth of an episode, below `most`. */
const mixed = (nth: number, most: number) => `(id * ${2_654_435_761 + 2 * nth} % 4294967291 / 7 % ${most})`

/**
 * Gives the episodes of a planted library all kinds of lengths, seasons and types, and people what they do with them.
 */
export function vary(folder: string) {
  const db = new Database(join(folder, DATABASE_FILE))
  db.run('PRAGMA journal_mode = WAL')
  const play = (user: number, finished: string, condition: string) =>
    db.run(`INSERT INTO playback (user_id, episode_id, podcast_id, started, position, total, finished, device, updated_at)
      SELECT ${user}, id, podcast_id, 0, 60, duration, ${finished}, 'webview', published_at + 86400000
        FROM episode WHERE ${condition}`)
  db.transaction(() => {
    db.run(`UPDATE episode SET
      duration = iif(${mixed(1, 20)} = 0, 0, 60 + ${mixed(2, 7000)}),
      season = iif(${mixed(3, 3)} = 0, 1 + ${mixed(4, 40)}, NULL),
      type = CASE WHEN ${mixed(5, 200)} = 0 THEN 'trailer' WHEN ${mixed(6, 100)} = 0 THEN 'bonus' ELSE 'full' END,
      explicit = ${mixed(7, 50)} = 0,
      announced_at = iif(${mixed(8, 97)} = 0, NULL, announced_at)`)
    db.run('UPDATE podcast SET explicit = id % 25 = 0')
    for (const [name, id] of Object.entries(people).slice(1))
      db.run(
        `INSERT INTO user (id, uuid, username, name_key, role, explicit_consent, created_at)
         VALUES (?1, ?2, ?2, ?2, 'user', ?3, 1)`,
        [id, name, id === people.child ? 0 : 1],
      )
    play(people.usual, `${mixed(9, 15)} <> 0`, 'podcast_id % 5 = 0')
    play(people.tireless, '1', '1')
    db.run(`INSERT INTO episode_like SELECT 1, id, published_at FROM episode WHERE ${mixed(10, 400)} = 0`)
    db.run('INSERT INTO favourite SELECT 1, id, 1 FROM podcast WHERE id % 12 = 0')
    db.run(`INSERT INTO tag (id, uuid, user_id, name, name_key, color, created_at)
            VALUES (1, 'news', 1, 'News', 'news', 'Red', 1)`)
    db.run('INSERT INTO podcast_tag (podcast_id, tag_id) SELECT id, 1 FROM podcast WHERE id % 48 = 0')
    db.run(`UPDATE episode SET file_path = id || '.mp3', file_size = 1, file_type = 'audio/mpeg', downloaded_at = published_at
             WHERE podcast_id % 10 = 0 AND ${mixed(11, 4)} = 0`)
  })()
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
