import { join } from 'node:path'
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { openStore } from '../../../src/server/store'
import { checkBackup } from '../../../src/server/store/backup'
import { migrations } from '../../../src/server/store/migrations'
import { newestSchema, openDatabase, schemaOf } from '../../../src/server/store/open'
import { temporaryFolder } from '../../support/app'

test('a database of a newer version is refused with a sentence, and left as it is', () => {
  const path = join(temporaryFolder(), 'castellan.db')
  openDatabase(path).close()
  const db = new Database(path)
  db.run('PRAGMA user_version = 999')
  db.close()
  expect(() => openDatabase(path)).toThrow(/schema 999.*newer version/)
})

test('an open database is in WAL mode with its foreign keys on', () => {
  const db = openDatabase(join(temporaryFolder(), 'castellan.db'))
  expect(db.query('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect(db.query('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 })
  db.close()
})

test('an index finds every row that refers to a row that is deleted', () => {
  const db = openDatabase(join(temporaryFolder(), 'castellan.db'))
  const references = db
    .query<{ child: string; condition: string }, []>(
      `SELECT t.name AS child, group_concat(f."from" || ' = ?', ' AND ' ORDER BY f.seq) AS condition
         FROM pragma_table_list t JOIN pragma_foreign_key_list(t.name) f GROUP BY t.name, f.id`,
    )
    .all()
  expect(references.length).toBeGreaterThan(60)
  const scanning = references.filter(({ child, condition }) => {
    const plan = db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN SELECT 1 FROM "${child}" WHERE ${condition}`)
    return plan
      .all()
      .some(({ detail }) => !/USING (COVERING )?(INDEX|INTEGER PRIMARY KEY)|USING PRIMARY KEY/.test(detail))
  })
  expect(scanning).toEqual([])
  db.close()
})

/** Rows that fit every schema. */
const rows = `
  INSERT INTO user (uuid, username, role, created_at) VALUES ('u', 'mara', 'admin', 1);
  INSERT INTO podcast (uuid, title, folder, added_at, added_by, feed_url, next_check_at)
       VALUES ('p', 'Fog', 'Fog', 1, 1, 'https://feeds.example/fog.xml', 1);
  INSERT INTO episode (uuid, eid, podcast_id, guid, title, enclosure_url, published_at, first_seen_at, digest, file_path)
       VALUES ('e', 'eid', 1, 'guid', 'One', 'https://cdn.example/1.mp3', 1, 1, 'd', 'Fog/One/One.mp3');
  INSERT INTO favourite (user_id, podcast_id, created_at) VALUES (1, 1, 1);
  INSERT INTO playback (user_id, episode_id, podcast_id, position, total, device, updated_at) VALUES (1, 1, 1, 5, 9, 'phone', 1);`

const shapeOf = (db: Database) =>
  db
    .query<{ name: string; columns: string }, []>(
      `SELECT name, (SELECT group_concat(c.name || c.type || c."notnull" || coalesce(c.dflt_value, '')) FROM pragma_table_info(s.name) c)
              AS columns
         FROM sqlite_schema s WHERE name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .all()

/** Databases of the first schemas, each made from the one before it. */
const ofSchemas: Uint8Array[] = []

/** Writes an empty database as the version with this schema left it. */
function writeDatabase(path: string, schema: number) {
  for (let next = ofSchemas.length; next <= schema; next++) {
    using db = next === 0 ? new Database(':memory:') : Database.deserialize(ofSchemas[next - 1]!)
    if (next > 0) db.run(migrations[next - 1]!)
    db.run(`PRAGMA user_version = ${next}`)
    ofSchemas.push(db.serialize())
  }
  writeFileSync(path, ofSchemas[schema]!)
}

function shapeOfNew() {
  using db = openDatabase(join(temporaryFolder(), 'castellan.db'))
  return shapeOf(db)
}
const newShape = shapeOfNew()

test.each(migrations.slice(1).map((_, index) => index + 1))(
  'a database of schema %i is backed up, brought up to date, and keeps what it holds',
  schema => {
    const folder = temporaryFolder()
    const path = join(folder, 'castellan.db')
    writeDatabase(path, schema)
    const old = new Database(path)
    old.run(rows)
    old.close()
    writeFileSync(join(folder, 'secret.key'), new Uint8Array(32))

    const db = openDatabase(path)
    expect(shapeOf(db)).toEqual(newShape)
    expect(db.query('PRAGMA foreign_key_check').all()).toEqual([])
    const held = db.query(
      `SELECT u.username, p.title AS podcast, p.episode_count, p.last_episode_title AS newest, e.title, e.file_path, h.position
         FROM playback h JOIN user u ON u.id = h.user_id JOIN episode e ON e.id = h.episode_id
         JOIN podcast p ON p.id = e.podcast_id JOIN favourite f ON f.podcast_id = p.id AND f.user_id = u.id`,
    )
    expect(held.all()).toEqual([
      {
        username: 'mara',
        podcast: 'Fog',
        episode_count: 1,
        newest: 'One',
        title: 'One',
        file_path: 'Fog/One/One.mp3',
        position: 5,
      },
    ])
    db.close()
    const [backup] = readdirSync(join(folder, 'backups'))
    expect(schemaOf(join(folder, 'backups', backup!))).toBe(schema)
    checkBackup(join(folder, 'backups', backup!), newestSchema)
  },
)

test('a copy of an older database is updated without a backup, which would hold the secret', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'castellan.db')
  writeDatabase(path, 1)
  openDatabase(path, { isCopy: true, secretKey: new Uint8Array(32) }).close()
  expect(schemaOf(path)).toBe(migrations.length)
  expect(existsSync(join(folder, 'backups'))).toBe(false)
})

test('without room for a backup, an older database is left as it is', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'castellan.db')
  writeDatabase(path, 1)
  writeFileSync(join(folder, 'backups'), '')
  expect(() => openDatabase(path)).toThrow(/could not be written/)
  expect(schemaOf(path)).toBe(1)
})

/** Measures the tables as another program would, so that each podcast seems to have one episode. */
function measure(path: string) {
  const db = new Database(path)
  db.run('ANALYZE')
  db.run('DELETE FROM sqlite_stat1')
  db.run("INSERT INTO sqlite_stat1 VALUES ('episode', NULL, '1'), ('podcast', NULL, '1')")
  db.close()
}

const statistics = "SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'"

test.each([
  ['of the schema before', 38],
  ['of this schema', newestSchema],
])('statistics in a database %s are removed before anything is planned with them', (_, schema) => {
  const folder = temporaryFolder()
  const path = join(folder, 'castellan.db')
  writeDatabase(path, schema)
  writeFileSync(join(folder, 'secret.key'), new Uint8Array(32))
  measure(path)

  const sql = 'EXPLAIN QUERY PLAN SELECT 1 FROM podcast p JOIN episode e ON e.podcast_id = p.id WHERE p.explicit = 0'
  const fresh = openDatabase(join(temporaryFolder(), 'castellan.db'))
  const misled = new Database(path)
  expect(misled.query(sql).all()).not.toEqual(fresh.query(sql).all())
  misled.close()
  const db = openDatabase(path)
  expect(db.query(statistics).all()).toEqual([])
  expect(db.query(sql).all()).toEqual(fresh.query(sql).all())
  db.close()
  fresh.close()
})

test('statistics that cannot be removed now do not keep a library from opening', () => {
  const path = join(temporaryFolder(), 'castellan.db')
  openDatabase(path).close()
  measure(path)
  const other = new Database(path)
  other.run('BEGIN IMMEDIATE')
  openDatabase(path).close()
  other.run('ROLLBACK')
  openDatabase(path).close()
  expect(other.query(statistics).all()).toEqual([])
  other.close()
})

test('a library that is closed keeps no statistics', () => {
  const path = join(temporaryFolder(), 'castellan.db')
  const store = openStore(path)
  store.users.add({ username: 'mara', role: 'admin', explicit_consent: 1 }, 1)
  store.users.list()
  store.close()
  const db = new Database(path)
  expect(db.query(statistics).all()).toEqual([])
  db.close()
})
