import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { EpisodeRef, Item } from '../item'
import { collectSegments, type TranscriptSegments } from './transcript-rows'
import { seconds, text, time } from './values'

/** Every segment is a row: a thousand transcripts have more of them than a library has episodes. */
const MOST_SEGMENTS = 20_000_000

type Needs = {
  db: ForeignDatabase
  queries: { listened: string; transcripts: string; segments: string }
  userOf: (row: ForeignRow) => string | null
  refOf: (row: ForeignRow) => EpisodeRef
  now: number
}

/** Reads what people listened to, hour by hour. */
export function* readListened({ db, queries, userOf, refOf, now }: Needs): Generator<Item> {
  for (const row of db.rows(queries.listened)) {
    const [at, listened] = [time(row.at, 'text', now), seconds(row.seconds)]
    const episode = refOf(row)
    if (at === null) yield { is: 'left-out', kind: 'listened', reason: 'no-time', feed: episode.feed }
    else if (listened !== null) yield { is: 'listened', user: userOf(row), episode, seconds: listened, at }
  }
}

/** Reads the transcripts that the server has made itself. */
export function* readTranscripts({ db, queries, refOf }: Needs): Generator<Item> {
  const segments = segmentsByTranscript(db.rows(queries.segments, MOST_SEGMENTS))
  let next = segments.next()
  for (const row of db.rows(queries.transcripts)) {
    if (next.done || next.value.id !== row.id) continue
    const episode = refOf(row)
    const { found } = next.value
    next = segments.next()
    if (found === null) yield { is: 'left-out', kind: 'transcripts', reason: 'too-many', feed: episode.feed }
    else yield { is: 'transcript', episode, language: text(row.language, 35), segments: found }
  }
}

/** Joins rows that follow each other. */
function* segmentsByTranscript(
  rows: Iterable<ForeignRow>,
): Generator<{ id: unknown; found: TranscriptSegments | null }> {
  let id: unknown
  let collected: ReturnType<typeof collectSegments> | null = null
  for (const row of rows) {
    if (collected && row.transcript_id !== id) {
      yield { id, found: collected.all() }
      collected = null
    }
    collected ??= collectSegments()
    id = row.transcript_id
    collected.add(row)
  }
  if (collected) yield { id, found: collected.all() }
}
