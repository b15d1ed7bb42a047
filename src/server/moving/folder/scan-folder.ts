import { stat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import { MINUTE } from '../../platform/clock'
import type { MediaReader } from '../../media/reader'
import { indexFolder } from '../files/folder-index'
import { inspectFile } from '../files/inspect-file'
import { MoveRefused } from '../refused'
import { text } from '../sources/values'

/** A file and what its tags, else its name, say. */
export type ScannedFile = {
  path: string
  /** Below the folder of its podcast, with `/`. */
  place: string
  size: number
  type: string
  title: string
  album: string | null
  artist: string | null
  at: number
  number: number | null
  notes: string | null
}

export type ScannedPodcast = { folder: string; title: string; files: ScannedFile[] }

type Needs = { media: Pick<MediaReader, 'tagsOf'>; now: number }

const MAX_FILES = 50_000
/** Files that are no sound, and are not even opened. */
const others = /\.(jpe?g|png|gif|webp|txt|nfo|md|html?|xml|opml|json|m3u8?|pls|cue|log|part|tmp|pdf|srt|vtt|db|ini)$/i

/**
 * Reads a folder of audio files by its real path: one podcast, or one for each of its folders that holds some; with a
 * `title` always one. Throws `MoveRefused`.
 */
export async function scanFolder(needs: Needs, root: string, title: string | null): Promise<ScannedPodcast[]> {
  const paths = (await indexFolder(root)).paths().filter(path => !others.test(path))
  if (paths.length > MAX_FILES) throw new MoveRefused(`${root} has ${paths.length} files, more than ${MAX_FILES}`)
  const groups = Map.groupBy(paths.toSorted(), path => (title === null ? groupOf(root, path) : ''))
  const podcasts: ScannedPodcast[] = []
  for (const [group, members] of groups) {
    const folder = group === '' ? root : `${root}${root.endsWith(sep) ? '' : sep}${group}`
    const files: ScannedFile[] = []
    for (const path of members) files.push(...(await scanFile(needs, root, folder, path)))
    if (files.length > 0) podcasts.push({ folder, title: title ?? titleOf(folder, files), files: inOrder(files) })
  }
  if (podcasts.length > 0) return podcasts
  throw new MoveRefused(`${root} holds no audio or video`)
}

/** The folder right below the root that a file is in; '' = in none. */
function groupOf(root: string, path: string): string {
  const [first, ...rest] = relative(root, path).split(sep)
  return rest.length > 0 ? first! : ''
}

async function scanFile({ media, now }: Needs, root: string, folder: string, path: string): Promise<ScannedFile[]> {
  const found = await inspectFile(root, path, null)
  if ('reason' in found) return []
  const tags = await media.tagsOf(found.path, found.media.type)
  const name = readFileName(basename(path))
  const { mtimeMs } = await stat(found.path)
  return [
    {
      path: found.path,
      place: relative(folder, path).split(sep).join('/'),
      size: found.size,
      type: found.media.type,
      title: text(tags?.title, 500) ?? text(name.title, 500) ?? basename(path),
      album: text(tags?.album, 500),
      artist: text(tags?.artist, 500),
      at: Math.min(dateOf(tags?.date ?? null, now) ?? name.at ?? Math.floor(mtimeMs), now),
      number: tags?.number ?? name.number,
      notes: text(tags?.comment, 10_000),
    },
  ]
}

/** The day of a tag; a year alone is none. */
function dateOf(given: string | null, now: number): number | null {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(given ?? '')?.[0]
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) || at > now ? null : at
}

/** The album of all files, else the name of the folder. */
function titleOf(folder: string, files: readonly ScannedFile[]): string {
  const albums = new Set(files.map(({ album }) => album))
  const [album] = albums
  return albums.size === 1 && album ? album : (text(basename(folder), 500) ?? 'Files')
}

/**
 * Gives each file its own title, and an order: files of one time, as they have who were copied, follow each other
 * by number and name.
 */
function inOrder(files: readonly ScannedFile[]): ScannedFile[] {
  const titles = Map.groupBy(files, ({ title }) => title)
  const sorted = files.toSorted(
    (one, other) => one.at - other.at || (one.number ?? 0) - (other.number ?? 0) || compare(one.place, other.place),
  )
  let last = -MINUTE
  return sorted.map(file => {
    last = Math.max(file.at, last + MINUTE)
    const isAlone = titles.get(file.title)!.length === 1
    return { ...file, at: last, title: isAlone ? file.title : readFileName(basename(file.place)).title }
  })
}

const compare = new Intl.Collator('en', { numeric: true }).compare

/** The facts in the name of a file; the date in milliseconds, null = none in the name. */
type NameFacts = { title: string; at: number | null; number: number | null }

const dated = /^(\d{4})([-._ ]?)(\d{2})\2(\d{2})(?!\d)/
const numbered = /^(?:(0\d{0,4})[\s_]|#?(\d{1,5})\s{0,3}[-–_.)](?!\d))/
const ended = /\.\w{1,5}$/

/** Reads `2021-03-04 Title.mp3`, `012 - Title.mp3` and both, one after the other. */
export function readFileName(name: string): NameFacts {
  const bare = name.replace(ended, '')
  const spaced = /\s/.test(bare) ? bare : bare.replaceAll('_', ' ')
  const date = dated.exec(spaced)
  const at = date ? dayOf(Number(date[1]), Number(date[3]), Number(date[4])) : null
  const rest = at === null ? spaced : withoutMarks(spaced.slice(date![0].length))
  const number = numbered.exec(rest)
  const title = number ? withoutMarks(rest.slice(number[0].length)) : rest
  return { title: title || spaced, at, number: number ? Number(number[1] ?? number[2]) : null }
}

/** Removes what separates a number from a title. */
function withoutMarks(text: string): string {
  let at = 0
  while (at < text.length && /[\s\-–_.)]/.test(text[at]!)) at++
  return text.slice(at).trim()
}

function dayOf(year: number, month: number, day: number): number | null {
  const at = Date.UTC(year, month - 1, day)
  const isDay = new Date(at).getUTCMonth() === month - 1 && year >= 1995
  return isDay ? at : null
}
