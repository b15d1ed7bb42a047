import { stat } from 'node:fs/promises'
import { basename, relative, sep } from 'node:path'
import type { MediaReader } from '../media/reader'
import { DAY, MINUTE } from '../platform/clock'
import type { Store } from '../store'
import type { KnownEpisode } from '../store/episodes'
import { FOLDER_SCHEME } from '../store/feeds'
import type { PodcastRow } from '../store/podcasts'
import { indexFolder, inspectFile } from './files/find-file'
import { type FileItem, MoveRefused, type PodcastItem, tooMany } from './item'
import { text } from './sources/source'

/** A file and the facts in its tags, else in its name. */
type ScannedFile = {
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

type ScannedPodcast = { folder: string; title: string; files: ScannedFile[] }

type Needs = { media: Pick<MediaReader, 'tagsOf'>; now: number }

const MAX_FILES = 50_000
/** Files that aren't audio, and aren't even opened. */
const others = /\.(jpe?g|png|gif|webp|txt|nfo|md|html?|xml|opml|json|m3u8?|pls|cue|log|part|tmp|pdf|srt|vtt|db|ini)$/i

/**
 * Reads a folder of audio files by its real path: one podcast, or one for each of its folders that holds some; with a
 * `title` always one. Throws `MoveRefused`.
 */
export async function scanFolder(needs: Needs, root: string, title: string | null): Promise<ScannedPodcast[]> {
  const paths = (await indexFolder(root)).paths().filter(path => !others.test(path))
  if (paths.length > MAX_FILES) throw tooMany(`${root} has ${paths.length} files, more than ${MAX_FILES}`, MAX_FILES)
  const groups = Map.groupBy(paths.toSorted(), path => (title === null ? groupOf(root, path) : ''))
  const podcasts: ScannedPodcast[] = []
  for (const [group, members] of groups) {
    const folder = group === '' ? root : `${root}${root.endsWith(sep) ? '' : sep}${group}`
    const files: ScannedFile[] = []
    for (const path of members) files.push(...(await scanFile(needs, root, folder, path)))
    if (files.length > 0) podcasts.push({ folder, title: title ?? titleOf(folder, files), files: inOrder(files) })
  }
  if (podcasts.length > 0) return podcasts
  throw new MoveRefused('move-nothing-found', `${root} contains no audio or video`)
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

/** The day of a tag; null for a year alone. */
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
 * Gives each file its own title, and an order: files with the same time, as after copying, are sorted by number and
 * name.
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
  const at = date ? startOfDay(Number(date[1]), Number(date[3]), Number(date[4])) : null
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

function startOfDay(year: number, month: number, day: number): number | null {
  const at = Date.UTC(year, month - 1, day)
  const isDay = new Date(at).getUTCMonth() === month - 1 && year >= 1995
  return isDay ? at : null
}

/**
 * Lists the podcasts of a folder and their files as items of a move. A podcast of the same title that the library has
 * with a feed receives the files; else the folder becomes a podcast without a feed, always the same one for the same
 * folder.
 */
export function listFolder(store: Store, scanned: readonly ScannedPodcast[]): (PodcastItem | FileItem)[] {
  const byTitle = Map.groupBy(store.podcasts.allWithFolders(), ({ title }) => bare(title))
  return scanned.flatMap(({ folder, title, files }) => {
    const address = addressOf(folder)
    const isHere = store.podcasts.findByFeed(address) !== null
    const [known, ...others] = isHere ? [] : (byTitle.get(bare(title)) ?? [])
    const podcast = known && others.length === 0 ? store.podcasts.find(known.id) : null
    const feed = podcast?.feed_url ?? address
    const find = podcast ? matcherOf(store, podcast) : () => null
    const item: PodcastItem = { is: 'podcast', feed, title, active: podcast !== null }
    return [item, ...files.map(file => itemOf(feed, address, file, find))]
  })
}

type Find = (file: ScannedFile) => FileItem['episode'] | null

function matcherOf(store: Store, { id, feed_url: feed }: PodcastRow): Find {
  const match = createEpisodeMatcher(store.episodes.knownOf(id))
  return ({ place, title, at }) => {
    const found = match({ name: place.split('/').at(-1)!, title, at })
    if (!found) return null
    const { guid, enclosure_url: address, announced_at: publishedAt } = found
    return { feed, guid, address, title: found.title, publishedAt, duration: null }
  }
}

function itemOf(feed: string, folder: string, file: ScannedFile, find: Find): FileItem {
  const { path, place, size, type, title, at, number, notes } = file
  const episode = find(file) ?? {
    feed,
    guid: place,
    address: `${folder}/${place.split('/').map(encodeURIComponent).join('/')}`,
    title,
    publishedAt: at,
    duration: null,
    number,
    notes: notes && Bun.escapeHTML(notes),
    type,
  }
  return { is: 'file', episode, path, size, at: null }
}

const addressOf = (folder: string) =>
  FOLDER_SCHEME + new Bun.CryptoHasher('sha256').update(folder).digest('hex').slice(0, 32)

type Looked = { name: string; title: string; at: number | null }

/**
 * Finds which episode of a podcast each file is: by the name of the file at its host, else by title and day, else by a
 * title that no other episode has. Each episode is found at most once.
 */
function createEpisodeMatcher(known: readonly KnownEpisode[]) {
  const byName = Map.groupBy(known, ({ enclosure_url }) => bare(nameOf(enclosure_url)))
  const byTitle = Map.groupBy(known, ({ title }) => bare(title))
  const used = new Set<number>()
  return ({ name, title, at }: Looked): KnownEpisode | null => {
    const sameTitle = (byTitle.get(bare(title)) ?? []).filter(({ id }) => !used.has(id))
    const found =
      only(byName.get(bare(withoutExtension(name)))) ??
      sameTitle.find(one => at !== null && one.announced_at !== null && dayOf(one.announced_at) === dayOf(at)) ??
      only(sameTitle)
    if (!found || used.has(found.id)) return null
    used.add(found.id)
    return found
  }
}

const only = <T>(found: readonly T[] | undefined): T | null => (found?.length === 1 ? found[0]! : null)
const dayOf = (at: number) => Math.floor(at / DAY)
const withoutExtension = (name: string) => name.replace(/\.\w{1,5}$/, '')

/** The letters and digits of a text: file names lack the rest. */
export const bare = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

function nameOf(address: string): string {
  const last = URL.parse(address)?.pathname.split('/').at(-1) ?? ''
  try {
    return withoutExtension(decodeURIComponent(last))
  } catch {
    return withoutExtension(last)
  }
}
