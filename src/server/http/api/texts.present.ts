import type { Chapter } from '../../../shared/api/chapter'
import type { ChapterFile, Transcript, TranscriptSegment } from '../../../shared/api/transcript'
import type { ChapterRow, DocumentRow, Segment } from '../../store/documents'
import type { EpisodeRow } from '../../store/episodes'
import { meansAdvertising } from '../../texts/advertising'
import { captionsOf } from '../../texts/select'
import { type Links, mediaLink } from '../core/links'

/** Chapters in order. The last one ends with the episode: `duration` in seconds, 0 if unknown. */
export const presentChapters = (rows: readonly ChapterRow[], duration: number, links: Links): Chapter[] =>
  rows.map((row, index) => ({
    id: row.uuid,
    startTime: row.start_ms / 1000,
    endTime: (row.end_ms ?? rows[index + 1]?.start_ms ?? Math.max(duration * 1000, 0)) / 1000,
    title: row.title,
    advertising: meansAdvertising(row.title),
    href: row.href,
    image: row.image_url === null ? null : mediaLink(links, `covers/chapters/${row.uuid}`),
  }))

/** The JSON chapters file of Podcasting 2.0, version 1.2. */
export const presentChapterFile = (chapters: readonly Chapter[]) => ({
  version: '1.2.0',
  chapters: chapters.map(({ startTime, endTime, title, href, image }) => ({
    startTime,
    ...(endTime > startTime && { endTime }),
    title,
    ...(href && { url: href }),
    ...(image && { img: image }),
  })),
})

const presentState = ({ state, error, cause }: DocumentRow): ChapterFile => ({ status: state, error, cause })

export const presentChapterFiles = (rows: readonly DocumentRow[]): ChapterFile[] => rows.map(presentState)

export const presentTranscript = (row: DocumentRow, episode: EpisodeRow, links: Links): Transcript => ({
  id: row.uuid,
  source: row.generated ? 'generated' : 'feed',
  model: row.model,
  language: row.language,
  mimeType: row.type,
  captions: captionsOf(episode).has(row.url) ? mediaLink(links, `media/transcripts/${row.uuid}.vtt`) : null,
  ...presentState(row),
})

export const presentSegments = (segments: readonly Segment[]): TranscriptSegment[] =>
  segments.map((segment, idx) => ({ idx, ...segment }))
