import type { Naming } from '../../shared/api/settings'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import { isAscii, withoutCase } from '../store/file-place'
import { effectiveNaming } from '../store/podcast-settings'
import type { PodcastRow } from '../store/podcasts'
import { episodeValues, fill, podcastValues } from './formats'

type NewPodcast = Parameters<typeof podcastValues>[0]
type Named = Pick<
  EpisodeRow,
  'id' | 'eid' | 'podcast_id' | 'title' | 'notes' | 'published_at' | 'duration' | 'guid' | 'enclosure_url'
>

/**
 * Names the folders of podcasts and the files of episodes by the settings; every path is relative to the media folder.
 */
export function createNames({ store }: { store: Store }) {
  const namingOf = (podcastId: number): Naming =>
    effectiveNaming(store.podcastSettings.of(podcastId), store.settings.current())

  /** The folder that the format gives a podcast, with a number if another podcast has that name. */
  const folderFor = (podcast: NewPodcast, naming: Naming, isTaken: (folder: string) => boolean) =>
    firstFree(
      safeSegment(fill(naming.podcastFormat, 'podcast', podcastValues(podcast)), 'podcast', naming),
      '',
      isTaken,
    )

  function nameOf(episode: Named, naming: Naming): string {
    const existing = naming.useExistingFilename ? fileNameOf(episode.enclosure_url) : ''
    if (existing !== '') return safeSegment(existing, episode.eid, naming)
    const place = naming.episodeFormat.includes('episodeNumber')
      ? store.episodes.placeOf(episode.podcast_id, episode)
      : { number: 1, count: 1 }
    return safeSegment(fill(naming.episodeFormat, 'episode', episodeValues(episode, place)), episode.eid, naming)
  }

  /** The first free path for a file name; each episode gets its own folder unless the paths are direct. */
  function freePath(
    folder: string,
    name: string,
    extension: string,
    isDirect: boolean,
    isTaken: (path: string) => boolean,
  ) {
    const pathOf = (file: string) =>
      isDirect ? `${folder}/${file}` : `${folder}/${file.slice(0, -extension.length)}/${file}`
    return pathOf(firstFree(name, extension, candidate => isTaken(pathOf(candidate))))
  }

  return {
    namingOf,
    folderFor,
    /** A folder for a podcast that is about to be added, which no other podcast has. */
    newFolderFor: (podcast: NewPodcast) =>
      folderFor(podcast, store.settings.current(), folder => isFolderTaken(store, folder)),
    /** The path where an episode's file belongs; `isTaken`: whether another file has a path. */
    pathFor(
      episode: Named,
      { folder }: Pick<PodcastRow, 'folder'>,
      extension: string,
      isTaken: (path: string) => boolean,
      naming = namingOf(episode.podcast_id),
    ): string {
      return freePath(folder, nameOf(episode, naming), extension, naming.directPaths, isTaken)
    },
  }
}
export type Names = ReturnType<typeof createNames>

function isFolderTaken({ podcasts }: Store, folder: string): boolean {
  if (podcasts.isFolderTaken(folder)) return true
  return !isAscii(folder) && podcasts.allWithFolders().some(other => withoutCase(other.folder) === withoutCase(folder))
}

/** The last segment of an address, decoded, without its extension; empty when there is none. */
function fileNameOf(address: string): string {
  const last = URL.parse(address)?.pathname.split('/').pop() ?? ''
  try {
    return decodeURIComponent(last).replace(/\.\w{1,5}$/, '')
  } catch {
    return last.replace(/\.\w{1,5}$/, '')
  }
}

const MAX_BYTES = 200

// Separators, control characters and marks that change the direction of text are never part of a name.
const dangerous = /[\u0000-\u001f\u007f-\u009f/\\\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
// Some file systems refuse these.
const refused = /[:*?"<>|]/g
const reserved = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i

type NamingRules = Pick<Naming, 'replaceInvalidCharacters' | 'replacementStrategy'>
const defaultRules: NamingRules = { replaceInvalidCharacters: true, replacementStrategy: 'replace-with-dash' }

const replacements: Record<Naming['replacementStrategy'], (refused: string) => string> = {
  'replace-with-dash': () => '-',
  'replace-with-dash-and-underscore': character => (character === ':' ? '-' : '_'),
  remove: () => '',
}

/**
 * Makes one path segment that every file system accepts, of at most 200 bytes: never empty, never hidden, never `..`,
 * without a dot or space at its end. `fallback` replaces a text of which nothing remains.
 */
export function safeSegment(text: string, fallback: string, rules = defaultRules): string {
  const replace = replacements[rules.replacementStrategy]
  const separated = text.toWellFormed().normalize('NFC').replace(dangerous, replace)
  const clean = (rules.replaceInvalidCharacters ? separated.replace(refused, replace) : separated)
    .replace(/\s+/g, ' ')
    .replace(/^[.\s]+/, '')
  return fit(clean, MAX_BYTES) || fallback
}

/** Cuts a text to `bytes` and escapes the names that Windows reserves, also where the cut has produced one. */
function fit(text: string, bytes: number): string {
  const short = cutToBytes(text, bytes)
  return reserved.test(short) ? `_${cutToBytes(short, bytes - 1)}` : short
}

/** The first of `name`, `name (2)`, `name (3)` … that is not taken, with its extension, in at most 200 bytes. */
export function firstFree(name: string, extension: string, isTaken: (candidate: string) => boolean): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` (${number})`
    const candidate = `${fit(name, MAX_BYTES - Buffer.byteLength(suffix + extension))}${suffix}${extension}`
    if (!isTaken(candidate)) return candidate
  }
}

/** Cuts at a whole character, so that no half of an emoji is left, and removes dots and spaces at the end. */
function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text.replace(/(?<![.\s])[.\s]+$/, '')
  const characters = Iterator.from(new Intl.Segmenter().segment(text)).map(({ segment }) => segment)
  // A single letter may have more accents than fit: then it keeps some of them.
  const kept = takeBytes(characters, bytes) || takeBytes(text, bytes)
  return kept.replace(/(?<![.\s])[.\s]+$/, '')
}

function takeBytes(characters: Iterable<string>, bytes: number): string {
  let length = 0
  let kept = ''
  for (const character of characters) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    kept += character
  }
  return kept
}
