import type { Outline } from '../../opml/parse'
import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { DumpTables } from '../dump/load'
import type { Item } from '../item'

/** A file that somebody imports: our own copy, which nobody else writes to. */
export type SourceFile = {
  /** Its own path, or that of what an archive holds. */
  path: string
  /** Null for a file that is neither an SQLite database nor a dump of one of another make. */
  db: ForeignDatabase | null
  /** The beginning of the file, as text. */
  head: string
  /** Reads an OPML list. Throws `Problem`. */
  readOpml: () => readonly Outline[]
  /**
   * Reads a text line by line: this file, or one that lay next to it, which has no line where there was none. Throws
   * `MoveRefused`.
   */
  readLines: (beside?: string) => Iterable<string>
  /** Reads the OPML list that was given with the file or is in the same archive; null = none. Throws `Problem`. */
  readList: () => readonly Outline[] | null
  /** Reads a small text file of the same archive by its name; null = none. Throws `MoveRefused`. */
  readBeside: (name: string) => Promise<string | null>
  /** Reads the copy of a server, a line of JSON at a time. Throws `MoveRefused`. */
  records: () => Generator<ForeignRow>
  /** The time of the move: later times are unknown. */
  now: number
}

/** A program that people come from. */
export type Source = {
  /** The name that `--from` and the report use. */
  name: string
  title: string
  /** The file to bring, in the words of that program; null = nobody imports one. */
  where: string | null
  recognise: (file: SourceFile) => boolean
  /** Reads everything, in the same order every time. Throws `ForeignDatabaseError` or `Problem`. */
  read: (file: SourceFile) => AsyncIterable<Item>
  /** Its tables in a dump of PostgreSQL or MySQL, which are read as those of an SQLite database are. */
  dump?: DumpTables
}
