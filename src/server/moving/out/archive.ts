import type { PlaylistRow } from '../../store/playlists'
import {
  bookmarksOf,
  episodesOf,
  filesOf,
  instant,
  type Leaving,
  listedIn,
  playedBy,
  podcastsOf,
  queueOf,
} from './leaving'
import { writePortcast } from './portcast'
import { writeZip, type ZipEntry } from './write-zip'
import { markdownText } from '../../platform/markup'
import { version } from '../../platform/version'
import type { MediaStorage } from '../../storage'
import { writeOpml } from '../../opml/file'
import type { ExportedBookmark, NamedInExport } from '../../store/exports'
import { HOUR } from '../../platform/clock'

/** The document within an archive that a move reads. */
export const DOCUMENT = 'everything.portcast.json'

/**
 * Writes everything of a person as a ZIP archive: a document for programs, lists and tables for people, and the files
 * if they are wanted. Nothing is read before it is asked for.
 */
export const writeArchive = (leaving: Leaving): AsyncGenerator<Uint8Array> => writeZip(entriesOf(leaving))

async function* entriesOf(leaving: Leaving): AsyncGenerator<ZipEntry> {
  const text = (name: string, content: AsyncIterable<string>): ZipEntry => ({
    name,
    at: leaving.now,
    isPacked: true,
    content: encoded(content),
  })
  yield text('read-me.txt', readMe(leaving))
  yield text(DOCUMENT, writePortcast(leaving))
  yield text('subscriptions.opml', writeSubscriptions(leaving))
  yield text('bookmarks.md', writeBookmarks(leaving))
  yield text('history.csv', writeHistory(leaving))
  yield text('hours.csv', writeHours(leaving))
  yield text('queue.m3u8', writePlaylist(leaving, queueOf(leaving), FILE_FOLDER))
  for (const [name, playlist] of namesOf(leaving.store.playlists.listFor(leaving.user.id)))
    yield text(`playlists/${name}.m3u8`, writePlaylist(leaving, listedIn(leaving, playlist), `../${FILE_FOLDER}`))
  const torsos: Torsos = new Map()
  yield* fileEntries(leaving, torsos)
  // Last, when it is known which files could be read.
  yield text('files.csv', writeFileTable(leaving, torsos))
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) if (text !== '') yield Buffer.from(text, 'utf8')
}

/** Names of playlists that every file system can have, each once. */
function namesOf(playlists: readonly PlaylistRow[]): Map<string, PlaylistRow> {
  const names = new Map<string, PlaylistRow>()
  const taken = new Set<string>()
  for (const playlist of playlists) {
    const { id, name } = playlist
    // oxlint-disable-next-line no-control-regex
    const safe =
      name
        .replace(/[\\/:*?"<>|\u0000-\u001f]/g, '-')
        .slice(0, 80)
        .replace(/^[. ]|[. ]$/g, '-') || 'playlist'
    const free = taken.has(safe.toLowerCase()) ? `${safe} (${id})` : safe
    taken.add(free.toLowerCase())
    names.set(free, playlist)
  }
  return names
}

/** Writes what an archive holds, for a person who opens it years later. */
async function* readMe({ user, now, files, withPasswords, podcasts }: Leaving): AsyncGenerator<string> {
  yield `Everything of ${user.username}, exported by Castellan ${version} on ${instant(now)?.slice(0, 10)}: ${podcasts.length} podcasts.

everything.portcast.json  All of it for programs: subscriptions, positions, queue, bookmarks, preferences, and below
                          "extensions" tags, likes, playlists, listening by the hour, marked parts and rules of podcasts. The format
                          is PortCast 0.2.0. Castellan reads it again: castellan import THIS-ARCHIVE
subscriptions.opml        The favourite podcasts, for every podcast program.
queue.m3u8, playlists/    The lists, for every player.
bookmarks.md              The bookmarks, for people.
history.csv, hours.csv    What was played and when, for spreadsheets.
files.csv                 Which file belongs to which episode.
${files === null ? 'The audio and video files are not in this archive.' : 'files/                    The audio and video files.'}
${
  withPasswords
    ? 'The passwords of private feeds are in this archive, in clear. Keep it safe.'
    : 'The passwords of private feeds are not in this archive. Addresses of private feeds are: some of them are secrets.'
}
Not exported: the password and keys of the account, settings of podcast apps, notifications, covers, transcripts.
`
}

const FILE_FOLDER = 'files/'

/** Files that could not be packed whole, by the id of their episode. */
type Torsos = Map<number, 'missing' | 'incomplete'>

/** Reads the files of a person's podcasts from their storage, and notes in `torsos` those that cannot be read. */
async function* fileEntries(leaving: Leaving, torsos: Torsos): AsyncGenerator<ZipEntry> {
  const { files } = leaving
  if (files === null) return
  for await (const page of filesOf(leaving))
    for (const { id, file_path, file_storage, downloaded_at } of page) {
      const storage = files.storageOf(file_storage)
      const size = await storage.sizeOf(file_path).catch(() => null)
      if (size === null) {
        torsos.set(id, 'missing')
        continue
      }
      const content = readFile(storage, file_path, () => torsos.set(id, 'incomplete'))
      yield { name: `${FILE_FOLDER}${file_path}`, at: downloaded_at ?? leaving.now, isPacked: false, content }
    }
}

/** Reads a file until it ends or its disk fails: one bad file must not end a whole export. */
async function* readFile(storage: MediaStorage, path: string, onFailure: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* storage.chunks(path)
  } catch {
    onFailure()
  }
}

/** Writes which file belongs to which episode, and whether it is in the archive. */
async function* writeFileTable(leaving: Leaving, torsos: Torsos): AsyncGenerator<string> {
  yield row(['file', 'bytes', 'in this archive', 'podcast', 'episode', ...nameHeads])
  for await (const page of filesOf(leaving))
    yield page
      .map(one => {
        const isInside = leaving.files === null ? 'no' : (torsos.get(one.id) ?? 'yes')
        const name = `${leaving.files === null ? '' : FILE_FOLDER}${one.file_path}`
        return row([name, one.file_size, isInside, one.podcast_title, one.title, ...nameCells(one)])
      })
      .join('')
}

/** Writes the favourites as an OPML list with the tags as categories, which every program reads. */
async function* writeSubscriptions(leaving: Leaving): AsyncGenerator<string> {
  const outlines = []
  for await (const { title, feed_url, tags, favoured_at } of podcastsOf(leaving))
    if (favoured_at !== null) outlines.push({ title, xmlUrl: feed_url, categories: JSON.parse(tags) as string[] })
  yield writeOpml('Castellan', leaving.now, outlines)
}

/** Writes a list for players (M3U): files of the archive where it holds them, else their addresses. */
async function* writePlaylist(
  leaving: Leaving,
  pages: AsyncIterable<readonly NamedInExport[]>,
  folder: string,
): AsyncGenerator<string> {
  yield '#EXTM3U\n'
  for await (const page of pages)
    yield page
      .map(({ duration, podcast_title, title, file_path, enclosure_url }) => {
        const isInside = leaving.files !== null && file_path !== null
        const address = isInside ? `${folder}${file_path}` : enclosure_url
        return `#EXTINF:${duration || -1},${line(`${podcast_title} – ${title}`)}\n${line(address)}\n`
      })
      .join('')
}

/** Writes the bookmarks for people, the first made first. */
async function* writeBookmarks(leaving: Leaving): AsyncGenerator<string> {
  yield '# Bookmarks\n'
  for await (const page of bookmarksOf(leaving)) yield page.map(bookmark).join('')
}

const bookmark = ({ title, podcast_title, time, note, created_at, enclosure_url }: ExportedBookmark) =>
  `\n- ${clockTime(time)} in “${markdownText(title)}” of ${markdownText(podcast_title)}, ${instant(created_at)?.slice(0, 10)}\n` +
  (note ? `  ${markdownText(note)}\n` : '') +
  `  <${line(enclosure_url)}>\n`

function clockTime(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(rest)}`
}

const line = (text: string) => text.replace(/[\r\n]+/g, ' ')

type Cell = string | number | null

/** Writes what was played, the earliest first, as a table that a spreadsheet opens. */
async function* writeHistory(leaving: Leaving): AsyncGenerator<string> {
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
async function* writeHours(leaving: Leaving): AsyncGenerator<string> {
  yield row(['hour', 'podcast', 'episode', 'seconds', 'saved', 'trimmed', ...nameHeads])
  for await (const page of episodesOf(leaving)) {
    const byId = new Map(page.filter(one => one.is_named === 1).map(one => [one.id, one]))
    yield leaving.store.exports
      .listeningIn(leaving.user.id, [...byId.keys()])
      .map(({ episode_id, hour, seconds, saved, trimmed }) => {
        const one = byId.get(episode_id)!
        return row([instant(hour * HOUR), one.podcast_title, one.title, seconds, saved, trimmed, ...nameCells(one)])
      })
      .join('')
  }
}

const nameHeads = ['published', 'feed', 'guid', 'address'] as const
const nameCells = (one: NamedInExport): Cell[] => [
  instant(one.announced_at ?? one.published_at),
  one.feed_url,
  one.feed_guid,
  one.enclosure_url,
]

/** One line of a table (RFC 4180). A title must not count as a formula in a spreadsheet. */
const row = (cells: readonly Cell[]): string =>
  `${cells.map(cell => (typeof cell === 'string' ? quoted(cell) : (cell ?? ''))).join(',')}\r\n`

function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
