import type { Download } from '../../../shared/api/download'
import { findStatus } from '../../downloads/failure'
import type { DownloadRow } from '../../store/downloads'
import { writeInstantOrNull } from '../core/instants'
import { presentEpisodeWork } from './episode-work.present'

/** The progress of a running download: bytes, and bytes per second. */
type Progress = { received: number; total: number | null; speed: number }

/**
 * Converts a download row to the API's form. `progress` is live; the row is updated only occasionally and lags behind.
 */
export function presentDownload(row: DownloadRow, progress: Progress | null): Download {
  return {
    ...presentEpisodeWork(row),
    state: row.state,
    receivedBytes: progress?.received ?? row.received_bytes,
    totalBytes: progress?.total ?? row.total_bytes,
    bytesPerSecond: progress?.speed ?? null,
    message: row.message,
    status: findStatus(row.message),
    finishedAt: writeInstantOrNull(row.finished_at),
  }
}
