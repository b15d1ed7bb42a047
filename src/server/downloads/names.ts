import type { Naming } from '../../shared/api/settings'
import { textOf } from '../feeds/parse/notes-text'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import { isAscii, withoutCase } from '../store/file-place'
import { effectiveNaming } from '../store/podcast-settings'
import type { PodcastRow } from '../store/podcasts'

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

/** The variables of a naming format; `{title}` and `{episodeTitle}` mean the same. */
const podcastVariables = ['title', 'description', 'language', 'explicit', 'keywords', 'date'] as const
const episodeVariables = ['title', 'date', 'description', 'duration', 'guid', 'url', 'episodeNumber'] as const

type Kind = 'podcast' | 'episode'
type PodcastVariable = (typeof podcastVariables)[number]
type EpisodeVariable = (typeof episodeVariables)[number]
type PodcastValues = Record<PodcastVariable, string>
type EpisodeValues = Record<EpisodeVariable, string>

const variables: Record<Kind, readonly string[]> = { podcast: podcastVariables, episode: episodeVariables }

/** Finds the variable for a name in braces; null if there is none. */
function findVariable(name: string, kind: Kind): string | null {
  const bare = name.startsWith(kind) && name !== 'episodeNumber' ? name.slice(kind.length) : name
  const variable = bare.charAt(0).toLowerCase() + bare.slice(1)
  return variables[kind].includes(variable) ? variable : null
}

/** Throws `invalid-format` for an unknown variable and for an unmatched brace. */
export function requireFormat(field: string, format: string, kind: Kind) {
  const rest = format.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    if (findVariable(name.trim(), kind) === null) throw invalidFormat(field, whole, `${whole} is not a known variable`)
    return ''
  })
  const brace = /[{}].{0,30}/.exec(rest)
  if (brace) throw invalidFormat(field, brace[0], `a brace has no partner: ${brace[0]}`)
}

const invalidFormat = (field: string, variable: string, reason: string) =>
  new Problem('invalid-format', `${field}: ${reason}`, { field, variable })

/** Puts the values into a format that `requireFormat` accepts; returns the title if the result is blank. */
export function fill(format: string, kind: Kind, values: PodcastValues | EpisodeValues): string {
  const filled = format.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = findVariable(name.trim(), kind)
    return variable ? (values as Record<string, string>)[variable]! : ''
  })
  return filled.trim() === '' ? values.title : filled
}

export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
/** Takes the first 100 characters of a text, without its HTML. */
const excerpt = (html: string | null) => textOf(html ?? '').slice(0, 100)

/** Returns the values of a podcast for its folder's name. */
const podcastValues = (podcast: {
  title: string
  summary: string | null
  language: string | null
  explicit: number
  keywords: string | null
  built_at: number | null
  added_at: number
}): PodcastValues => ({
  title: podcast.title,
  description: excerpt(podcast.summary),
  language: podcast.language ?? '',
  explicit: podcast.explicit ? 'explicit' : 'clean',
  keywords: podcast.keywords ?? '',
  date: dayOf(podcast.built_at ?? podcast.added_at),
})

/** Pads the place of an episode (1 = the oldest) to the width of the count, so that file names sort: `007` of 120. */
export const paddedNumber = ({ number, count }: { number: number; count: number }) =>
  String(number).padStart(String(count).length, '0')

/** Returns the values of an episode for its file's name. */
const episodeValues = (
  episode: {
    title: string
    notes: string
    published_at: number
    duration: number
    guid: string
    enclosure_url: string
  },
  place: { number: number; count: number },
): EpisodeValues => ({
  title: episode.title,
  date: dayOf(episode.published_at),
  description: excerpt(episode.notes),
  duration: String(episode.duration),
  guid: episode.guid,
  url: episode.enclosure_url,
  episodeNumber: paddedNumber(place),
})

/** Values for the preview of a format while a person types it. */
const sample = { title: 'My Homelab', description: 'The homelab podcast', date: '2023-12-24' }
export const samplePodcast: PodcastValues = {
  ...sample,
  title: 'The homelab podcast',
  language: 'en',
  explicit: 'clean',
  keywords: 'Technology',
}
export const sampleEpisode: EpisodeValues = {
  ...sample,
  duration: '1200',
  guid: 'my-homelab',
  url: 'https://homelab.example/my-homelab.mp3',
  episodeNumber: '01',
}
