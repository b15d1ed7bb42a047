import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSource } from '../../../src/server/moving/read-source'
import { createStartReader } from '../../../src/server/start-reader'
import { temporaryFolder } from '../../support/app'
import { writeAntennapod } from '../../support/foreign/antennapod'
import { writeZip, type ZipContent } from '../../support/foreign/zip'
import { changed, origin, startServer } from './hostile'

const MEGABYTE = 1024 * 1024

/** Uploads a file as somebody who may do nothing but listen; returns what became of it. */
async function bring(path: string) {
  await using server = await startServer()
  const { state, message } = await server.isRead(server.bob, await server.upload(server.bob, path))
  if (state === 'failed') expect(server.left()).toEqual([])
  return { state, message }
}

/** A file of AntennaPod whose table of favourites is another one. */
const withFavourites = (sql: string) => changed(`DROP TABLE Favorites; ${sql}`)

const formula = 'hex(zeroblob(9000))'
const twoRows = 'INSERT INTO Favorites (id, feeditem) VALUES (1, 1), (2, 2)'

test.each([
  ['computed when read', `bomb TEXT AS (${formula}) VIRTUAL); ${twoRows}`],
  ['stored', `bomb TEXT AS (${formula}) STORED); ${twoRows}`],
  ['in a strict table', `bomb TEXT AS (${formula}) VIRTUAL NOT NULL) STRICT; ${twoRows}`],
])('a column that is a formula is refused before it is computed: %s', async (_, column) => {
  const path = withFavourites(`CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, ${column}`)
  const { state, message } = await bring(path)
  expect([state, message]).toEqual([
    'failed',
    expect.stringContaining('The column bomb of the table Favorites is a formula.'),
  ])
})

const forever = 'WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x AS id, x AS feeditem FROM r'

test.each([
  ['a strict table', 'CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER) STRICT'],
  [
    'a check',
    `CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER CHECK (length(${formula}) > feeditem))`,
  ],
  ['an index of a formula', `CREATE TABLE Favorites (id, feeditem); CREATE INDEX i ON Favorites (${formula})`],
  ['a partial index', `CREATE TABLE Favorites (id, feeditem); CREATE INDEX i ON Favorites (id) WHERE ${formula} > id`],
  ['a view without end', `CREATE VIEW Favorites AS ${forever}`],
  [
    'a search index over a view without end',
    `CREATE VIEW v AS ${forever}; CREATE VIRTUAL TABLE Favorites USING fts5(id, feeditem, content = 'v', content_rowid = 'id')`,
  ],
  ['a search index', 'CREATE VIRTUAL TABLE Favorites USING fts5(id, feeditem); INSERT INTO Favorites VALUES (1, 1)'],
  ['a trigger', `CREATE TABLE Favorites (id, feeditem); CREATE TRIGGER t AFTER INSERT ON Feeds BEGIN SELECT 1; END`],
])('what a file may hold besides tables is never used: %s', async (_, sql) => {
  expect(await bring(withFavourites(sql))).toEqual({ state: 'ready', message: null })
})

/** Writes over a file what SQLite itself would refuse to. */
function overwrite(path: string, change: (bytes: Buffer) => void) {
  const bytes = readFileSync(path)
  change(bytes)
  writeFileSync(path, bytes)
  return path
}

test('a table whose entry says something else than a table is none', async () => {
  const columns = `(id, feeditem, ${'x'.repeat(60)})`
  const path = withFavourites(`CREATE TABLE Favorites ${columns}; INSERT INTO Favorites (id, feeditem) VALUES (0, 3)`)
  const entry = `CREATE TABLE Favorites ${columns}`
  const lie = 'CREATE VIRTUAL TABLE Favorites USING dbstat'
  overwrite(path, bytes => bytes.write(lie.padEnd(entry.length), bytes.indexOf(entry)))
  expect(await bring(path)).toEqual({ state: 'ready', message: null })
})

test('damage in a table that nobody reads keeps nobody from reading the others', async () => {
  const mark = 'where the damage is'
  const damaged = (sql: string) =>
    overwrite(changed(sql), bytes => {
      const page = Math.floor(bytes.indexOf(mark) / 4096) * 4096
      bytes.fill(0xff, page, page + 100)
    })
  expect(await bring(damaged(`CREATE TABLE other (x); INSERT INTO other VALUES ('${mark}')`))).toEqual({
    state: 'ready',
    message: null,
  })
  expect(await bring(damaged(`UPDATE Queue SET feeditem = '${mark}'`))).toEqual({
    state: 'failed',
    message: expect.stringMatching(/damaged|cannot be read/),
  })
})

test('a value too large to be one is not even loaded', async () => {
  const path = changed(`UPDATE FeedItems SET title = zeroblob(${20 * MEGABYTE}), description = title WHERE id < 3`)
  expect(await bring(path)).toEqual({ state: 'ready', message: null })
})

test.skipIf(process.platform !== 'linux')('a key too large for the memory of an import refuses the file', async () => {
  await using server = await startServer({ memoryBytes: 64 * MEGABYTE })
  const path = changed(`CREATE TABLE other (id, feeditem); DROP TABLE Favorites; ALTER TABLE other RENAME TO Favorites;
    INSERT INTO Favorites VALUES (zeroblob(${100 * MEGABYTE}), zeroblob(${100 * MEGABYTE}))`)
  const { state, message } = await server.isRead(server.bob, await server.upload(server.bob, path))
  expect([state, message]).toEqual(['failed', expect.stringContaining('needs more')])
  expect(server.left()).toEqual([])
})

test('a file of two gigabytes that are not there is read as what is there', async () => {
  const path = writeAntennapod(join(temporaryFolder(), 'source'), origin)
  truncateSync(path, 2 * 1024 ** 3)
  const opening = { path, from: null, now: Date.now(), isChecked: false }
  const open = await readSource(createStartReader(temporaryFolder()), opening, new AbortController().signal)
  expect((await open.items().next()).value).toMatchObject({ is: 'podcast' })
  await open.close()
})

test('a file whose pages have another size than it says is refused', async () => {
  const path = changed('')
  const bytes = readFileSync(path)
  for (const size of [512, 3000, 1, 32_768]) {
    bytes.writeUInt16BE(size, 16)
    writeFileSync(path, bytes)
    expect(await bring(path)).toEqual({ state: 'failed', message: expect.stringMatching(/damaged|cannot be read/) })
  }
})

test('a link names nothing, in an archive as on the server', async () => {
  const archive = writeZip(join(temporaryFolder(), 'linked.zip'), [{ name: 'AntennaPod.db', content: '/etc/passwd' }])
  // The mark of a link in the attributes of its entry, as Info-ZIP sets it.
  const bytes = readFileSync(archive)
  bytes.writeUInt32LE(0o120777 * 65_536, bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 38)
  writeFileSync(archive, bytes)
  expect(await bring(archive)).toMatchObject({ state: 'failed', message: expect.stringContaining('is not one of') })

  await using server = await startServer()
  const link = join(temporaryFolder(), 'AntennaPod.db')
  symlinkSync(join(server.app.folder, 'secret.key'), link)
  const { id } = await server.root.start({ path: link })
  expect(await server.isRead(server.root, id)).toMatchObject({ state: 'failed' })
  expect(server.left()).toEqual([])
})

/** The journal of a program that was stopped while it wrote: it names another file, which SQLite would read and remove. */
function journalNaming(path: string): Buffer {
  const name = Buffer.from(path)
  const tail = Buffer.alloc(4 + name.length + 16)
  tail.writeUInt32BE(0x40000000 / 4096 + 1, 0)
  name.copy(tail, 4)
  tail.writeUInt32BE(name.length, 4 + name.length)
  tail.writeUInt32BE(
    name.reduce((sum, byte) => (sum + byte) >>> 0, 0),
    8 + name.length,
  )
  tail.writeBigUInt64BE(0xd9d505f920a163d7n, 12 + name.length)
  return Buffer.concat([Buffer.alloc(512, 7), tail])
}

test('a journal that names a file is refused, and the file stays', async () => {
  const victim = join(temporaryFolder(), 'victim')
  writeFileSync(victim, 'precious')
  const archive = writeZip(join(temporaryFolder(), 'journal.zip'), [
    { name: 'AntennaPod.db', content: readFileSync(changed('')) },
    { name: 'AntennaPod.db-journal', content: journalNaming(victim) },
  ])
  expect(await bring(archive)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('several databases at once'),
  })
  expect(readFileSync(victim, 'utf8')).toBe('precious')
})

test('a log beside a database brings no formula in, and one of noise brings nothing', async () => {
  const path = writeAntennapod(join(temporaryFolder(), 'AntennaPod.db'), origin)
  const db = new Database(path)
  db.run('PRAGMA journal_mode = WAL')
  db.run('PRAGMA wal_autocheckpoint = 0')
  db.run(`ALTER TABLE Favorites ADD COLUMN bomb TEXT AS (${formula}) VIRTUAL`)
  const content = readFileSync(path)
  const log = readFileSync(`${path}-wal`)
  db.close()
  const pack = (wal: Uint8Array) =>
    writeZip(join(temporaryFolder(), 'logged.zip'), [
      { name: 'AntennaPod.db', content },
      { name: 'AntennaPod.db-wal', content: wal },
    ])
  expect(await bring(pack(log))).toMatchObject({ state: 'failed', message: expect.stringContaining('is a formula') })
  expect(await bring(pack(log.map(byte => byte ^ 0x5a)))).toMatchObject({ state: 'ready' })
})

test('an archive with all of it is refused as a whole', async () => {
  const bomb = readFileSync(withFavourites(`CREATE TABLE Favorites (id, feeditem, x TEXT AS (${formula}))`))
  const all = ['one.db', 'two.db', 'three.db'].map(name => ({ name, content: bomb }))
  const zeros = { name: 'AntennaPod.opml', content: new Uint8Array(80 * MEGABYTE) }
  const pack = (contents: ZipContent[]) => writeZip(join(temporaryFolder(), 'all.zip'), contents)
  expect(await bring(pack(all))).toMatchObject({ message: expect.stringContaining('several databases') })
  expect(await bring(pack([all[0]!, zeros]))).toMatchObject({ message: expect.stringContaining('more than 67108864') })
  const database = { name: 'AntennaPod.db', content: new Uint8Array(80 * MEGABYTE) }
  expect(await bring(pack([database]))).toMatchObject({ message: expect.stringContaining('that is not a library') })
})
