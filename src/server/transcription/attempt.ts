import type { TranscriptionSettings } from '../config'
import { sampleDigest } from '../downloads/kept-files'
import type { ProxyNeeds } from '../outbound/proxy'
import { upload } from '../outbound/upload'
import type { Clock } from '../platform/clock'
import { userAgent } from '../platform/version'
import type { MediaFiles } from '../storage'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { TranscriptionRow } from '../store/transcriptions'
import type { Texts } from '../texts/texts'
import { statusFailure, TranscriptionFailure } from './failure'
import { writeForm } from './form'
import { timeForAnswer, timeForSending, type TranscriptionLimits } from './limits'
import type { Progress } from './progress'
import { hasGenerated, storeAnswer, type StoreNeeds } from './store-answer'

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
 * Makes one attempt, from a row to its stored transcript; answers whether it stored one. Throws `TranscriptionFailure`
 * and whatever `asFailure` knows, or the reason of the signal.
 *
 * An answer is in the database before anything else happens. What a killed process leaves behind is therefore either a
 * file that nobody answered, and is sent again, or an answer, which is stored without sending anything.
 */
export async function attempt(needs: AttemptNeeds, row: TranscriptionRow, progress: Progress, signal: AbortSignal) {
  const { store, texts, now } = needs
  const episode = store.episodes.find(row.episode_id)
  if (!episode) return false
  const isPublished = await texts.publishedTranscriptOf(episode)
  await store.whenWritable()
  if (isPublished) return endWithout(store, row)
  // It came along from another server, say: only a person has it made anew. What this row made follows its file.
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

/** Ends a row that has become needless. */
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

/** Sends a file and returns the answer as it came. */
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
