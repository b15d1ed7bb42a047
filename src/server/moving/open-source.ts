import { readFileSync, statSync } from 'node:fs'
import { parseOpml } from '../opml/parse'
import { openForeign } from '../store/foreign-database'
import { beginningOf } from './copy-source'
import { MoveRefused } from './refused'
import { recogniseSource, sources } from './sources'
import type { Source, SourceFile } from './sources/source'

export type OpenSource = { source: Source; file: SourceFile; close: () => void }

const HEAD = 4096
const MOST_TEXT = 64 * 1024 * 1024

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
export function openSource({ path, from, now, isChecked }: Opening): OpenSource {
  const head = beginningOf(path, HEAD)
  const db = head.startsWith('SQLite format 3\0') ? openForeign(path, isChecked) : null
  const file: SourceFile = { db, head, now, readOpml: () => parseOpml(readText(path)) }
  const close = () => db?.close()
  const source = from === null ? recogniseSource(file) : sources.find(({ name }) => name === from)
  if (source?.recognise(file)) return { source, file, close }
  close()
  const known = sources.map(({ title }) => title).join(', ')
  if (source) throw new MoveRefused(`This is not a file of ${source.title}`)
  throw new MoveRefused(
    from === null ? `This file is of none of ${known}` : `Nothing is known of "${from}", only of ${known}`,
  )
}

function readText(path: string): string {
  const { size } = statSync(path)
  if (size > MOST_TEXT) throw new MoveRefused(`The list has ${size} bytes, more than ${MOST_TEXT}`)
  return readFileSync(path, 'utf8')
}
