import { escapeText } from 'entities/escape'
import { textOf } from '../feeds/parse/notes-text'

// https://kodi.wiki/view/NFO_files and https://jellyfin.org/docs/general/server/metadata/nfo: XML whose root says what
// the file describes. Both programs read the elements that are used here.

type Podcast = { title: string; author: string | null; summary: string | null }
type Episode = {
  title: string
  notes: string
  published_at: number
  dated: number
  duration: number
  season: number | null
  number: number | null
}

const MAX_CHARACTERS = 4000

/** A podcast as an album: what its episodes have in common. Their own facts are read from their tags. */
export const albumNfo = ({ title, author, summary }: Podcast): string =>
  document('album', [
    ['title', title],
    ['artist', author],
    ['albumartist', author],
    ['genre', 'Podcast'],
    ['review', summary && textOf(summary)],
  ])

/** A podcast of videos as a series. */
export const showNfo = ({ title, author, summary }: Podcast): string =>
  document('tvshow', [
    ['title', title],
    ['studio', author],
    ['genre', 'Podcast'],
    ['plot', summary && textOf(summary)],
  ])

/**
 * A video as an episode of a series. Without a season and its own number, it has its year and its `place` in the
 * podcast, since both programs leave out what has none.
 */
export function episodeNfo(episode: Episode, { title, author }: Podcast, place: number): string {
  const day = episode.dated ? new Date(episode.published_at).toISOString().slice(0, 10) : null
  const isCounted = episode.season !== null && episode.number !== null
  return document('episodedetails', [
    ['title', episode.title],
    ['showtitle', title],
    ['season', String(isCounted ? episode.season : (day?.slice(0, 4) ?? 1))],
    ['episode', String(isCounted ? episode.number : place)],
    ['aired', day],
    ['studio', author],
    ['runtime', episode.duration > 0 ? String(Math.ceil(episode.duration / 60)) : null],
    ['plot', textOf(episode.notes)],
  ])
}

function document(root: string, elements: readonly (readonly [string, string | null])[]): string {
  const lines = elements.flatMap(([name, text]) => (text ? [`  <${name}>${write(text)}</${name}>\n`] : []))
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<${root}>\n${lines.join('')}</${root}>\n`
}

/** Cut, and without the characters that XML has no way to write. */
const write = (text: string): string =>
  escapeText(
    text
      .slice(0, MAX_CHARACTERS)
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''),
  )
