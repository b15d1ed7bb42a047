import type { ParsedTranscript } from '../feeds/parse/parsed-feed'
import type { Store } from '../store'
import type { DocumentRow } from '../store/documents'
import type { EpisodeRow } from '../store/episodes'

/**
 * Chooses the transcript to show: the publisher's before one that a program made, in the podcast's language first, then
 * the format that is best to follow, by its content if that is known. One that cannot be read is last.
 */
export const preferredTranscript = (store: Store, episode: EpisodeRow): DocumentRow | null =>
  rankedTranscripts(store, episode)[0] ?? null

/** Transcripts that may be shown, the preferred one first; `wanted`: only those of a language. */
export function rankedTranscripts(store: Store, episode: EpisodeRow, wanted?: string): DocumentRow[] {
  const language = store.podcasts.find(episode.podcast_id)?.language?.slice(0, 2).toLowerCase()
  const captions = captionsOf(episode)
  const rank = (row: DocumentRow) => {
    const { language: own, generated } = row
    const format = formatIn(row)
    const isForeign = own !== null && language !== undefined && own.slice(0, 2).toLowerCase() !== language
    const isFailed = row.state === 'failed'
    const isCaptions = captions.has(row.url)
    return (
      (format ? formatOrder.indexOf(format) : 8) +
      (isCaptions ? 0.5 : 0) +
      (isForeign ? 10 : 0) +
      (isFailed ? 100 : 0) +
      (generated ? 1000 : 0)
    )
  }
  return store.documents
    .of(episode.id, 'transcript')
    .filter(row => !(row.state === 'failed' && row.due_at === null))
    .filter(row => wanted === undefined || (row.language ?? '').toLowerCase() === wanted.toLowerCase())
    .sort((one, other) => rank(one) - rank(other))
}

/** Addresses of the transcripts that are captions of a video. */
export const captionsOf = ({ transcripts }: Pick<EpisodeRow, 'transcripts'>): ReadonlySet<string> =>
  new Set(
    transcripts === null
      ? []
      : (JSON.parse(transcripts) as ParsedTranscript[]).filter(({ captions }) => captions).map(({ url }) => url),
  )

/** Whether a transcript serves as captions: it has times, and the feed names no other one as captions. */
export function isCaptions(row: DocumentRow, episode: EpisodeRow): boolean {
  const named = captionsOf(episode)
  if (named.size > 0) return named.has(row.url)
  const format = formatIn(row)
  return row.state !== 'failed' && format !== null && format !== 'html' && format !== 'text'
}

/** The format of a transcript, else the one that its label promises. */
export const formatIn = ({ format, type, url }: DocumentRow) =>
  (format as TranscriptFormat | null) ?? formatOf(type, url)

/** Finds the transcript that a program made for an episode, which is always stored. */
export const generatedTranscript = (store: Store, episode: EpisodeRow): DocumentRow | null =>
  store.documents.of(episode.id, 'transcript').find(({ generated }) => generated === 1) ?? null

/** Lists the documents of an episode that are worth fetching: its chapters and one transcript. */
export function documentsToFetch(store: Store, episode: EpisodeRow): DocumentRow[] {
  const transcript = episode.transcripts === null ? null : preferredTranscript(store, episode)
  return [
    ...(episode.chapters_url === null ? [] : store.documents.of(episode.id, 'chapters')),
    ...(transcript ? [transcript] : []),
  ]
}

/** Formats of transcripts that can be read, the best for following along first. */
export type TranscriptFormat = 'vtt' | 'json' | 'srt' | 'ttml' | 'lrc' | 'html' | 'text'

const labels: readonly [RegExp, TranscriptFormat][] = [
  [/vtt/i, 'vtt'],
  [/json/i, 'json'],
  [/subrip|srt/i, 'srt'],
  [/ttml|dfxp/i, 'ttml'],
  [/\blrc\b/i, 'lrc'],
  [/html?\b/i, 'html'],
  [/text\/plain|^te?xt$/i, 'text'],
]

/** The format that a label promises: the type that the feed names, else the extension of the address. */
export const formatOf = (type: string, address: string): TranscriptFormat | null =>
  labels.find(([pattern]) => pattern.test(type))?.[1] ??
  labels.find(([pattern]) => pattern.test(URL.parse(address)?.pathname.split('.').pop() ?? ''))?.[1] ??
  null

const formatOrder = labels.map(([, format]) => format)
