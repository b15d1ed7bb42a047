import { formatOf, formatOrder } from '../feeds/transcripts'
import type { Store } from '../store'
import type { DocumentRow } from '../store/documents'
import type { EpisodeRow } from '../store/episodes'

/**
 * Chooses the transcript to show: the publisher's before one that a program made, in the podcast's language first, then
 * the format that is best to follow.
 */
export function preferredTranscript(store: Store, episode: EpisodeRow): DocumentRow | null {
  const language = store.podcasts.find(episode.podcast_id)?.language?.slice(0, 2)
  const rank = ({ type, url, language: own, generated }: DocumentRow) => {
    const format = formatOf(type, url)
    const isForeign = own !== null && language !== undefined && own.slice(0, 2).toLowerCase() !== language
    return (format ? formatOrder.indexOf(format) : 100) + (isForeign ? 10 : 0) + (generated ? 1000 : 0)
  }
  const readable = store.documents
    .of(episode.id, 'transcript')
    .filter(row => formatOf(row.type, row.url) !== null && !(row.state === 'failed' && row.due_at === null))
  return readable.reduce<DocumentRow | null>((best, row) => (best && rank(best) <= rank(row) ? best : row), null)
}

/** Finds the transcript that a program made of an episode, which is always here. */
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
