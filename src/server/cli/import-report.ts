import { kinds, type Reason } from '../moving/item'
import { sources } from '../moving/sources'
import type { Store } from '../store'
import type { MoveCountRow, MoveRow } from '../store/moves'
import type { Print } from './terminal'
import type { KeptReason } from '../moving/undo/batch'
import type { UndoCountRow } from '../store/move-undo'

const reasons: Record<Reason, string> = {
  'not-on-the-web': 'not a feed on the web',
  'not-subscribed': 'not subscribed to, and never played',
  'not-in-the-feed': 'not in the feed',
  'not-in-the-list': 'not in the OPML list by its own title',
  'podcast-left-out': 'of a podcast that was left out',
  'no-account': 'of a user without an account here',
  'not-allowed': 'for an admin or an uploader to bring',
  'no-media': 'without the address of a file',
  'nothing-played': 'nothing played',
  finished: 'played to the end already',
  'too-many': 'more than fit in',
  'no-podcast': 'without the podcast that they are of',
  'several-episodes': 'in a podcast of several episodes, one of which is meant',
  'no-folder': 'imported only with --files-from, or from a Castellan with --with-files',
  'not-sent': 'which the other server has not sent whole',
  'no-file': 'not found below the folders given',
  'outside-folder': 'outside the folders given',
  'several-files': 'of which several look the same',
  incomplete: 'shorter than it should be',
  'not-media': 'neither audio nor video',
  unreadable: 'which could not be read or written',
  'changed-file': 'which changed in the meantime',
  'of-another-episode': "which is another episode's here",
  'deleted-here': 'deleted here before',
  'disk-full': 'for which there is no room on the disk',
  hidden: 'explicit, which the account does not show',
  'unusable-name': 'with a name that no account can have here',
  'only-named': 'named by what they did, and no longer among the people there',
  'not-by-an-admin': 'as only an admin can import people',
  empty: 'without text',
  'no-time': 'at an unknown time',
}

const MAX_NAMED = 20

/** Prints what was imported, what was here already, and what was left out and why. */
export function printReport(store: Store, move: MoveRow, print: Print) {
  const counts = store.moves.countsOf(move.id)
  const title = sources.find(({ name }) => name === move.source)?.title ?? move.source
  print(`${move.file_name} (${title}) for ${store.users.find(move.user_id)?.username ?? 'nobody'}`)
  print('')
  print(line('', 'taken', 'here already', 'left out'))
  for (const kind of kinds) {
    const own = counts.filter(count => count.kind === kind)
    const total = (outcome: MoveCountRow['outcome']) => sum(own.filter(count => count.outcome === outcome))
    if (own.length > 0) print(line(kind, total('taken'), total('present'), total('left-out')))
  }
  printReasons(counts, print)
  printPeople(store, move, print)
  printSettings(store, move, print)
  printFeeds(store, move, print)
  if (move.state === 'failed') print(`\nThe import ended early: ${move.message}`)
}

const line = (name: string, ...cells: (string | number)[]) =>
  [name.padEnd(16), ...cells.map(cell => String(cell).padStart(13))].join('').trimEnd()

const sum = (counts: readonly { total: number }[]) => counts.reduce((total, count) => total + count.total, 0)

function printReasons(counts: readonly MoveCountRow[], print: Print) {
  const leftOut = kinds.flatMap(kind => counts.filter(count => count.kind === kind && count.outcome === 'left-out'))
  const groups = [...Map.groupBy(leftOut, ({ kind, reason }) => `${kind}, ${reasons[reason as Reason] ?? reason}`)]
  if (groups.length > 0) print('\nLeft out:')
  for (const [name, group] of groups) print(`  ${name}: ${sum(group)}`)
}

/** Names the accounts that were made, with their roles: they can sign in from now on. */
function printPeople(store: Store, { id }: MoveRow, print: Print) {
  const people = store.moves.usersMadeBy(id)
  if (people.length > 0) print('\nNew accounts:')
  for (const { username, role, password_hash } of people) {
    const advice = `no password; set one with: castellan users set-password ${username}`
    print(`  ${username} (${role}): ${password_hash === null ? advice : 'signs in with their old password'}`)
  }
}

/** Shows where the settings for all podcasts differ: whether to change those here is up to a person. */
function printSettings(store: Store, { server_settings }: MoveRow, print: Print) {
  const theirs = Object.entries(JSON.parse(server_settings ?? '{}') as Record<string, unknown>)
  const ours: Record<string, unknown> = store.settings.current()
  const others = theirs.filter(([name, value]) => value !== null && value !== ours[name])
  if (others.length > 0) print('\nIts settings for all podcasts stay there. They differ in:')
  for (const [name, value] of others) print(`  ${name}: ${value} (here ${ours[name]})`)
}

/** Names the podcasts that have not answered or were left out. */
function printFeeds(store: Store, move: MoveRow, print: Print) {
  const failed = store.moves.podcastsOf(move.id).filter(({ state }) => state === 'unread' || state === 'refused')
  const unread = failed.filter(({ message }) => message !== null)
  if (unread.length > 0) print('\nFeeds that could not be read:')
  for (const { feed_url, state, message } of unread.slice(0, MAX_NAMED))
    print(`  ${feed_url}: ${message}${state === 'refused' ? ' (left out)' : ' (is tried again)'}`)
  if (unread.length > MAX_NAMED) print(`  and ${unread.length - MAX_NAMED} more`)
}

const keptReasons: Record<KeptReason, string> = {
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
  const reasonOf = ({ reason }: UndoCountRow) => keptReasons[reason as KeptReason] ?? reason
  if (kept.length > 0) print('\nKept:')
  for (const [name, group] of Map.groupBy(kept, count => `${count.kind}, ${reasonOf(count)}`))
    print(`  ${name}: ${sum(group)}`)
  const podcasts = kept.filter(({ kind }) => kind === 'podcasts')
  if (podcasts.length > 0) print('\nPodcasts that stay:')
  for (const count of podcasts.slice(0, MAX_NAMED)) print(`  ${count.feed_url}: ${reasonOf(count)}`)
  if (podcasts.length > MAX_NAMED) print(`  and ${podcasts.length - MAX_NAMED} more`)
}
