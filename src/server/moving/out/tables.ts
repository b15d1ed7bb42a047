import type { NamedInExport } from '../../store/exports'
import { HOUR } from '../../platform/clock'
import { instant } from './json'
import { episodesOf, playedBy, type Leaving } from './leaving'

type Cell = string | number | null

/** Writes what was played, the earliest first, as a table that a spreadsheet opens. */
export async function* writeHistory(leaving: Leaving): AsyncGenerator<string> {
  yield row(['last played', 'podcast', 'episode', 'seconds played', 'length', 'finished', ...nameHeads])
  for await (const page of playedBy(leaving))
    yield page
      .map(one =>
        row([
          instant(one.played_at),
          one.podcast_title,
          one.title,
          one.position,
          one.total ?? (one.duration || null),
          one.finished ? 'yes' : 'no',
          ...nameCells(one),
        ]),
      )
      .join('')
}

/** Writes how long each episode was listened to, by the hour. */
export async function* writeHours(leaving: Leaving): AsyncGenerator<string> {
  yield row(['hour', 'podcast', 'episode', 'seconds', ...nameHeads])
  for await (const page of episodesOf(leaving)) {
    const byId = new Map(page.filter(one => one.is_named === 1).map(one => [one.id, one]))
    yield leaving.store.exports
      .listeningIn(leaving.user.id, [...byId.keys()])
      .map(({ episode_id, hour, seconds }) => {
        const one = byId.get(episode_id)!
        return row([instant(hour * HOUR), one.podcast_title, one.title, seconds, ...nameCells(one)])
      })
      .join('')
  }
}

export const nameHeads = ['published', 'feed', 'guid', 'address'] as const
export const nameCells = (one: NamedInExport): Cell[] => [
  instant(one.announced_at ?? one.published_at),
  one.feed_url,
  one.feed_guid,
  one.enclosure_url,
]

/** One line of a table (RFC 4180). A title must not count as a formula in a spreadsheet. */
export const row = (cells: readonly Cell[]): string =>
  `${cells.map(cell => (typeof cell === 'string' ? quoted(cell) : (cell ?? ''))).join(',')}\r\n`

function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
