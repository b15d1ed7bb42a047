import type { DownloadRow } from '../../store/downloads'
import type { TranscriptionRow } from '../../store/transcriptions'
import { writeInstant, writeInstantOrNull } from '../core/instants'

type WorkRow = Pick<DownloadRow & TranscriptionRow, keyof DownloadRow & keyof TranscriptionRow>

/** Converts to the API's form what the rows of downloads and transcriptions have in common. */
export const presentEpisodeWork = (row: Omit<WorkRow, 'state'>) => ({
  id: row.uuid,
  // Two ids of one episode: `episodeId` is its uuid, `episode_id` its eid, as in the wire form of an episode.
  episodeId: row.episode_uuid,
  episode_id: row.eid,
  podcastId: row.podcast_uuid,
  episodeName: row.episode_title,
  podcastName: row.podcast_title,
  attempts: row.attempts,
  errorCode: row.error_code,
  nextAttemptAt: writeInstantOrNull(row.next_attempt_at),
  createdAt: writeInstant(row.created_at),
  startedAt: writeInstantOrNull(row.started_at),
  automatic: row.automatic === 1,
})
