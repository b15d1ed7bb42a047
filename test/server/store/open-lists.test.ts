import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { migrations } from '../../../src/server/store/migrations'
import { openDatabase, schemaOf } from '../../../src/server/store/open'
import { temporaryFolder } from '../../support/app'

const before = migrations.findIndex(sql => sql.includes('RENAME COLUMN continue_with TO checked'))

const kinds = ['push', 'ntfy', 'gotify', 'apprise', 'webhook']
const types = ['Download', 'NewEpisodes', 'DownloadFailed', 'SignIn', 'RenewalReused', 'Attack', 'LiveStarted']
const ways = ['password', 'passkey', 'single-sign-on', 'proxy', 'key', null]

/** A library of the schema before, with every value that its checks allowed. Returns its path. */
function plantLibrary(): string {
  const path = join(temporaryFolder(), 'castellan.db')
  const db = new Database(path)
  db.run('PRAGMA foreign_keys = ON')
  for (const sql of migrations.slice(0, before)) db.run(sql)
  db.run(`PRAGMA user_version = ${before}`)
  db.run(`INSERT INTO user (uuid, username, name_key, role, created_at) VALUES ('u1', 'mara', 'mara', 'admin', 1),
            ('u2', 'jonas', 'jonas', 'user', 1), ('u3', 'ida', 'ida', 'user', 1), ('u4', 'per', 'per', 'user', 1)`)
  db.run(`INSERT INTO podcast (uuid, title, folder, added_at, feed_url, next_check_at) VALUES
            ('p1', 'One', 'One', 1, 'https://h.example/1', 1), ('p2', 'Two', 'Two', 1, 'https://h.example/2', 1),
            ('p3', 'Three', 'Three', 1, 'https://h.example/3', 1), ('p4', 'Four', 'Four', 1, 'https://h.example/4', 1)`)
  // The highest ids belong to rows that are gone: they must not be given again.
  for (const [index, kind] of [...kinds, 'webhook'].entries()) {
    db.query(
      `INSERT INTO destination (uuid, user_id, kind, name, host, target, has_token, events, is_on, quiet_from, quiet_to,
                time_zone, language, base_url, created_at, last_failure, last_status, has_ended, removed_at)
         VALUES (?, 1, ?, ?, 'h', x'0102', 1, '["newEpisodes"]', 1, 60, 90, 'UTC', 'en', 'http://h/', 5, 'refused', 503, ?, ?)`,
    ).run(`d${index}`, kind, kind, index % 2, index === 3 ? 9 : null)
    for (const type of ['newEpisodes', 'diskFull'])
      db.query(
        `INSERT INTO delivery (uuid, destination_id, type, facts, created_at, due_at, attempts, first_tried_at)
           VALUES (?, ?, ?, '{"a":1}', 3, 4, 2, 3)`,
      ).run(`y${index}${type}`, index + 1, type)
  }
  db.run("DELETE FROM destination WHERE uuid = 'd5'")
  for (const [index, type] of [...types, 'Attack'].entries())
    db.query(
      `INSERT INTO notification (uuid, user_id, type, message, created_at, dismissed, podcast_id, episode_count, batch)
         VALUES (?, 1, ?, 'm', 5, ?, 1, 3, 7)`,
    ).run(`n${index}`, type, index % 2)
  db.run("DELETE FROM notification WHERE uuid = 'n7'")
  for (const [index, way] of ways.entries())
    db.query(
      `INSERT INTO session (uuid, token_hash, user_id, epoch, kind, way, carries_api, remembered, keeps_password, device,
                address, created_at, seen_at, expires_at)
         VALUES (?, ?, 1, 1, 'browser', ?, 1, 0, 0, 'x', 'x', 1, 2, 3)`,
    ).run(`s${index}`, `h${index}`, way)
  for (const [index, choice] of ['nothing', 'podcast', 'playlist', 'newest'].entries())
    db.query('INSERT INTO queue (user_id, version, updated_at, continue_with) VALUES (?, 1, 1, ?)').run(
      index + 1,
      choice,
    )
  for (const [index, form] of ['smallest', 'video', 'audio', null].entries()) {
    db.query('INSERT INTO podcast_settings (podcast_id, preferred_form, user_agent) VALUES (?, ?, ?)').run(
      index + 1,
      form,
      'x',
    )
    db.query('INSERT INTO podcast_preference (user_id, podcast_id, queue_new, form) VALUES (1, ?, ?, ?)').run(
      index + 1,
      'front',
      form,
    )
  }
  db.run("INSERT INTO server_trouble VALUES ('diskFull', 5), ('backupFailed', 6)")
  db.close()
  writeFileSync(join(dirname(path), 'secret.key'), new Uint8Array(32))
  return path
}

const changed = ['destination', 'notification', 'session', 'queue', 'podcast_settings', 'podcast_preference']

/** Every row of the tables that change, of those that refer to them, and the next ids. */
function contentOf(db: Database) {
  const rows = (table: string) => db.query<Record<string, unknown>, []>(`SELECT * FROM ${table} ORDER BY 1, 2`).all()
  return Object.fromEntries(
    [...changed, 'delivery', 'server_trouble', 'user', 'sqlite_sequence'].map(table => [table, rows(table)]),
  )
}

function read(path: string) {
  const db = new Database(path)
  const content = contentOf(db)
  db.close()
  return content
}

test('lists that grow lose their checks, and nothing else', () => {
  const path = plantLibrary()
  const old = read(path)
  expect(old.destination!.map(({ kind }) => kind)).toEqual(kinds)
  expect(old.delivery).toHaveLength(2 * kinds.length)

  const db = openDatabase(path)
  // Later migrations add columns.
  expect(contentOf(db)).toMatchObject(old)
  expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
  expect(db.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])

  db.run("UPDATE destination SET kind = 'pigeon' WHERE id = 1")
  db.run("UPDATE notification SET type = 'Pigeon' WHERE id = 1")
  db.run("UPDATE session SET way = 'pigeon' WHERE id = 1")
  db.run("UPDATE queue SET continue_with = 'pigeons' WHERE user_id = 1")
  db.run("UPDATE podcast_settings SET preferred_form = 'pigeon' WHERE podcast_id = 1")
  db.run("UPDATE podcast_preference SET form = 'pigeon' WHERE podcast_id = 1")
  db.run("INSERT INTO server_trouble VALUES ('pigeonAway', 7)")
  db.run('DELETE FROM destination WHERE id = 2')
  expect(db.query('SELECT id FROM delivery WHERE destination_id = 2').all()).toEqual([])
  db.close()
})

test('an update that is cut short leaves the library as it was, and the next start finishes it', () => {
  const path = plantLibrary()
  const old = read(path)
  const db = new Database(path)
  db.run(`CREATE TRIGGER cut BEFORE UPDATE ON podcast_preference BEGIN SELECT RAISE(ABORT, 'cut short'); END`)
  db.close()
  expect(() => openDatabase(path)).toThrow('cut short')
  expect(schemaOf(path)).toBe(before)
  expect(read(path)).toEqual(old)

  const again = new Database(path)
  again.run('DROP TRIGGER cut')
  again.close()
  const opened = openDatabase(path)
  expect(contentOf(opened)).toMatchObject(old)
  opened.close()
})
