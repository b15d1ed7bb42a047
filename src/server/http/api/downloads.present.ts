import type { Download } from '../../../shared/api/download'
import { findStatus } from '../../downloads/failure'
import type { DownloadRow } from '../../store/downloads'
import { writeInstant, writeInstantOrNull } from '../core/instants'

/** The progress of a running download: bytes, and bytes per second. */
type Progress = { received: number; total: number | null; speed: number }

/** Converts a download row to the API's form. `progress` is live; the row is updated only occasionally and lags behind. */
export function presentDownload(row: DownloadRow, progress: Progress | null): Download {
  return {
    id: row.uuid,
    // Two ids of one episode: `episodeId` is its uuid, `episode_id` its eid, as in the wire form of an episode.
    episodeId: row.episode_uuid,
    episode_id: row.eid,
    podcastId: row.podcast_uuid,
    episodeName: row.episode_title,
    podcastName: row.podcast_title,
    state: row.state,
    attempts: row.attempts,
    receivedBytes: progress?.received ?? row.received_bytes,
    totalBytes: progress?.total ?? row.total_bytes,
    bytesPerSecond: progress?.speed ?? null,
    errorCode: row.error_code,
    message: row.message,
    status: findStatus(row.message),
    nextAttemptAt: writeInstantOrNull(row.next_attempt_at),
    createdAt: writeInstant(row.created_at),
    startedAt: writeInstantOrNull(row.started_at),
    finishedAt: writeInstantOrNull(row.finished_at),
    automatic: row.automatic === 1,
  }
}
