import { Type, type Static } from '@sinclair/typebox'
import { DownloadState } from './episode'
import { Code, Instant, Nullable } from './parts'

export const Download = Type.Object({
  id: Type.String(),
  episodeId: Type.String(),
  episode_id: Type.String(),
  podcastId: Type.String(),
  episodeName: Type.String(),
  podcastName: Type.String(),
  state: DownloadState,
  attempts: Type.Integer(),
  receivedBytes: Type.Integer(),
  totalBytes: Nullable(Type.Integer()),
  bytesPerSecond: Nullable(Type.Integer()),
  errorCode: Nullable(Code),
  message: Nullable(Type.String()),
  /** The status that the host of the file refused with. */
  status: Nullable(Type.Integer()),
  nextAttemptAt: Nullable(Instant),
  createdAt: Instant,
  startedAt: Nullable(Instant),
  finishedAt: Nullable(Instant),
  automatic: Type.Boolean(),
})
export type Download = Static<typeof Download>

export const DownloadList = Type.Object({
  paused: Type.Boolean(),
  counts: Type.Object({
    queued: Type.Integer(),
    running: Type.Integer(),
    waiting: Type.Integer(),
    paused: Type.Integer(),
    failed: Type.Integer(),
  }),
  items: Type.Array(Download),
})
export type DownloadList = Static<typeof DownloadList>

export const QueuePaused = Type.Object({ paused: Type.Boolean() })
export type QueuePaused = Static<typeof QueuePaused>
