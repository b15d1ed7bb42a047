import type { MovedTable, RowKey } from '../store/move-undo'
import type { MoveChangeRow } from '../store/moves'

/** The table of the row that a change of each kind made or changed. */
export const movedTables: Record<string, MovedTable> = {
  subscription: 'favourite',
  tag: 'tag',
  tagged: 'podcast_tag',
  preference: 'podcast_preference',
  rules: 'podcast_settings',
  position: 'playback',
  listened: 'listened',
  like: 'episode_like',
  queued: 'queue_item',
  playlist: 'playlist',
  listed: 'playlist_item',
  smart: 'playlist',
  'kept-queue': 'saved_queue',
  kept: 'saved_queue_item',
  bookmark: 'bookmark',
  'skip-mark': 'skip_mark',
}

/** The columns by which the row of a change is found in its table, whichever that is. */
export const rowKeyOf = ({ user_id, podcast_id, episode_id, other_id }: MoveChangeRow): RowKey => ({
  user_id,
  podcast_id,
  episode_id,
  tag_id: other_id,
  playlist_id: other_id,
  saved_queue_id: other_id,
  hour: other_id,
  id: other_id,
})

/** Kinds of which more is asked than whether people have changed the row. */
const keptWhole = new Set(['queued', 'listened'])

/** The note about a row that a change left: by it the same row is known again. */
export function leftText(kind: string, row: string | null): string | null {
  if (row === null || keptWhole.has(kind)) return row
  return new Bun.CryptoHasher('sha256').update(row).digest('base64').slice(0, DIGEST_LENGTH)
}

/** Long enough that no other row of a library has the same; a move may note millions. */
const DIGEST_LENGTH = 12
