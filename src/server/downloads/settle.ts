import { MINUTE, type Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import { DownloadFailure } from './failure'
import type { MediaFiles } from '../storage'
import { StorageFailure } from '../storage/failure'

const MAX_ATTEMPTS = 8
const MAX_PERMANENT = 3
/** An attempt that received this much resets the count of attempts. */
const PROGRESS_BYTES = 256 * 1024
/** The storage of complete files is away, or does not keep what it is sent. */
export const storageAbsent = 'media-storage-absent'
/** Failures after which other downloads go first. */
const goesToEnd = new Set(['upstream-too-slow', 'upstream-timeout'])
/** Failures whose received bytes are useless. */
const discardsPart = new Set([
  'not-media',
  'media-incomplete',
  'integrity-mismatch',
  'too-large-upstream',
  'media-superseded',
])

/** Interruption of a download by a person or by the end of the process, with the state that it enters. */
export type Outcome = 'paused' | 'queued' | 'cancelled'

/** The reason of an abort. */
export class Interrupted extends Error {
  override name = 'Interrupted'
  constructor(readonly outcome: Outcome) {
    super(outcome)
  }
}

type Needs = { store: Store; files: MediaFiles; now: Clock; log: Log; publish: Publish }

/** Records the end of an attempt that gave no file: when the next one is due, or that the download has failed. */
export async function settle(needs: Needs, row: DownloadRow, error: unknown) {
  const { store, files, log } = needs
  await store.whenWritable()
  if (error instanceof Interrupted) return settleInterrupted(needs, row, error)
  // The podcast was deleted during the attempt.
  if (!store.downloads.find(row.id)) return files.folder.removePart(row.eid)
  const failure = asFailure(error)
  if (failure.code === 'unexpected')
    log.error('download failed', { episode: row.episode_title, error: describeError(error) })
  if (discardsPart.has(failure.code)) {
    await files.folder.removePart(row.eid)
    await store.whenWritable()
    store.downloads.checkpoint(row.id, 0)
  }
  if (goesToEnd.has(failure.code)) store.downloads.moveToEnd(row.id)
  settleFailed(needs, row, failure)
}

function settleFailed(needs: Needs, row: DownloadRow, failure: DownloadFailure) {
  const { store, now, log, publish } = needs
  const { code, message, permanent, retryAfterMs } = failure
  const wait = (ms: number, attempts: number) => store.downloads.wait(row.id, attempts, now() + ms, { code, message })
  // Neither is the download's fault: it waits as long as it takes.
  if (code === 'disk-full') publish({ type: 'diskFull', freeBytes: null })
  if (code === 'disk-full' || code === storageAbsent) return wait(retryAfterMs ?? MINUTE, row.attempts)
  const attempts = countAttempts(needs, row, failure)
  const isSuperseded = code === 'media-superseded'
  const hasFailed = isSuperseded || attempts >= (permanent ? MAX_PERMANENT : MAX_ATTEMPTS)
  const isRefused = code === 'media-unreachable' && permanent
  if (isSuperseded || (isRefused && !hasFailed)) publish({ type: 'mediaRefused', podcastId: row.podcast_id })
  if (!hasFailed) return wait(retryAfterMs ?? MINUTE * 2 ** (attempts - 1), attempts)
  store.downloads.giveUp(row.id, attempts, { code, message }, now())
  log.warn('download failed for good', {
    podcast: row.podcast_title,
    episode: row.episode_title,
    attempts,
    reason: message,
  })
}

function countAttempts({ store }: Needs, row: DownloadRow, { code, retryAfterMs }: DownloadFailure): number {
  const received = store.downloads.find(row.id)?.received_bytes ?? 0
  if (received >= row.received_bytes + PROGRESS_BYTES) return 1
  // It let others go first.
  return code === 'upstream-too-slow' && retryAfterMs === 0 ? Math.max(1, row.attempts) : row.attempts + 1
}

function asFailure(error: unknown): DownloadFailure {
  if (error instanceof DownloadFailure) return error
  // The storage is there, so waiting for its return would try again at once and for ever.
  if (error instanceof StorageFailure && error.trouble === 'refused')
    return new DownloadFailure('unexpected', error.message)
  if (error instanceof StorageFailure)
    return new DownloadFailure(error.trouble === 'full' ? 'disk-full' : storageAbsent, error.message)
  return new DownloadFailure('unexpected', 'The download failed unexpectedly. The server log has the reason.')
}

async function settleInterrupted({ store, files }: Needs, row: DownloadRow, { outcome }: Interrupted) {
  if (outcome === 'cancelled') await files.folder.removePart(row.eid)
  else store.downloads.setState(row.id, outcome)
}
