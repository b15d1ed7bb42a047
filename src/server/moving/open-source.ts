import { existsSync, readFileSync, statSync } from 'node:fs'
import { parseOpml } from '../opml/parse'
import { decodeDocument, wideCharsetOf } from '../platform/decode'
import { openForeign } from '../store/foreign-database'
import { beginningOf, bytesAt, isSqlite, listOf, MOST_LIST } from './copy-source'
import { findBeside } from './copy-beside'
import { dumpKindOf, loadDump } from './dump/load'
import { isArchive, openArchive } from './open-archive'
import { readLines } from './read-lines'
import { readRecords } from './records'
import { MoveRefused } from './refused'
import { recogniseSource, sources, titlesOfFiles } from './sources'
import { folder } from './sources/folder'
import type { Source, SourceFile } from './sources/source'

export type OpenSource = { source: Source; file: SourceFile; close: () => void }

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
  if (source) throw new MoveRefused(`This is not a file of ${source.title}`)
  throw new MoveRefused(
    from === null
      ? `This file is of none of ${titlesOfFiles}`
      : `Nothing is known of "${from}", only of ${titlesOfFiles}`,
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

/** The beginning of a file, by which its program is recognised. Lists of feeds come in UTF-16 as well. */
function headOf(path: string): string {
  const bytes = bytesAt(path, 0, HEAD)
  const wide = wideCharsetOf(bytes)
  return wide === null ? bytes.toString('utf8') : new TextDecoder(wide).decode(bytes)
}

/** Opens a database, or one made of the tables of a dump. */
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
  if (size > MOST_LIST) throw new MoveRefused(`The list has ${size} bytes, more than ${MOST_LIST}`)
  return decodeDocument(readFileSync(path))
}
