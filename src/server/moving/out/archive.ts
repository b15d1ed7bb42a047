import type { PlaylistRow } from '../../store/playlists'
import { FILE_FOLDER, fileEntries, writeFileTable, type Torsos } from './files'
import { listedIn, queueOf, type Leaving } from './leaving'
import { writeBookmarks, writePlaylist, writeSubscriptions } from './lists'
import { writePortcast } from './portcast'
import { readMe } from './read-me'
import { writeHistory, writeHours } from './tables'
import { writeZip, type ZipEntry } from './write-zip'

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
