import { renameSync, rmSync, statSync } from 'node:fs'
import { isSqlite, logs, mergeLog, MOST_BYTES, MOST_LIST } from './copy-source'
import { MoveRefused } from './refused'
import { readDirectory, type ZipEntry, type ZipFile } from './zip/directory'
import { labelOf, unpackText, unpackTo } from './zip/unpack'

/** The names of databases, as the programs or their backups call them. */
const databases = new Set([
  'absdatabase.sqlite',
  'podcastAddict.db',
  'pocketcasts',
  'MTLibrary.sqlite',
  'podcast.db',
  'podgrab.db',
  'database.db3',
  'Database',
])
/** Endings of databases with other names. */
const databaseEnding = /\.(?:db|db3|sqlite|sqlite3)$/i
/** Pocket Casts calls its list `podcasts_opml.xml`. */
const listEnding = /[._]opml(?:\.xml)?$/i
/** A document of everything, also that of our archives. */
const documentEnding = /\.portcast\.json$/i

const MOST_TEXT = 16 * 1024 * 1024

export type Archive = {
  /** The document of everything that was in it, else the database, else the list. */
  path: string
  /** The list of feeds that lay in it; null = none or several. */
  listPath: string | null
  /** Reads a small file of exactly this name, in whatever folder; null where there is not one. Throws `MoveRefused`. */
  readText: (name: string) => Promise<string | null>
}

export const isArchive = (head: string) => head.startsWith('PK\u0003\u0004') || head.startsWith('PK\u0005\u0006')

/**
 * Unpacks the one database of an archive next to it, under our own name, with its log. No name of the archive
 * becomes a path. Throws `MoveRefused` and `ForeignDatabaseError`.
 */
export async function openArchive(path: string): Promise<Archive> {
  const zip = { path, size: statSync(path).size }
  const entries = readDirectory(zip)
  const document = findOnly(entries, entry => documentEnding.test(labelOf(entry)))
  const database = document ?? findDatabase(entries)
  const list = findOnly(entries, entry => listEnding.test(labelOf(entry)))
  if (!database && !list) throw new MoveRefused('The archive holds no database and no list of feeds')
  const listPath = list ? await unpackBeside(zip, list, 'list-inside', MOST_LIST) : null
  return {
    path: database ? await unpackDatabase(zip, entries, database) : listPath!,
    listPath,
    async readText(name) {
      const entry = findOnly(entries, one => labelOf(one) === name)
      return entry ? unpackText(zip, entry, MOST_TEXT) : null
    },
  }
}

async function unpackDatabase(zip: ZipFile, entries: readonly ZipEntry[], database: ZipEntry): Promise<string> {
  const path = await unpackBeside(zip, database, 'inside', MOST_BYTES)
  for (const ending of logs) {
    rmSync(path + ending, { force: true })
    const log = findOnly(entries, entry => entry.name === database.name + ending && entry.size > 0)
    if (log) await unpackBeside(zip, log, `inside${ending}`, MOST_BYTES)
  }
  if (isSqlite(path)) mergeLog(path)
  return path
}

/** Unpacks an entry next to the archive. A reader of an earlier opening keeps its file. */
async function unpackBeside(zip: ZipFile, entry: ZipEntry, ending: string, mostBytes: number): Promise<string> {
  await unpackTo(zip, entry, `${zip.path}-part`, mostBytes)
  renameSync(`${zip.path}-part`, `${zip.path}-${ending}`)
  return `${zip.path}-${ending}`
}

/** Finds the database by its name, else by its ending. Throws `MoveRefused` for several. */
function findDatabase(entries: readonly ZipEntry[]): ZipEntry | null {
  const named = entries.filter(entry => databases.has(labelOf(entry)))
  const found = named.length > 0 ? named : entries.filter(entry => databaseEnding.test(labelOf(entry)))
  if (found.length <= 1) return found[0] ?? null
  const names = found.slice(0, 5).map(labelOf).join(', ')
  throw new MoveRefused(`The archive holds several databases: ${names}. Unpack it and name one of them.`)
}

function findOnly(entries: readonly ZipEntry[], fits: (entry: ZipEntry) => boolean): ZipEntry | null {
  const found = entries.filter(fits)
  return found.length === 1 ? found[0]! : null
}
