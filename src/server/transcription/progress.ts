import type { Publish } from '../platform/events'
import type { TranscriptionRow } from '../store/transcriptions'

/** The bytes of a file that the server has taken; `total` null until the file is open. */
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
