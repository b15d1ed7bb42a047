import { writeOpml } from '../../opml/write'
import type { ExportedBookmark, NamedInExport } from '../../store/exports'
import { instant } from './json'
import { bookmarksOf, podcastsOf, type Leaving } from './leaving'

/** Writes the favourites as an OPML list with the tags as categories, which every program reads. */
export async function* writeSubscriptions(leaving: Leaving): AsyncGenerator<string> {
  const outlines = []
  for await (const { title, feed_url, tags, favoured_at } of podcastsOf(leaving))
    if (favoured_at !== null) outlines.push({ title, xmlUrl: feed_url, categories: JSON.parse(tags) as string[] })
  yield writeOpml('Castellan', leaving.now, outlines)
}

/** Writes a list for players (M3U): files of the archive where it holds them, else their addresses. */
export async function* writePlaylist(
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
export async function* writeBookmarks(leaving: Leaving): AsyncGenerator<string> {
  yield '# Bookmarks\n'
  for await (const page of bookmarksOf(leaving)) yield page.map(bookmark).join('')
}

const bookmark = ({ title, podcast_title, time, note, created_at, enclosure_url }: ExportedBookmark) =>
  `\n- ${clockTime(time)} in “${markdown(title)}” of ${markdown(podcast_title)}, ${instant(created_at)?.slice(0, 10)}\n` +
  (note ? `  ${markdown(note)}\n` : '') +
  `  <${line(enclosure_url)}>\n`

function clockTime(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(rest)}`
}

const line = (text: string) => text.replace(/[\r\n]+/g, ' ')
const markdown = (text: string) => line(text).replace(/[\\`*_[\]<>#]/g, sign => `\\${sign}`)
