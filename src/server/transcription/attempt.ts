import { extname } from 'node:path'
import type { TranscriptionSettings } from '../config'
import { sampleDigest } from '../downloads/kept-files'
import type { ProxyNeeds } from '../outbound/reach'
import { upload } from '../outbound/upload'
import { type Clock, HOUR, MINUTE, SECOND } from '../platform/clock'
import type { Publish } from '../platform/events'
import { userAgent } from '../platform/version'
import type { MediaFiles } from '../storage'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { TranscriptionRow } from '../store/transcriptions'
import type { Texts } from '../texts/texts'
import { hasGenerated, storeAnswer, type StoreNeeds } from './answer'
import { statusFailure, TranscriptionFailure } from './failure'

export type AttemptNeeds = StoreNeeds & {
  files: MediaFiles
  texts: Pick<Texts, 'publishedTranscriptOf'>
  server: TranscriptionSettings
  proxies: ProxyNeeds
  limits: TranscriptionLimits
  /** A clock that never runs backwards. */
  elapsed: Clock
}

/** Interruption by a person, by the end of the process, or because there is nothing left to do. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

/**
 * Makes one attempt, from a row to its stored transcript; returns whether it stored one. Throws `TranscriptionFailure`
 * and whatever `asFailure` knows, or the reason of the signal.
 *
 * An answer is in the database before anything else happens. A killed process therefore leaves either a file without an
 * answer, which is sent again, or an answer, which is stored without sending anything.
 */
export async function attempt(needs: AttemptNeeds, row: TranscriptionRow, progress: Progress, signal: AbortSignal) {
  const { store, texts, now } = needs
  const episode = store.episodes.find(row.episode_id)
  if (!episode) return false
  const isPublished = await texts.publishedTranscriptOf(episode)
  await store.whenWritable()
  if (isPublished) return endWithout(store, row)
  // There is a transcript already, for example imported from another server: only a person can have it made again. One
  // that this row made is replaced with its file.
  if (row.automatic && row.sent_digest === null && hasGenerated(store, episode.id)) return endWithout(store, row)
  if (!store.transcriptions.hasAnswer(row.id)) {
    const file = await findFile(needs, episode, signal)
    await store.whenWritable()
    if (!file) return endWithout(store, row)
    if (row.sent_digest === file.digest) {
      if (store.transcriptions.findAgain(row)) store.transcriptions.finish(row.id, now())
      return false
    }
    const answer = await send(needs, episode, file, progress, signal)
    await store.whenWritable()
    if (!store.transcriptions.findAgain(row)) throw new Interrupted('nobody wants it any more')
    store.transcriptions.acknowledge(row.id, file.digest, answer)
  }
  return storeAnswer(needs, row, episode)
}

/** Ends a row that is no longer needed. */
function endWithout(store: Store, row: TranscriptionRow) {
  if (store.transcriptions.findAgain(row)) store.transcriptions.remove(row.id)
  return false
}

type File = { path: string; storage: EpisodeRow['file_storage']; size: number; digest: string }

/** The file of an episode, recognised by samples of it; null when it has none. */
async function findFile(
  { files }: AttemptNeeds,
  { file_path: path, file_storage }: EpisodeRow,
  signal: AbortSignal,
): Promise<File | null> {
  if (path === null) return null
  const storage = files.storageOf(file_storage)
  storage.requirePresent()
  const size = await storage.sizeOf(path)
  if (size === null)
    throw new TranscriptionFailure('file-not-downloaded', 'final', 'The file is not in its storage any more')
  return { path, storage: file_storage, size, digest: `${size}-${await sampleDigest(storage, path, size, signal)}` }
}

/** Sends a file and returns the answer as received. */
async function send(needs: AttemptNeeds, episode: EpisodeRow, file: File, progress: Progress, signal: AbortSignal) {
  const { server, files, limits, proxies, elapsed, store, now } = needs
  const language = store.podcasts.find(episode.podcast_id)?.language
  const code = /^([a-z]{2,3})(?:[-_]|$)/i.exec(language ?? '')?.[1]?.toLowerCase()
  const { headers, ...form } = writeForm(
    { model: server.model, response_format: 'verbose_json', ...(code && { language: code }) },
    {
      path: file.path,
      type: episode.file_type,
      size: file.size,
      chunks: files.storageOf(file.storage).chunks(file.path),
    },
  )
  progress.total = file.size
  const answer = await upload(proxies, {
    ...form,
    address: server.address,
    headers: {
      ...headers,
      'User-Agent': userAgent,
      Accept: 'application/json',
      ...(server.key && { Authorization: `Bearer ${server.key}` }),
    },
    stallMs: limits.stallMs,
    sendMs: timeForSending(limits, file.size),
    answerMs: timeForAnswer(limits, episode.duration, file.size),
    maxBytes: limits.maxAnswerBytes,
    onSent: bytes => (progress.sent = Math.min(bytes, file.size)),
    signal,
    elapsed,
  })
  if (answer.status < 200 || answer.status >= 300) throw statusFailure(answer, server.key, now())
  return answer.body
}

type Form = { headers: Record<string, string>; length: number; chunks: AsyncIterable<Uint8Array> }

type FormFile = { path: string; type: string | null; size: number; chunks: AsyncIterable<Uint8Array> }

/** Writes the fields and a file as `multipart/form-data` (RFC 7578), the file last and as it is read. */
function writeForm(fields: Readonly<Record<string, string>>, file: FormFile): Form {
  const boundary = `castellan-${crypto.randomUUID()}`
  const parts = Object.entries(fields).map(([name, value]) => part(boundary, `name="${name}"`, oneLine(value)))
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type ?? '') ? file.type! : 'application/octet-stream'
  const named = part(boundary, `name="file"; filename="episode${extensionOf(file.path)}"`, '', type).slice(0, -2)
  const head = Buffer.from(parts.join('') + named)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    length: head.byteLength + file.size + tail.byteLength,
    chunks: join(head, file.chunks, tail),
  }
}

async function* join(head: Uint8Array, chunks: AsyncIterable<Uint8Array>, tail: Uint8Array) {
  yield head
  yield* chunks
  yield tail
}

const part = (boundary: string, disposition: string, value: string, type?: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${value}\r\n`

const oneLine = (value: string) => value.replace(/[\r\n]+/g, ' ')

/** Servers recognise formats by the extension. */
const extensionOf = (path: string) => /^\.[a-z0-9]{1,5}$/i.exec(extname(path))?.[0].toLowerCase() ?? ''

/** The bytes of a file that the server has accepted; `total` null until the file is open. */
export type Progress = { sent: number; total: number | null }

/** Publishes the state of a transcription. `live`: its figures while it runs. */
export function publishState(publish: Publish, row: TranscriptionRow, live: Progress | null) {
  publish({
    type: 'transcriptionProgress',
    id: row.uuid,
    episodeId: row.episode_id,
    state: row.state,
    sentBytes: live?.sent ?? 0,
    totalBytes: live?.total ?? null,
    errorCode: row.error_code,
    nextAttemptAt: row.next_attempt_at,
  })
}

/** Publishes that nothing is transcribed any more: a person cancelled it, or there is no need. */
export function publishEnd(publish: Publish, { uuid, episode_id: episodeId }: TranscriptionRow) {
  publish({
    type: 'transcriptionProgress',
    id: uuid,
    episodeId,
    state: 'ended',
    sentBytes: 0,
    totalBytes: null,
    errorCode: null,
    nextAttemptAt: null,
  })
}

/** The limits of transcribing, in milliseconds and bytes. */
export type TranscriptionLimits = {
  /** The longest time in which the server accepts nothing of a file. */
  stallMs: number
  /** The least speed at which a file is sent, in addition to `sendMs`. */
  bytesPerSecond: number
  sendMs: number
  /** The time for an answer, in addition to three times the duration of the audio. */
  answerMs: number
  maxAnswerBytes: number
}

export const transcriptionLimits: TranscriptionLimits = {
  stallMs: 2 * MINUTE,
  bytesPerSecond: 16 * 1024,
  sendMs: 30 * MINUTE,
  answerMs: 15 * MINUTE,
  maxAnswerBytes: 16 * 1024 * 1024,
}

const TIMES_DURATION = 3
/** Audio of unknown length is assumed to have 32 kbit/s. */
const MIN_BYTES_PER_SECOND = 4000
const MAX_S = (48 * HOUR) / SECOND

/** The time for an answer; `duration` in seconds, 0 = unknown. */
function timeForAnswer({ answerMs }: TranscriptionLimits, duration: number, bytes: number): number {
  const seconds = duration > 0 ? duration : bytes / MIN_BYTES_PER_SECOND
  return answerMs + TIMES_DURATION * Math.min(seconds, MAX_S) * SECOND
}

const timeForSending = ({ sendMs, bytesPerSecond }: TranscriptionLimits, bytes: number): number =>
  sendMs + (bytes / bytesPerSecond) * SECOND
