import type { Outline } from '../../opml/parse'
import type { ForeignDatabase } from '../../store/foreign-database'
import type { Item } from '../item'

/** A file that somebody brings: a copy of our own, which nobody else writes to. */
export type SourceFile = {
  /** Null for a file that is not an SQLite database. */
  db: ForeignDatabase | null
  /** The beginning of the file, as text. */
  head: string
  /** Reads an OPML list. Throws `Problem`. */
  readOpml: () => readonly Outline[]
  /** The time of the move: later times are unknown. */
  now: number
}

/** A program that people come from. */
export type Source = {
  /** As `--from` and the report call it. */
  name: string
  title: string
  recognise: (file: SourceFile) => boolean
  /** Reads everything, in the same order every time. Throws `ForeignDatabaseError` or `Problem`. */
  read: (file: SourceFile) => AsyncIterable<Item>
}
