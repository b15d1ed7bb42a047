import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { parseOpml } from '../opml/parse'
import { splitCredentials } from '../outbound/credentials'
import { decodeDocument, wideCharsetOf } from '../platform/decode'
import { Problem } from '../platform/problem'
import { openForeign } from '../store/foreign-database'
import type { TaskHandlers } from '../thread'
import {
  beginningOf,
  bytesAt,
  copyFor,
  type Copying,
  findBeside,
  isSqlite,
  listOf,
  logs,
  MAX_BYTES,
  MAX_LIST,
  mergeLog,
} from './copy-source'
import { dumpKindOf, loadDump } from './dump/load'
import { type Item, MoveRefused, tooLarge } from './item'
import { readLines, readRecords } from './lines'
import { folder, recogniseSource, sources, titlesOfFiles } from './sources'
import type { Source, SourceFile } from './sources/source'
import { labelOf, openZip, unpackText, unpackTo, type Zip, type ZipEntry } from './zip'

/** The reason why a file cannot be read: an error loses its class on the way between processes. */
type Refusal = { refused: Pick<Problem, 'code' | 'message' | 'args'> }

/** Tasks of the process that reads one file: another program's database may take any amount of memory and time. */
export type MoveTasks = {
  /** Copies a file into a folder; see `Copying`. */
  copyMove: { request: Copying; result: { path: string } | Refusal }
  /** Opens a file; returns the name of the program that made it. */
  openMove: { request: Opening; result: { source: string } | Refusal }
  /** Reads on from where the last one ended. */
  readItems: { request: null; result: { items: Item[]; isEnd: boolean } | Refusal }
}

/** Small enough that a hundred of the longest notes are a few megabytes. */
export const ITEMS_AT_ONCE = 100

export function createMoveTasks(): TaskHandlers<MoveTasks> {
  let open: OpenSource | null = null
  let items: AsyncIterator<Item> | null = null
  return {
    copyMove: copying => orRefusal(() => ({ path: copyFor(copying) })),
    openMove: opening =>
      orRefusal(async () => {
        open?.close()
        open = await openSource(opening)
        items = open.source.read(open.file)[Symbol.asyncIterator]()
        return { source: open.source.name }
      }),
    readItems: () => orRefusal(() => readSome(items!)),
  }
}

async function readSome(items: AsyncIterator<Item>) {
  const some: Item[] = []
  while (some.length < ITEMS_AT_ONCE) {
    const { value, done } = await items.next()
    if (done) return { items: some, isEnd: true }
    some.push(hideCredentials(value))
    // A single one can be as long as a hundred of the longest notes.
    if (value.is === 'transcript') break
  }
  return { items: some, isEnd: false }
}

async function orRefusal<T>(work: () => T | Promise<T>): Promise<T | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message, args } = error
    return { refused: { code, message, args } }
  }
}

/**
 * Removes the user name and password from the addresses of feeds: some programs keep them there, and a move's notes and
 * reports are not encrypted.
 */
function hideCredentials(item: Item): Item {
  if ('episode' in item) return { ...item, episode: { ...item.episode, feed: plain(item.episode.feed) } }
  if (!('feed' in item) || item.feed === null) return item
  if (item.is !== 'podcast') return { ...item, feed: plain(item.feed) }
  if (!item.feed.includes('@')) return item
  const { address, credentials } = splitCredentials(item.feed)
  return { ...item, feed: address, credentials: item.credentials ?? credentials }
}

const plain = (feed: string) => (feed.includes('@') ? splitCredentials(feed).address : feed)

type OpenSource = { source: Source; file: SourceFile; close: () => void }

const HEAD = 4096

export type Opening = {
  path: string
  /** The program that made the file; null = it is recognised. */
  from: string | null
  /** Milliseconds; later times are unknown. */
  now: number
  /** Whether the file was opened once before. */
  isChecked: boolean
}

/** Opens the copy of a file and finds the program that made it. Throws `MoveRefused` and `ForeignDatabaseError`. */
export async function openSource(opening: Opening): Promise<OpenSource> {
  const { from } = opening
  const named = from === null ? sources : [...sources, folder].filter(({ name }) => name === from)
  const file = await openFile(opening, named)
  const close = () => file.db?.close()
  const source = from === null ? recogniseSource(file) : named[0]
  if (source?.recognise(file)) return { source, file, close }
  close()
  if (source)
    throw new MoveRefused('move-other-program', `This is not a file of ${source.title}`, { program: source.title })
  throw new MoveRefused(
    'move-unknown-file',
    from === null ? `This file is not one of ${titlesOfFiles}` : `"${from}" is not known, only ${titlesOfFiles}`,
    { programs: titlesOfFiles },
  )
}

async function openFile({ path: copy, now, isChecked }: Opening, named: readonly Source[]): Promise<SourceFile> {
  const archive = isArchive(beginningOf(copy, HEAD)) ? await openArchive(copy) : null
  const path = archive?.path ?? copy
  const listPath = existsSync(listOf(copy)) ? listOf(copy) : (archive?.listPath ?? null)
  const head = headOf(path)
  return {
    path,
    db: openDatabase(path, head, named, isChecked),
    head,
    now,
    readOpml: () => parseOpml(readText(path)),
    readLines: beside => linesOf(beside === undefined ? path : findBeside(path, beside)),
    readList: () => (listPath === null ? null : parseOpml(readText(listPath))),
    readBeside: async name => (await archive?.readText(name)) ?? null,
    records: () => readRecords(path),
  }
}

/** The beginning of a file, by which its program is recognised. Lists of feeds may be in UTF-16 as well. */
function headOf(path: string): string {
  const bytes = bytesAt(path, 0, HEAD)
  const wide = wideCharsetOf(bytes)
  return wide === null ? bytes.toString('utf8') : new TextDecoder(wide).decode(bytes)
}

/** Opens a database, or one made from the tables of a dump. */
function openDatabase(path: string, head: string, named: readonly Source[], isChecked: boolean) {
  if (isSqlite(path)) return openForeign(path, isChecked)
  const kind = dumpKindOf(head)
  if (kind === null) return null
  const wanted = named.flatMap(({ dump }) => dump ?? [])
  return openForeign(loadDump(path, kind, wanted), true)
}

const linesOf = (path: string | null): Iterable<string> => (path === null ? [] : readLines(path))

function readText(path: string): string {
  const { size } = statSync(path)
  if (size > MAX_LIST) throw tooLarge(`The list has ${size} bytes, more than ${MAX_LIST}`, MAX_LIST)
  return decodeDocument(readFileSync(path))
}

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

const MAX_TEXT = 16 * 1024 * 1024

type Archive = {
  /** The document of everything that was in it, else the database, else the list. */
  path: string
  /** The list of feeds that was in it; null = none or several. */
  listPath: string | null
  /**
   * Reads a small file of exactly this name, in whatever folder; null unless there is exactly one. Throws
   * `MoveRefused`.
   */
  readText: (name: string) => Promise<string | null>
}

const isArchive = (head: string) => head.startsWith('PK\u0003\u0004') || head.startsWith('PK\u0005\u0006')

/**
 * Unpacks the one database of an archive next to it, under our own name, with its log. No name of the archive
 * becomes a path. Throws `MoveRefused` and `ForeignDatabaseError`.
 */
async function openArchive(path: string): Promise<Archive> {
  const zip = await openZip(path)
  const { entries } = zip
  const document = findOnly(entries, entry => documentEnding.test(labelOf(entry)))
  const database = document ?? findDatabase(entries)
  const list = findOnly(entries, entry => listEnding.test(labelOf(entry)))
  if (!database && !list)
    throw new MoveRefused('move-nothing-found', 'The archive contains no database and no list of feeds')
  const listPath = list ? await unpackBeside(zip, list, 'list-inside', MAX_LIST) : null
  return {
    path: database ? await unpackDatabase(zip, database) : listPath!,
    listPath,
    async readText(name) {
      const entry = findOnly(entries, one => labelOf(one) === name)
      return entry ? unpackText(zip, entry, MAX_TEXT) : null
    },
  }
}

async function unpackDatabase(zip: Zip, database: ZipEntry): Promise<string> {
  const path = await unpackBeside(zip, database, 'inside', MAX_BYTES)
  for (const ending of logs) {
    rmSync(path + ending, { force: true })
    const log = findOnly(zip.entries, entry => entry.name === database.name + ending && entry.uncompressedSize > 0)
    if (log) await unpackBeside(zip, log, `inside${ending}`, MAX_BYTES)
  }
  if (isSqlite(path)) mergeLog(path)
  return path
}

/** Unpacks an entry next to the archive. A reader of an earlier opening keeps its file. */
async function unpackBeside(zip: Zip, entry: ZipEntry, ending: string, mostBytes: number): Promise<string> {
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
  throw new MoveRefused(
    'move-several-databases',
    `The archive contains several databases: ${names}. Unpack it and name one of them.`,
    { names },
  )
}

function findOnly(entries: readonly ZipEntry[], fits: (entry: ZipEntry) => boolean): ZipEntry | null {
  const found = entries.filter(fits)
  return found.length === 1 ? found[0]! : null
}
