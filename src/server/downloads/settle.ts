import { HOUR, MINUTE, type Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import { describeError, type Log } from '../platform/log'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import { DownloadFailure } from './download'
import type { MediaFiles } from './files'

const MAX_ATTEMPTS = 8
const MAX_PERMANENT = 3
/** A download that got so much further begins the count of its attempts anew. */
const PROGRESS_BYTES = 256 * 1024
/** Failures that move a download to the end of the queue: other downloads have their turn first. */
const givesUpPlace = (code: string) => code === 'upstream-too-slow' || code === 'upstream-timeout'

/** Failures after which the received bytes are useless and are deleted. */
const isOfNoUse = (code: string) => code === 'not-media' || code === 'too-large-upstream' || code === 'media-superseded'

/** Somebody wanted a download to stop; what it becomes. */
export class Interrupted extends Error {
  override name = 'Interrupted'
  constructor(readonly becomes: 'paused' | 'queued' | 'cancelled') {
    super(becomes)
  }
}

export type SettleNeeds = {
  store: Store
  files: MediaFiles
  now: Clock
  log: Log
  publish: Publish
}

/** Notes how an attempt ended that brought no file: when it is tried again, or that it was given up. */
export async function settle(needs: SettleNeeds, row: DownloadRow, error: unknown) {
  const { store, files, now, log } = needs
  if (error instanceof Interrupted) return settleInterrupted(needs, row, error)
  const current = store.downloads.find(row.id)
  if (!current) {
    // The podcast went while its episode was on the way.
    await files.removePart(row.eid)
    return
  }
  const failure = asFailure(error)
  if (failure !== error) log.error('download failed', { episode: row.episode_title, error: describeError(error) })
  if (isOfNoUse(failure.code)) {
    await files.removePart(row.eid)
    store.downloads.checkpoint(row.id, 0)
  }
  const detail = { code: failure.code, message: failure.message }
  const hasProgressed = current.received_bytes >= row.received_bytes + PROGRESS_BYTES
  const attempts = hasProgressed ? 1 : row.attempts + 1
  if (givesUpPlace(failure.code)) store.downloads.moveToEnd(row.id)
  // A full disk is nobody's failure: it waits for room as long as it takes.
  if (failure.code === 'disk-full') return waitFor(failure.retryAfterMs ?? MINUTE, row.attempts)
  if (failure.code !== 'media-superseded' && attempts < (failure.permanent ? MAX_PERMANENT : MAX_ATTEMPTS)) {
    if (failure.code === 'media-unreachable' && failure.permanent)
      needs.publish({ type: 'mediaRefused', podcastId: row.podcast_id })
    return waitFor(failure.retryAfterMs ?? Math.min(MINUTE * 2 ** (attempts - 1), 6 * HOUR), attempts)
  }
  if (failure.code === 'media-superseded') needs.publish({ type: 'mediaRefused', podcastId: row.podcast_id })
  store.downloads.giveUp(row.id, attempts, detail, now())
  log.warn('download given up', { podcast: row.podcast_title, episode: row.episode_title, reason: failure.message })

  function waitFor(ms: number, attempts: number) {
    store.downloads.wait(row.id, attempts, now() + ms, detail)
  }
}

const asFailure = (error: unknown) =>
  error instanceof DownloadFailure
    ? error
    : new DownloadFailure('unexpected', 'Something went wrong here; the log knows more')

async function settleInterrupted({ store, files }: SettleNeeds, row: DownloadRow, { becomes }: Interrupted) {
  if (becomes === 'cancelled') await files.removePart(row.eid)
  else store.downloads.setState(row.id, becomes)
}
