import { HOUR, SECOND, type Clock } from '../platform/clock'
import type { Publish } from '../platform/events'
import type { Queue } from '../library/queue'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { PlaybackRow } from '../store/playback'

/** Whom it concerns that somebody heard something. */
export type Listeners = { queue: Pick<Queue, 'dropFinished'>; publish: Publish }
type Needs = { store: Store; now: Clock } & Listeners

/** Players report every fifteen seconds: what the first report tells of was heard before it. */
const REPORT_SECONDS = 15

/** As much of an episode as it takes. */
export type Recorded = Pick<EpisodeRow, 'id' | 'eid' | 'podcast_id' | 'duration'>

export type Report = {
  /** Seconds. */
  position: number
  started?: number | null
  total?: number | null
  /** When it was heard, in milliseconds; a moment to come counts as now. */
  at?: number | null
  device?: string | null
  finished?: boolean | null
  /** What was heard for it is counted already. */
  isCounted?: boolean
}

/**
 * Where somebody is in an episode, as a player or a phone reports it. The newest report wins; an older one changes
 * nothing. A position at the end, or beyond it, means finished; 0 means unplayed.
 */
export function recordPlayback(
  { store, queue, publish, now }: Needs,
  userId: number,
  episode: Recorded,
  report: Report,
): PlaybackRow {
  const before = store.playback.find(userId, episode.id)
  // The machine's clock may have gone back since: what is told now is still the latest.
  const latest = Math.max(now(), before?.updated_at ?? 0)
  const at = Math.min(report.at ?? latest, latest)
  if (before && at < before.updated_at) return before

  const total = wholeSeconds(report.total) || before?.total || episode.duration || null
  const position = Math.min(wholeSeconds(report.position), total ?? Number.MAX_SAFE_INTEGER)
  const finished = report.finished ?? (total !== null && position >= total)
  const row: PlaybackRow = {
    user_id: userId,
    episode_id: episode.id,
    podcast_id: episode.podcast_id,
    started: report.started === undefined ? (before?.started ?? null) : wholeSeconds(report.started),
    position: finished ? (total ?? position) : position,
    total,
    finished: Number(finished),
    device: report.device || 'webview',
    updated_at: at,
  }
  store.playback.save(row)
  const heard = report.isCounted ? 0 : listenedSeconds(before, row)
  if (heard > 0) store.listened.add(userId, Math.floor(at / HOUR), episode.id, episode.podcast_id, heard)
  if (finished && !before?.finished) queue.dropFinished(userId)
  publish({ type: 'progress', userId, eid: episode.eid, position: row.position, total, finished, device: row.device })
  return row
}

/** A step forward, but never longer than the time that went by since the last report (at the rates that players have). */
function listenedSeconds(before: PlaybackRow | null, row: PlaybackRow): number {
  const step = row.position - (before?.position ?? row.started ?? 0)
  const wallSeconds = before ? (row.updated_at - before.updated_at) / SECOND + REPORT_SECONDS : REPORT_SECONDS
  return step > 0 ? Math.floor(Math.min(step, wallSeconds)) : 0
}

const wholeSeconds = (seconds: number | null | undefined) => Math.floor(seconds ?? 0)
