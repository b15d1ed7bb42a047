import type { CatalogueEpisode, CataloguePodcast } from '../../../../store/catalogue'
import type { ChapterRow } from '../../../../store/documents'
import { isFolderAddress } from '../../../../store/feeds'
import { withoutUserInfo } from '../../../core/links'
import { durationOf, fileNameOf, formatOf, presentFile } from './file'
import type { DownloadRow } from '../../../../store/downloads'

export type EpisodeOut = ReturnType<typeof presentEpisode>

type PodcastOf = Pick<CataloguePodcast, 'uuid' | 'folder' | 'has_credentials'>

/** An episode in its plain form. `chapters`: those of its best source. Without notes it has its subtitle only. */
export function presentEpisode(
  row: CatalogueEpisode,
  podcast: PodcastOf,
  chapters: readonly ChapterRow[],
  withNotes: boolean,
) {
  const isPrivate = podcast.has_credentials === 1 || isFolderAddress(row.enclosure_url)
  const duration = durationOf(row)
  const shownChapters = chapters.map((chapter, place) => presentChapter(chapter, chapters[place + 1], place, duration))
  const audioFile = presentAudio(row, podcast, duration, shownChapters)
  return {
    libraryItemId: podcast.uuid,
    podcastId: podcast.uuid,
    id: row.uuid,
    oldEpisodeId: null,
    index: 1,
    season: row.season === null ? '' : String(row.season),
    episode: row.number === null ? '' : String(row.number),
    episodeType: row.type,
    title: row.title,
    subtitle: subtitleOf(row.notes),
    description: withNotes ? row.notes : '',
    enclosure: isPrivate ? null : presentEnclosure(row, audioFile.mimeType),
    // A guid that was made from the address would reveal it.
    guid: isPrivate ? row.uuid : row.guid,
    pubDate: row.dated ? new Date(row.published_at).toUTCString().replace('GMT', '+0000') : '',
    chapters: shownChapters,
    audioFile,
    publishedAt: row.published_at,
    addedAt: audioFile.addedAt,
    updatedAt: audioFile.updatedAt,
  }
}

/** A file with every key that Audiobookshelf has, as strict programs want: null is what it does not know either. */
function presentAudio(row: CatalogueEpisode, { folder }: PodcastOf, duration: number, chapters: readonly Chapter[]) {
  const { type, codec, ext } = formatOf(row)
  const size = row.file_size ?? row.enclosure_size ?? 0
  const addedAt = row.first_seen_at
  const updatedAt = Math.max(addedAt, row.downloaded_at ?? 0)
  return {
    index: 1,
    ino: row.uuid,
    metadata: presentFile(folder, fileNameOf(row, ext), ext, size, updatedAt),
    addedAt,
    updatedAt,
    trackNumFromMeta: null,
    discNumFromMeta: null,
    trackNumFromFilename: null,
    discNumFromFilename: null,
    manuallyVerified: false,
    exclude: false,
    error: null,
    format: ext.slice(1),
    duration,
    bitRate: size > 0 ? Math.round((size * 8) / duration) : 128_000,
    language: null,
    codec,
    timeBase: '1/1000',
    channels: 2,
    channelLayout: 'stereo',
    chapters,
    embeddedCoverArt: null,
    metaTags: {},
    mimeType: type,
  }
}

const presentEnclosure = (row: CatalogueEpisode, type: string) => ({
  url: withoutUserInfo(row.enclosure_url),
  type: row.enclosure_type ?? type,
  length: String(row.enclosure_size ?? 0),
})

type Chapter = ReturnType<typeof presentChapter>

function presentChapter(
  { start_ms, end_ms, title }: ChapterRow,
  next: ChapterRow | undefined,
  id: number,
  all: number,
) {
  const start = start_ms / 1000
  const end = next ? (end_ms ?? next.start_ms) / 1000 : all
  return { id, start, end: Math.max(start, end), title: title || `Chapter ${id + 1}` }
}

/** Adds to a plain episode what the expanded form has. */
export const expandEpisode = (episode: EpisodeOut) => ({
  ...episode,
  audioTrack: trackOf(episode),
  size: episode.audioFile.metadata.size,
  duration: episode.audioFile.duration,
})

/** The file of an episode as a track; `contentUrl` is relative to the address that the app was given. */
export const trackOf = ({ libraryItemId, audioFile }: EpisodeOut) => ({
  ...audioFile,
  startOffset: 0,
  title: audioFile.metadata.filename,
  contentUrl: `/api/items/${libraryItemId}/file/${audioFile.ino}`,
})

const MAX_READ = 400
const MAX_LENGTH = 160

/** Single spaces, the usual case, are left as they are. */
const severalSpaces = /[^\S ]\s*| \s+/g

/**
 * The beginning of notes as one line of escaped text: apps show it as HTML. The notes may be cut off in the middle of a
 * tag.
 */
function subtitleOf(notes: string): string {
  const text = withoutTags(notes.slice(0, MAX_READ)).replace(severalSpaces, ' ').trim()
  return text.length <= MAX_LENGTH && notes.length < MAX_READ ? text : cut(text)
}

const withoutTags = (html: string) =>
  html.includes('<') || html.includes('>')
    ? html
        .replace(/<[^<>]*(?:>|$)/g, ' ')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
    : html

/** Cuts at the end of a word, and never within an entity. */
function cut(text: string): string {
  const short = text.slice(0, MAX_LENGTH)
  const end = short.lastIndexOf(' ')
  return `${(end > MAX_LENGTH / 2 ? short.slice(0, end) : short).toWellFormed().replace(/&[^&;]*$/, '')}…`
}

type Shown = {
  row: Pick<DownloadRow, 'uuid' | 'state' | 'started_at' | 'created_at' | 'finished_at'>
  episode: CatalogueEpisode
  podcast: CataloguePodcast
  libraryId: string
}

/** The download of an episode. */
export const presentDownload = ({ row, episode, podcast, libraryId }: Shown) => ({
  id: row.uuid,
  episodeDisplayTitle: episode.title,
  // It may be the secret of the subscriber.
  url: '',
  libraryItemId: podcast.uuid,
  libraryId,
  isFinished: row.state === 'done',
  failed: row.state === 'failed',
  startedAt: row.started_at,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
  podcastTitle: podcast.title,
  podcastExplicit: podcast.explicit === 1,
  season: episode.season === null ? '' : String(episode.season),
  episode: episode.number === null ? '' : String(episode.number),
  episodeType: episode.type,
  publishedAt: episode.published_at,
})
