import { stat } from 'node:fs/promises'
import type { Store } from '../../store'
import type { ChapterRow } from '../../store/documents'
import type { EpisodeColumns } from '../../store/episodes'
import type { FactsBefore } from '../../store/moves'

/** The `before` of a change of kind `file`; the episode had no file. */
export type FileChange = {
  /** Below the media folder. */
  path: string
  /** `there`: it lay in the media folder already and belonged to nothing. */
  way: 'link' | 'copy' | 'move' | 'there'
  /** The file that came, which is gone from there if it was moved; null = it lay here. */
  original: string | null
  /** Facts that the episode had; `chapters`: those of an earlier file. */
  was: FactsBefore & { chapters: ChapterRow[] }
}

/** The `after` of such a change: the file as it came, in bytes and milliseconds. */
export type FileLeft = {
  size: number
  /** When its bytes were written, as the disk says. */
  changedAt: number
  /** When it was recorded. */
  at: number | null
  /** Seconds of the episode since then. */
  duration: number
}

export const factsBefore = (
  { chapters }: Store,
  { id, duration, numbered, removed }: Pick<EpisodeColumns, 'id' | 'duration' | 'numbered' | 'removed'>,
): FileChange['was'] => ({ duration, numbered, removed, chapters: chapters.listFrom(id, 'file') })

/** When the bytes of a file were written; 0 if it is gone. */
export const changeTimeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => Math.floor(mtimeMs),
    () => 0,
  )
