import type { Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { TranscriptionRow } from '../store/transcriptions'
import { writeVtt } from '../texts/write-vtt'
import { TaskFailed, type Thread } from '../thread'
import type { ReadAnswer, TranscriptionTasks } from './answer'
import { expectedTranscript, serverCodes, UselessAnswer } from './failure'

export type StoreNeeds = {
  store: Store
  thread: Thread<TranscriptionTasks>
  server: { model: string }
  publish: Publish
  now: Clock
}

/**
 * Turns the answer that a row holds into a transcript; answers whether it was stored. Throws `TranscriptionFailure`.
 */
export async function storeAnswer(needs: StoreNeeds, row: TranscriptionRow, episode: EpisodeRow): Promise<boolean> {
  const { store, publish } = needs
  const found = await read(needs, row, episode)
  if ('reason' in found) throw new UselessAnswer('transcription-unusable', 'file', expectedTranscript(found.reason))
  if (found.segments.length === 0)
    throw new UselessAnswer('no-speech', 'final', 'The server found no speech in this file')
  await store.whenWritable()
  const isStored = store.inTransaction(() => keep(needs, row, episode, found))
  if (isStored) publish({ type: 'textsStored', episodeId: row.episode_id })
  return isStored
}

function read({ store, thread }: StoreNeeds, row: TranscriptionRow, { duration }: EpisodeRow): Promise<ReadAnswer> {
  const body = store.transcriptions.answerOf(row.id) ?? new Uint8Array()
  return thread.runUntrusted('readAnswer', { body, duration }).catch(error => {
    // Running it again would end the same way.
    if (error instanceof TaskFailed) return { reason: 'something that takes too long to read' }
    throw error
  })
}

type Found = Exclude<ReadAnswer, { reason: string }>

/** Call in a transaction. By then the episode may be gone, and its publisher may have given it a transcript. */
function keep({ store, server, now }: StoreNeeds, row: TranscriptionRow, episode: EpisodeRow, found: Found): boolean {
  if (!store.transcriptions.findAgain(row)) return false
  if (hasPublished(store, row.episode_id)) {
    store.transcriptions.remove(row.id)
    return false
  }
  const { segments } = found
  const isTimed = segments.some(({ startMs }) => startMs !== null)
  const body = Buffer.from(isTimed ? writeVtt(segments) : segments.map(({ text }) => text).join('\n\n'))
  const type = isTimed ? 'text/vtt' : 'text/plain'
  const language = (found.language ?? store.podcasts.find(episode.podcast_id)?.language)?.slice(0, 35) ?? null
  store.documents.addGenerated(row.episode_id, { language, type, body, segments, model: server.model }, now())
  store.transcriptions.finish(row.id, now())
  // The server works: a file that it refuses once more is to blame itself.
  store.transcriptions.endRests(serverCodes)
  store.search.drop(row.episode_id)
  return true
}

/** Whether a transcript of the publisher is here. */
export const hasPublished = (store: Store, episodeId: number): boolean =>
  store.documents.of(episodeId, 'transcript').some(({ generated, state }) => generated === 0 && state === 'parsed')

/** Whether a transcript that a program made is here. */
export const hasGenerated = (store: Store, episodeId: number): boolean =>
  store.documents.of(episodeId, 'transcript').some(({ generated }) => generated === 1)
