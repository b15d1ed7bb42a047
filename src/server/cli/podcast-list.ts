import type { SharedPodcast } from '../../shared/api/podcast'
import { feedStateOf } from '../library/podcasts'
import { isFolderAddress } from '../store/feeds'
import type { ListedPodcast, PodcastRow } from '../store/podcasts'
import { formatBytes, plain, type Print } from './terminal'
import { normaliseFeedAddress } from '../feeds/fetch/address'
import { splitCredentials } from '../outbound/credentials'
import type { Store } from '../store'
import { fold } from '../../shared/fold'
import type { Viewer } from '../store/visibility'
import { UsageError } from './arguments'

/** Sees everything: a person who runs commands on this machine may read the whole database. */
export const operator: Viewer = { id: 0, explicit_consent: 1 }

const MAX_NAMED = 10

/** Finds a podcast by its title, its address or its id. Throws `UsageError`, with the podcasts that may be meant. */
export function requirePodcast({ podcasts }: Store, name: string): PodcastRow {
  const found = podcasts.findVisible(operator, name) ?? findByAddress(podcasts, name)
  if (found) return found
  const wanted = fold(name.trim())
  const similar = podcasts.findByTitle(operator, [wanted], Number.MAX_SAFE_INTEGER)
  const same = similar.filter(({ title }) => fold(title.trim()) === wanted)
  if (same.length === 1) return podcasts.find(same[0]!.id)!
  if (same.length > 1)
    throw new UsageError(`${same.length} podcasts have the title "${plain(name)}". Name one by its id:${listed(same)}`)
  const others = wanted === '' || similar.length === 0 ? '' : ` Perhaps you mean:${listed(similar)}`
  throw new UsageError(`There is no podcast "${plain(withoutPassword(name))}".${others}`)
}

function findByAddress(podcasts: Store['podcasts'], name: string): PodcastRow | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return null
  try {
    return podcasts.findByFeed(splitCredentials(normaliseFeedAddress(name)).address)
  } catch {
    return null
  }
}

type Named = Pick<PodcastRow, 'uuid' | 'title' | 'feed_url'>

function listed(rows: readonly Named[]): string {
  const lines = rows.slice(0, MAX_NAMED).map(({ uuid, title, feed_url }) => {
    return `\n  ${uuid}  ${plain(title)}${isFolderAddress(feed_url) ? '' : `, ${feed_url}`}`
  })
  return lines.join('') + (rows.length > MAX_NAMED ? `\n  and ${rows.length - MAX_NAMED} more` : '')
}

/** Returns what somebody typed as an address without the user name and password in it. */
export function withoutPassword(typed: string): string {
  if (!typed.includes('@') || !/[:/]/.test(typed)) return typed
  const url = URL.parse(typed)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isWeb ? splitCredentials(url.href).address : typed.slice(typed.lastIndexOf('@') + 1)
}

const words: Record<SharedPodcast['feed_state'], string> = {
  ok: 'ok',
  failing: 'failing',
  gone: 'gone',
  inactive: 'off',
  none: 'no feed',
}

const MIN_TITLE = 12
const headings = ['title', 'episodes', 'files', 'size', 'feed', 'checked (UTC)'] as const

/** Prints podcasts as a table, with titles as long as the terminal has room for, and why feeds fail. */
export function printTable(rows: readonly ListedPodcast[], columns: number | null, print: Print) {
  const cells = [headings, ...rows.map(cellsOf)]
  const widths = headings.map((_, column) => Math.max(...cells.map(line => Bun.stringWidth(line[column]!))))
  const others = widths.slice(1).reduce((sum, width) => sum + width + 2, 0)
  if (columns !== null) widths[0] = Math.min(widths[0]!, Math.max(MIN_TITLE, columns - others))
  for (const line of cells)
    print(
      line
        .map((cell, column) => padded(cell, widths[column]!, column > 0 && column < 4))
        .join('  ')
        .trimEnd(),
    )
  const failing = rows.filter(row => row.error_message)
  if (failing.length > 0) print('\nFeeds that could not be read:')
  for (const row of failing) print(`  ${plain(row.title)}: ${plain(row.error_message!)}`)
}

const cellsOf = (row: ListedPodcast) => [
  plain(row.title),
  String(row.visible_count),
  String(row.visible_files),
  formatBytes(row.visible_bytes),
  words[feedStateOf(row)],
  row.checked_at === null ? 'never' : new Date(row.checked_at).toISOString().slice(0, 16).replace('T', ' '),
]

function padded(cell: string, width: number, isNumber: boolean): string {
  const text = Bun.stringWidth(cell) > width ? shortened(cell, width) : cell
  const room = ' '.repeat(Math.max(0, width - Bun.stringWidth(text)))
  return isNumber ? room + text : text + room
}

/** Cuts a text that is wider than `width`. */
function shortened(text: string, width: number): string {
  let kept = ''
  let used = 1
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += Bun.stringWidth(segment)
    if (used > width) break
    kept += segment
  }
  return `${kept}…`
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** Prints podcasts as JSON, under the names that the API has for the same. */
export const printJson = (rows: readonly ListedPodcast[], print: Print) =>
  print(JSON.stringify(rows.map(presentListed), null, 2))

const presentListed = (row: ListedPodcast) => ({
  id: row.uuid,
  name: row.title,
  rssfeed: isFolderAddress(row.feed_url) ? '' : row.feed_url,
  added_at: instant(row.added_at),
  episode_count: row.visible_count,
  last_episode_at: instant(row.visible_last_at),
  downloaded_count: row.visible_files,
  downloaded_bytes: row.visible_bytes,
  feed_state: feedStateOf(row),
  last_error:
    row.error_code === null
      ? null
      : { errorCode: row.error_code, message: row.error_message ?? '', since: instant(row.error_since) },
  last_checked_at: instant(row.checked_at),
  next_check_at: row.active && !row.gone ? instant(row.next_check_at) : null,
})
