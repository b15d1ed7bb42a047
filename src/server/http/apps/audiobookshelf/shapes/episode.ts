import type { CatalogueEpisode, CataloguePodcast } from '../../../../store/catalogue'
import type { ChapterRow } from '../../../../store/chapters'
import { isFolderAddress } from '../../../../store/folder-feeds'
import { withoutUserInfo } from '../../../core/links'
import { durationOf, fileNameOf, formatOf, presentFile } from './file'
import { subtitleOf } from './subtitle'

export type EpisodeOut = ReturnType<typeof presentEpisode>
export type ExpandedEpisodeOut = ReturnType<typeof expandEpisode>
export type EpisodeFacts = ReturnType<typeof factsOf>

type PodcastOf = Pick<CataloguePodcast, 'uuid' | 'folder' | 'has_credentials'>

/** Everything that an app is told of an episode. `chapters`: those of its best source. Without notes: a subtitle. */
export function factsOf(
  row: CatalogueEpisode,
  podcast: PodcastOf,
  chapters: readonly ChapterRow[],
  withNotes: boolean,
) {
  const isPrivate = podcast.has_credentials === 1 || isFolderAddress(row.enclosure_url)
  const { type: mimeType, codec, ext } = formatOf(row)
  const size = row.file_size ?? row.enclosure_size ?? 0
  const duration = durationOf(row)
  return {
    podcast: podcast.uuid,
    folder: podcast.folder,
    id: row.uuid,
    season: row.season === null ? '' : String(row.season),
    number: row.number === null ? '' : String(row.number),
    type: row.type,
    title: row.title,
    subtitle: subtitleOf(row.notes),
    description: withNotes ? row.notes : '',
    enclosure: isPrivate ? null : enclosureOf(row, mimeType),
    // A guid that was made of the address would tell it.
    guid: isPrivate ? row.uuid : row.guid,
    pubDate: row.dated ? new Date(row.published_at).toUTCString().replace('GMT', '+0000') : '',
    chapters: chapters.map((chapter, index) => presentChapter(chapter, chapters[index + 1], index, duration)),
    filename: fileNameOf(row, ext),
    ext,
    size,
    format: ext.slice(1),
    duration,
    bitRate: size > 0 ? Math.round((size * 8) / duration) : 128_000,
    codec,
    mimeType,
    publishedAt: row.published_at,
    addedAt: row.first_seen_at,
    updatedAt: Math.max(row.first_seen_at, row.downloaded_at ?? 0),
  }
}

const enclosureOf = (row: CatalogueEpisode, type: string) => ({
  url: withoutUserInfo(row.enclosure_url),
  type: row.enclosure_type ?? type,
  length: String(row.enclosure_size ?? 0),
})

function presentChapter(
  { start_ms, end_ms, title }: ChapterRow,
  next: ChapterRow | undefined,
  id: number,
  all: number,
) {
  const start = start_ms / 1000
  const end = next ? (end_ms ?? next.start_ms) / 1000 : all
  return { id, start, end: Math.max(start, end), title }
}

/** An episode in its plain form. */
export const presentEpisode = (facts: EpisodeFacts) => ({
  libraryItemId: facts.podcast,
  podcastId: facts.podcast,
  id: facts.id,
  oldEpisodeId: null,
  index: 1,
  season: facts.season,
  episode: facts.number,
  episodeType: facts.type,
  title: facts.title,
  subtitle: facts.subtitle,
  description: facts.description,
  enclosure: facts.enclosure,
  guid: facts.guid,
  pubDate: facts.pubDate,
  chapters: facts.chapters,
  audioFile: {
    index: 1,
    ino: facts.id,
    metadata: presentFile(facts.folder, facts.filename, facts.ext, facts.size, facts.updatedAt),
    addedAt: facts.addedAt,
    updatedAt: facts.updatedAt,
    manuallyVerified: false,
    exclude: false,
    format: facts.format,
    duration: facts.duration,
    bitRate: facts.bitRate,
    codec: facts.codec,
    channels: 2,
    channelLayout: 'stereo',
    mimeType: facts.mimeType,
  },
  publishedAt: facts.publishedAt,
  addedAt: facts.addedAt,
  updatedAt: facts.updatedAt,
})

/** Adds to a plain episode what the expanded form has. */
export const expandEpisode = (episode: EpisodeOut) => ({
  ...episode,
  audioTrack: trackOf(episode),
  size: episode.audioFile.metadata.size,
  duration: episode.audioFile.duration,
})

export type TrackOut = ReturnType<typeof trackOf>

/** The media of an episode as something to play; `contentUrl` is relative to the address that the app was given. */
export const trackOf = ({ libraryItemId, audioFile: { ino, metadata, duration, codec, mimeType } }: EpisodeOut) => ({
  index: 1,
  ino,
  metadata,
  duration,
  codec,
  mimeType,
  startOffset: 0,
  title: metadata.filename,
  contentUrl: `/api/items/${libraryItemId}/file/${ino}`,
})
