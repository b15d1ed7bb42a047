import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../src/server/data-folder'
import { MOVE_LOCK } from '../../src/server/downloads/media-move'
import { BALLAST_FILE } from '../../src/server/platform/room'
import { BACKUP_FOLDER, readBackupName, SECRET_FILE } from '../../src/server/store/backup'
import { isGrowing } from '../../src/server/store/removals'
import { wrongCountsOf } from './keyed-rows'

/** Columns that remember what was there, whatever became of it. */
const remembered = /^move_change\.(user|podcast|episode|other)_id$/
/** Columns whose ids are not ours. */
const foreign = /^(play_session\.device|passkey\.credential|download\.boot)_id$/

/** Tables whose rows belong to an episode, and repeat the id of its podcast. */
const repeatsPodcast = new Set(['playback', 'new_episode'])

/** A column that names a row of another table. */
type Reference = { table: string; column: string; parent: string }

/**
 * Lists in sentences what is wrong in the data folder of a server that was stopped: rows that refer to nothing, files
 * that no row claims, claimed files that are missing, and copies of the secret. Expected is what a removal has not
 * deleted yet, and what a download or an import needs to continue.
 */
export function inventoryOf(data: string, media = join(data, 'podcasts')): string[] {
  return [...rowsWithout(data), ...filesOf(data, media), ...secretsIn(data, media)]
}

/** Lists rows that refer to nothing, and counts that are wrong. Holds at any instant, after a kill too. */
export function rowsWithout(data: string): string[] {
  using db = open(data)
  // One state of the library, even while its server writes.
  db.run('BEGIN')
  return [
    ...column(db, 'PRAGMA integrity_check')
      .filter(line => line !== 'ok')
      .map(line => `the database is damaged: ${line}`),
    ...referencesOf(db).flatMap(reference => orphansOf(db, reference)),
    ...removalsOf(db),
    ...searchTextsOf(db),
    ...column(db, wrongFigures).map(id => `podcast ${id} has other episodes or files than it counts`),
    ...wrongCountsOf(data).map(row => `wrong counts of what was played: ${JSON.stringify(row)}`),
  ]
}

const open = (data: string) => new Database(join(data, DATABASE_FILE), { readonly: true })

const column = (db: Database, sql: string) =>
  db
    .query<Record<string, unknown>, []>(sql)
    .all()
    .map(row => String(Object.values(row)[0]))

/** All columns that name rows: by foreign keys, and those that are named `…_id` without one. */
function referencesOf(db: Database): Reference[] {
  const tables = column(db, `SELECT name FROM sqlite_schema WHERE type = 'table'`)
  return tables.flatMap(table => {
    const keys = db
      .query<{ table: string; from: string }, []>(`PRAGMA foreign_key_list(${table})`)
      .all()
      .map(({ table: parent, from }) => ({ table, column: from, parent }))
    const named = column(db, `SELECT name FROM pragma_table_info('${table}')`)
      .filter(name => name.endsWith('_id') && !keys.some(key => key.column === name))
      .filter(name => !remembered.test(`${table}.${name}`) && !foreign.test(`${table}.${name}`))
      .map(name => ({ table, column: name, parent: name.slice(0, -'_id'.length) }))
      // The row that a removal names is gone: see below.
      .filter(({ column }) => table !== 'removal' || column !== 'row_id')
    return [...keys, ...named]
  })
}

function orphansOf(db: Database, { table, column: name, parent }: Reference): string[] {
  const isLeft =
    // Episodes outlive their podcast while it is being removed, and so do the rows that repeat its id.
    isGrowing(parent, table) || (parent === 'podcast' && repeatsPodcast.has(table))
      ? `AND ${name} NOT IN (SELECT row_id FROM removal WHERE of_table = '${parent}')`
      : ''
  const ids = column(
    db,
    `SELECT DISTINCT ${name} FROM ${table} x
      WHERE ${name} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${parent} WHERE id = x.${name}) ${isLeft} LIMIT 3`,
  )
  return ids.map(id => `rows of ${table} refer to the ${parent} ${id}, which is gone`)
}

const removalsOf = (db: Database) =>
  db
    .query<{ of_table: string; row_id: number }, []>('SELECT of_table, row_id FROM removal')
    .all()
    .filter(({ of_table, row_id }) => db.query(`SELECT 1 FROM ${of_table} WHERE id = ?`).get(row_id) !== null)
    .map(({ of_table, row_id }) => `the ${of_table} ${row_id} is being removed, and still here`)

const searchTextsOf = (db: Database) =>
  ['title_index', 'text_index'].flatMap(index => {
    const strays = column(
      db,
      `SELECT id FROM ${index}_docsize WHERE id NOT IN (SELECT search_place FROM episode WHERE search_place IS NOT NULL)`,
    )
    return strays.length > 0 ? [`${index} has ${strays.length} texts of episodes that are gone`] : []
  })

const wrongFigures = `
  SELECT id FROM podcast p JOIN (
    SELECT podcast_id, count(*) AS episodes, count(file_path) AS files,
           sum(iif(file_path IS NULL, 0, coalesce(file_size, 0))) AS bytes
      FROM episode GROUP BY podcast_id) e ON e.podcast_id = p.id
   WHERE p.episode_count <> e.episodes OR p.file_count <> e.files OR p.file_bytes <> e.bytes`

/** Compares files with the rows that claim them, both ways. Media of a bucket are left out. */
function filesOf(data: string, media: string): string[] {
  using db = open(data)
  const paths = (sql: string) => new Set(column(db, sql))
  const needed = paths(`
    SELECT file_path FROM episode WHERE file_path IS NOT NULL AND file_storage = 'folder'
     UNION ALL SELECT path FROM kept_file WHERE storage = 'folder'`)
  const allowed = paths(`
    SELECT path FROM sidecar UNION ALL SELECT path FROM forgotten_file WHERE storage = 'folder'
     UNION ALL SELECT path FROM media_copy WHERE storage = 'folder'
     UNION ALL SELECT target_path FROM download WHERE target_path IS NOT NULL`)
  const downloading = column(
    db,
    `SELECT eid FROM download JOIN episode e ON e.id = episode_id WHERE state NOT IN ('done', 'failed')`,
  )
  const covers = paths('SELECT digest FROM cover WHERE digest IS NOT NULL')
  const clips = paths('SELECT uuid FROM clip')
  const moves = paths(`SELECT uuid FROM move WHERE state NOT IN ('done', 'failed') AND undo IS NULL`)

  const isClaimed = (path: string): boolean => {
    const [top, name = '', file = ''] = path.split('/')
    if (top === BACKUP_FOLDER) return readBackupName(name) !== null
    if (top === 'covers') return covers.has(file.split(/[.-]/, 1)[0]!)
    if (top === 'clips') return clips.has(name)
    if (top === 'moving') return moves.has(name)
    return infrastructure.has(path)
  }
  const isClaimedMedium = (path: string) =>
    needed.has(path) ||
    allowed.has(path) ||
    path === '.castellan' ||
    (path.startsWith('.partial/') && downloading.some(eid => path.startsWith(`.partial/${eid}`)))

  const stored = listBelow(media)
  const around = listBelow(data).filter(path => !join(data, path).startsWith(`${media}/`))
  // Covers are deleted before their rows.
  const shown = paths('SELECT digest FROM cover WHERE digest IS NOT NULL AND podcast_id IN (SELECT id FROM podcast)')
  const missing = [
    ...needed.difference(new Set(stored)),
    ...[...shown].map(digest => join('covers', digest.slice(0, 2), digest)).filter(isMissingIn(data)),
    ...[...clips].map(uuid => join('clips', uuid)).filter(isMissingIn(data)),
  ]
  return [
    ...around.filter(path => !isClaimed(path)).map(path => `${path} belongs to nothing`),
    ...stored.filter(path => !isClaimedMedium(path)).map(path => `${path} belongs to no episode`),
    ...missing.map(path => `${path} is claimed by a row, and missing`),
  ]
}

const infrastructure = new Set([
  ...['', '-wal', '-shm'].map(ending => DATABASE_FILE + ending),
  'castellan.lock',
  SECRET_FILE,
  BALLAST_FILE,
  MOVE_LOCK,
])

const isMissingIn = (data: string) => (path: string) => !existsSync(join(data, path))

const listBelow = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => !entry.isDirectory())
        .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    : []

/** Files besides its own and the backups that hold the secret: as bytes, as hex, or as a part of base64. */
function secretsIn(data: string, media: string): string[] {
  const path = join(data, SECRET_FILE)
  if (!existsSync(path)) return []
  const forms = formsOf(readFileSync(path))
  const files = new Set([data, media].flatMap(folder => listBelow(folder).map(name => join(folder, name))))
  return [...files]
    .filter(file => file !== path && !file.startsWith(join(data, BACKUP_FOLDER)))
    .filter(file => {
      const bytes = readFileSync(file)
      return forms.some(form => bytes.includes(form))
    })
    .map(file => `${file} holds the secret`)
}

function formsOf(secret: Buffer): Buffer[] {
  const hex = secret.toString('hex')
  // Within longer base64 the text depends on where it begins; the digits at both ends have bits of others.
  const digits = [0, 1, 2].map(shift =>
    Buffer.concat([Buffer.alloc(shift), secret])
      .toString('base64')
      .slice(4, -4),
  )
  const texts = [
    hex,
    hex.toUpperCase(),
    ...digits,
    ...digits.map(text => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
  return [secret, ...texts.map(text => Buffer.from(text))]
}
