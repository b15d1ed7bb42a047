/** Tells why a value does not fit; null = it fits. */
type Rule = (value: unknown) => string | null
/** An object with these keys in this order and no others. */
type Fields = { [key: string]: Shape }
type Shape = Rule | Fields | ListOf | Optional
class ListOf {
  constructor(readonly shape: Shape) {}
}
class Optional {
  constructor(readonly shape: Shape) {}
}

const rule =
  (name: string, fits: (value: unknown) => boolean): Rule =>
  value =>
    fits(value) ? null : `expected ${name}, got ${JSON.stringify(value)?.slice(0, 80)}`

export const text = rule('a text', value => typeof value === 'string')
export const name = rule('a text that is not empty', value => typeof value === 'string' && value !== '')
export const id = rule(
  'an id',
  value => typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
)
export const count = rule('a whole number', value => Number.isSafeInteger(value) && (value as number) >= 0)
export const time = rule('milliseconds', value => Number.isSafeInteger(value) && (value as number) > 1e11)
export const seconds = rule(
  'seconds above 0',
  value => typeof value === 'number' && Number.isFinite(value) && value > 0,
)
export const number = rule('a number', value => typeof value === 'number' && Number.isFinite(value) && value >= 0)
export const flag = rule('true or false', value => typeof value === 'boolean')
export const nothing = rule('null', value => value === null)
export const path = rule('an absolute path', value => typeof value === 'string' && /^\/[^/]+(\/[^/]+)*$/.test(value))
export const segment = rule(
  'one segment of a path',
  value => typeof value === 'string' && /^(?!\.)[^/\\\u0000-\u001f]+$/.test(value),
)
export const exactly = (...known: unknown[]) => rule(`one of ${JSON.stringify(known)}`, value => known.includes(value))
export const orNull =
  (shape: Shape): Rule =>
  value =>
    value === null ? null : (findOffences(value, shape)[0] ?? null)
export const listOf = (shape: Shape) => new ListOf(shape)
export const optional = (shape: Shape) => new Optional(shape)

/** Everything in which a value differs from its shape; the keys must be in the order of the shape. */
export function findOffences(value: unknown, shape: Shape, place = ''): string[] {
  if (typeof shape === 'function') {
    const offence = shape(value)
    return offence === null ? [] : [`${place}: ${offence}`]
  }
  if (shape instanceof Optional) return value === undefined ? [] : findOffences(value, shape.shape, place)
  if (shape instanceof ListOf) {
    if (!Array.isArray(value)) return [`${place}: expected a list, got ${JSON.stringify(value)?.slice(0, 80)}`]
    return value.flatMap((one, index) => findOffences(one, shape.shape, `${place}[${index}]`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${place}: expected an object, got ${JSON.stringify(value)?.slice(0, 80)}`]
  const keys = Object.keys(value)
  const wanted = Object.keys(shape).filter(key => !(shape[key] instanceof Optional) || key in value)
  const order = keys.join() === wanted.join() ? [] : [`${place}: keys ${keys.join()} instead of ${wanted.join()}`]
  return [
    ...order,
    ...wanted.flatMap(key => findOffences((value as Record<string, unknown>)[key], shape[key]!, `${place}.${key}`)),
  ]
}

export const fileMetadata = {
  filename: segment,
  ext: rule('an extension', value => typeof value === 'string' && /^\.[a-z0-9]+$/.test(value)),
  path,
  relPath: segment,
  size: count,
  mtimeMs: time,
  ctimeMs: time,
  birthtimeMs: time,
}

export const chapter = { id: count, start: number, end: number, title: text }

/** All keys that a file of Audiobookshelf 2.36 has. */
export const audioFile = {
  index: count,
  ino: id,
  metadata: fileMetadata,
  addedAt: time,
  updatedAt: time,
  trackNumFromMeta: nothing,
  discNumFromMeta: nothing,
  trackNumFromFilename: nothing,
  discNumFromFilename: nothing,
  manuallyVerified: exactly(false),
  exclude: exactly(false),
  error: nothing,
  format: name,
  duration: seconds,
  bitRate: count,
  language: nothing,
  codec: name,
  timeBase: name,
  channels: count,
  channelLayout: name,
  chapters: new ListOf(chapter),
  embeddedCoverArt: nothing,
  metaTags: {},
  mimeType: name,
}

export const track = { ...audioFile, index: exactly(1), startOffset: exactly(0), title: name, contentUrl: path }

export const episode = {
  libraryItemId: id,
  podcastId: id,
  id,
  oldEpisodeId: nothing,
  index: count,
  season: text,
  episode: text,
  episodeType: exactly('full', 'trailer', 'bonus'),
  title: text,
  subtitle: text,
  description: text,
  enclosure: orNull({ url: name, type: name, length: text }),
  guid: name,
  pubDate: text,
  chapters: listOf(chapter),
  audioFile,
  publishedAt: time,
  addedAt: time,
  updatedAt: time,
}

export const expandedEpisode = { ...episode, audioTrack: track, size: count, duration: seconds }

/** `author` and `feedUrl` stand before what books have as well. */
export const metadata = {
  title: name,
  author: orNull(text),
  description: text,
  releaseDate: orNull(text),
  genres: listOf(name),
  feedUrl: orNull(name),
  imageUrl: orNull(name),
  itunesPageUrl: nothing,
  itunesId: nothing,
  itunesArtistId: nothing,
  explicit: flag,
  language: orNull(text),
  type: exactly('episodic', 'serial'),
}

const downloading = {
  autoDownloadEpisodes: flag,
  autoDownloadSchedule: name,
  lastEpisodeCheck: time,
  maxEpisodesToKeep: count,
  maxNewEpisodesToDownload: count,
}

/** The fields of podcasts stand before those that books have as well. */
export const minifiedMedia = {
  id,
  metadata: { ...metadata, titleIgnorePrefix: name },
  coverPath: path,
  tags: listOf(name),
  numEpisodes: count,
  ...downloading,
  size: count,
}
export const plainMedia = {
  id,
  libraryItemId: id,
  metadata,
  coverPath: path,
  tags: listOf(name),
  episodes: listOf(episode),
  ...downloading,
}
export const expandedMedia = {
  ...plainMedia,
  metadata: { ...metadata, titleIgnorePrefix: name },
  episodes: listOf(expandedEpisode),
  size: count,
}

const head = {
  id,
  ino: name,
  oldLibraryItemId: nothing,
  libraryId: id,
  folderId: id,
  path,
  relPath: segment,
  isFile: exactly(false),
  mtimeMs: time,
  ctimeMs: time,
  birthtimeMs: time,
  addedAt: time,
  updatedAt: time,
  isMissing: exactly(false),
  isInvalid: exactly(false),
  mediaType: exactly('podcast'),
}

const libraryFile = {
  ino: name,
  metadata: fileMetadata,
  isSupplementary: nothing,
  addedAt: time,
  updatedAt: time,
  fileType: exactly('image'),
}

export const minifiedItem = {
  ...head,
  media: minifiedMedia,
  numFiles: count,
  size: count,
  numEpisodesIncomplete: optional(count),
  rssFeed: optional(nothing),
}
const scanned = { ...head, lastScan: nothing, scanVersion: nothing }
export const plainItem = { ...scanned, media: plainMedia, libraryFiles: listOf(libraryFile) }
export const expandedItem = { ...scanned, media: expandedMedia, libraryFiles: listOf(libraryFile), size: count }

export const library = {
  id,
  name,
  folders: listOf({ id, fullPath: path, libraryId: id, addedAt: time }),
  displayOrder: count,
  icon: exactly('podcast'),
  mediaType: exactly('podcast'),
  provider: name,
  settings: {
    coverAspectRatio: exactly(1),
    disableWatcher: flag,
    autoScanCronExpression: nothing,
    podcastSearchRegion: name,
    markAsFinishedPercentComplete: nothing,
    markAsFinishedTimeRemaining: count,
  },
  lastScan: nothing,
  lastScanVersion: nothing,
  createdAt: time,
  lastUpdate: time,
}

export const filterData = {
  authors: listOf(name),
  genres: listOf(name),
  tags: listOf(name),
  series: listOf(name),
  narrators: listOf(name),
  languages: listOf(name),
  publishers: listOf(name),
  publishedDecades: listOf(name),
  bookCount: exactly(0),
  authorCount: exactly(0),
  seriesCount: exactly(0),
  podcastCount: count,
  numIssues: exactly(0),
  loadedAt: time,
}

export const itemPage = {
  results: listOf(minifiedItem),
  total: count,
  limit: count,
  page: count,
  sortBy: orNull(text),
  sortDesc: flag,
  filterBy: orNull(text),
  mediaType: exactly('podcast'),
  minified: exactly(true),
  collapseseries: exactly(false),
  include: text,
  offset: count,
}

const shelf = { id: name, label: name, labelStringKey: name }
export const podcastShelf = { ...shelf, type: exactly('podcast'), entities: listOf(minifiedItem), total: count }
export const episodeShelf = {
  ...shelf,
  type: exactly('episode'),
  entities: listOf({ ...minifiedItem, recentEpisode: expandedEpisode, progressLastUpdate: optional(time) }),
  total: count,
}

export const recentPage = {
  episodes: listOf({ ...expandedEpisode, podcast: plainMedia, libraryId: id }),
  limit: count,
  page: count,
}

const named = { name, numItems: count }
export const searchPage = {
  podcast: listOf({ libraryItem: expandedItem }),
  episodes: listOf({ libraryItem: { ...expandedItem, recentEpisode: expandedEpisode } }),
  tags: listOf(named),
  genres: listOf(named),
}
