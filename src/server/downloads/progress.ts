import { SECOND } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Store } from '../store'
import type { DownloadRow } from '../store/downloads'
import { findStatus } from './failure'

type Needs = { store: Store; publish: Publish }

/** The figures of a running download, fresher than its row. */
export type Progress = {
  received: number
  total: number | null
  /** Bytes per second, smoothed. */
  speed: number
  /** The received bytes that were published last. */
  announced: number
  /** The host that delivers the file, null before it answered. */
  host: string | null
  /** All bytes are here; the file is being read, or put in its place. */
  isReceived: boolean
}

export const startProgress = ({ received_bytes: received, total_bytes: total }: DownloadRow): Progress => ({
  received,
  total,
  speed: 0,
  announced: received,
  host: null,
  isReceived: false,
})

/** Measures the speed since the last tick, `everyMs` ago; returns whether there is news to publish. */
export function tick(progress: Progress, everyMs: number): boolean {
  const speed = ((progress.received - progress.announced) / everyMs) * SECOND
  progress.speed = Math.round(progress.speed === 0 ? speed : progress.speed * 0.6 + speed * 0.4)
  if (progress.received === progress.announced) return false
  progress.announced = progress.received
  return true
}

/** Publishes the state of a download. `live`: its figures while it runs. */
export function publishProgress({ store, publish }: Needs, id: number, live: Progress | undefined) {
  const row = store.downloads.find(id)
  if (!row) return
  const fresh = row.state === 'running' ? live : undefined
  publish({
    type: 'downloadProgress',
    id: row.uuid,
    eid: row.eid,
    state: row.state,
    receivedBytes: fresh?.received ?? row.received_bytes,
    totalBytes: fresh?.total ?? row.total_bytes,
    bytesPerSecond: fresh?.speed ?? 0,
    errorCode: row.error_code,
    status: findStatus(row.message),
    nextAttemptAt: row.next_attempt_at,
  })
}
