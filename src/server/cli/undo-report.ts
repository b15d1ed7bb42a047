import { kinds } from '../moving/item'
import { sources } from '../moving/sources'
import type { KeptReason } from '../moving/undo/batch'
import type { Store } from '../store'
import type { UndoCountRow } from '../store/move-undo'
import type { MoveRow } from '../store/moves'
import type { Print } from './terminal'

const reasons: Record<KeptReason, string> = {
  changed: 'changed since',
  favourite: 'somebody’s favourite',
  'on-a-device': 'subscribed to on a podcast app',
  played: 'played since',
  liked: 'liked since',
  queued: 'queued since',
  listed: 'put into a playlist since',
  bookmarked: 'bookmarked since',
  marked: 'with marked parts since',
  downloaded: 'downloaded since',
  tagged: 'tagged since',
  'set-up': 'with its own settings since',
  'in-the-feed': 'in the feed by now',
  'not-empty': 'in use by now',
  'media-folder-absent': 'the media folder is not mounted',
  'files-stay': 'files of it stay',
  'folder-gone': 'the folder that it came from is gone',
  'place-taken': 'another file is where it came from',
  'disk-full': 'no room where it came from',
  'only-copy': 'the only copy by now',
  'not-writable': 'the folder that it came from cannot be written to',
  'last-admin': 'the only admin who can sign in',
  'unknown-kind': 'not known how to undo it',
  unexpected: 'an internal error; see the log',
}

const MAX_NAMED = 20

/** Prints what was undone, and what stayed and why. */
export function printUndoReport(store: Store, move: MoveRow, print: Print) {
  const counts = store.moves.undoCountsOf(move.id)
  const title = sources.find(({ name }) => name === move.source)?.title ?? move.source
  const isDone = move.state === 'undone'
  print(`${move.file_name} (${title}) ${isDone ? 'was undone' : `was not undone completely: ${move.message}`}`)
  print('')
  print(line('', 'undone', 'already gone', 'kept'))
  for (const kind of new Set([...kinds, ...counts.map(({ kind }) => kind)])) {
    const own = counts.filter(count => count.kind === kind)
    const total = (outcome: UndoCountRow['outcome']) => sum(own.filter(count => count.outcome === outcome))
    if (own.length > 0) print(line(kind, total('undone'), total('gone'), total('kept')))
  }
  printKept(
    counts.filter(({ outcome }) => outcome === 'kept'),
    print,
  )
}

function printKept(kept: readonly UndoCountRow[], print: Print) {
  const reasonOf = ({ reason }: UndoCountRow) => reasons[reason as KeptReason] ?? reason
  if (kept.length > 0) print('\nKept:')
  for (const [name, group] of Map.groupBy(kept, count => `${count.kind}, ${reasonOf(count)}`))
    print(`  ${name}: ${sum(group)}`)
  const podcasts = kept.filter(({ kind }) => kind === 'podcasts')
  if (podcasts.length > 0) print('\nPodcasts that stay:')
  for (const count of podcasts.slice(0, MAX_NAMED)) print(`  ${count.feed_url}: ${reasonOf(count)}`)
  if (podcasts.length > MAX_NAMED) print(`  and ${podcasts.length - MAX_NAMED} more`)
}

const line = (name: string, ...cells: (string | number)[]) =>
  [name.padEnd(16), ...cells.map(cell => String(cell).padStart(13))].join('').trimEnd()

const sum = (counts: readonly UndoCountRow[]) => counts.reduce((total, count) => total + count.total, 0)
