import { type Clock, SECOND } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Store } from '../store'
import type { Segment } from '../store/documents'
import type { EpisodeRow } from '../store/episodes'
import type { TranscriptionRow } from '../store/transcriptions'
import { writeVtt } from '../texts/transcripts/cues'
import { MAX_SEGMENTS, MAX_SPEAKER, MAX_TEXT } from '../texts/transcripts/segments'
import { TaskFailed, type Thread } from '../thread'
import { expectedTranscript, serverCodes, UselessAnswer } from './failure'

export type StoreNeeds = {
  store: Store
  thread: Thread<TranscriptionTasks>
  server: { model: string }
  publish: Publish
  now: Clock
}

/**
 * Turns the answer that a row holds into a transcript; returns whether it was stored. Throws `TranscriptionFailure`.
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
  // The server works, so if it refuses a file again, that file is to blame.
  store.transcriptions.endRests(serverCodes)
  store.search.drop(row.episode_id)
  return true
}

/** Whether a transcript of the publisher is stored. */
export const hasPublished = (store: Store, episodeId: number): boolean =>
  store.documents.of(episodeId, 'transcript').some(({ generated, state }) => generated === 0 && state === 'parsed')

/** Whether a transcript that a program made is stored. */
export const hasGenerated = (store: Store, episodeId: number): boolean =>
  store.documents.of(episodeId, 'transcript').some(({ generated }) => generated === 1)

/** A transcript as a speech server answers it. `reason`: what was received instead. */
type ReadAnswer = { language: string | null; segments: Segment[] } | { reason: string }

/** Task of the second thread: a hostile answer may take long. */
export type TranscriptionTasks = { readAnswer: { request: { body: Uint8Array; duration: number }; result: ReadAnswer } }

/** All text of a transcript; ten hours of speech have a tenth of it. */
const MAX_ANSWER_TEXT = 5_000_000
const MAX_S = 1e6
/** Some servers round up the last passage. */
const SLACK_S = 60
/** Plain text is cut into passages of about this length. */
const PASSAGE = 300

type Raw = Partial<Record<'start' | 'end' | 'text' | 'speaker', unknown>>

/**
 * Reads `verbose_json` of OpenAI's API, or its plain `json`, whose text has no times. `duration` in seconds, 0 =
 * unknown. Times that cannot be right are left out; those that decrease are set to the one before.
 */
export function readAnswer({ body, duration }: { body: Uint8Array; duration: number }): ReadAnswer {
  const text = new TextDecoder().decode(body).replace(/^\uFEFF/, '')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { reason: /^\s*</.test(text) ? 'a page' : text.trim() === '' ? 'nothing' : 'no JSON' }
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return { reason: 'other JSON' }
  const { segments, text: whole, language } = json as Record<string, unknown>
  if (!Array.isArray(segments) && typeof whole !== 'string') return { reason: 'JSON without segments and text' }
  const timed = Array.isArray(segments) ? readSegments(segments as (Raw | null)[], duration) : []
  const found = timed.length === 0 && typeof whole === 'string' ? readText(whole) : timed
  return { language: readLanguage(language), segments: found }
}

function readSegments(list: readonly (Raw | null)[], duration: number): Segment[] {
  const longest = duration > 0 ? duration + SLACK_S : MAX_S
  const segments: Segment[] = []
  let length = 0
  let last = 0
  for (const raw of list) {
    if (segments.length >= MAX_SEGMENTS || length > MAX_ANSWER_TEXT) break
    const text = oneLine(raw?.text, MAX_TEXT)
    if (text === '') continue
    const start = readTime(raw?.start, longest)
    const end = readTime(raw?.end, longest)
    const startMs = start === null ? null : Math.max(start, last)
    last = startMs ?? last
    const endMs = startMs !== null && end !== null && end > startMs ? end : null
    segments.push({ startMs, endMs, speaker: oneLine(raw?.speaker, MAX_SPEAKER) || null, text })
    length += text.length
  }
  return segments
}

function readTime(value: unknown, longest: number): number | null {
  return typeof value === 'number' && value >= 0 && value <= longest ? Math.floor(value * SECOND) : null
}

/** Cuts a text without times into passages that end with a sentence, if there is one. */
function readText(whole: string): Segment[] {
  const segments: Segment[] = []
  let passage = ''
  const add = () => {
    for (let at = 0; at < passage.length; at += MAX_TEXT)
      segments.push({ startMs: null, endMs: null, speaker: null, text: passage.slice(at, at + MAX_TEXT) })
    passage = ''
  }
  for (const word of oneLine(whole, MAX_ANSWER_TEXT).split(' ')) {
    passage += passage === '' ? word : ` ${word}`
    const isFull = passage.length >= (/[.!?…]["'”’)]?$/.test(word) ? PASSAGE : 2 * PASSAGE)
    if (isFull) add()
    if (segments.length >= MAX_SEGMENTS) break
  }
  add()
  return segments.slice(0, MAX_SEGMENTS)
}

const oneLine = (value: unknown, most: number) =>
  typeof value === 'string'
    ? value
        .slice(0, 2 * most)
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, most)
        .toWellFormed()
    : ''

/** A language code; some servers write a name instead (`english`), which says nothing about the code. */
const readLanguage = (value: unknown) =>
  typeof value === 'string' && /^[a-z]{2,3}(-[a-z0-9]{2,8})?$/i.test(value) ? value.toLowerCase() : null
