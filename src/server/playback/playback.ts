import { type Clock, HOUR, SECOND } from '../platform/clock'
import type { Publish, Source } from '../platform/events'
import type { Store } from '../store'
import type { EpisodeRow } from '../store/episodes'
import type { PlaybackRow } from '../store/playback'

// Why: docs/internals/decisions/0016

export type Playback = ReturnType<typeof createPlayback>

type Needs = { store: Store; publish: Publish; now: Clock }

/** Seconds between two reports of a player: a first report covers at most this much playback before it. */
const REPORT_SECONDS = 15

/** Apps stop before the very end, or skip it. */
const END_SECONDS = 10

/** Whether an app that stopped there has played the episode to the end; `total` null = of unknown length. */
export const isAtEnd = (position: number, total: number | null): boolean =>
  total !== null && total > 0 && total - position < END_SECONDS

/** The columns of an episode that recording needs. */
type RecordedEpisode = Pick<EpisodeRow, 'id' | 'eid' | 'podcast_id' | 'duration'>

export type Report = {
  /** Seconds. */
  position: number
  started?: number | null
  total?: number | null
  /** Milliseconds; a time in the future counts as now. */
  at?: number | null
  device?: string | null
  finished?: boolean | null
  /** The player of a page that reports: it ignores the event that this report causes. */
  sender?: string | undefined
  /** Seconds played since the last report, if the player counts them; otherwise a step forward counts as played. */
  listened?: number
  /** Seconds of them that took no time, if the player measures them: by its speed, and by trimming silence. */
  skipped?: { saved: number; trimmed: number }
  /**
   * `at` was limited when the report arrived, and the seconds played are already counted: apps may report long after
   * playing.
   */
  isSettled?: boolean
}

/** A report as it was written. `finishedNow`: it was not finished before. */
export type Recording = { row: PlaybackRow; eid: string; isNews: boolean; finishedNow: boolean }

/**
 * Records where a person is in an episode. The newest report wins; an older one changes nothing. A position at the end
 * or beyond means finished, 0 means unplayed.
 */
export function createPlayback(needs: Needs) {
  /**
   * Publishes recordings once they are committed; finished episodes together, since the queue is written as a whole.
   * `playSession`: the session of an app that reported them; `sender`: the player of a page.
   */
  function announce(recordings: readonly Recording[], source: Source, { playSession = '', sender = '' } = {}) {
    const news = recordings.filter(({ isNews }) => isNews)
    for (const { row, eid } of news)
      needs.publish({
        type: 'progress',
        userId: row.user_id,
        eid,
        position: row.position,
        total: row.total,
        finished: row.finished === 1,
        device: row.device,
        source,
        playSession,
        sender,
      })
    const finished = Map.groupBy(
      news.filter(({ finishedNow }) => finishedNow),
      ({ row }) => row.user_id,
    )
    for (const [userId, own] of finished)
      needs.publish({ type: 'episodesFinished', userId, episodeIds: own.map(({ row }) => row.episode_id), source })
  }

  const write = (userId: number, episode: RecordedEpisode, report: Report) =>
    writeReport(needs, userId, episode, report)

  return {
    /** Writes a report within a transaction of the caller, who announces it after the commit. */
    write,
    announce,
    /** Writes a report of our player, and announces it. */
    record(userId: number, episode: RecordedEpisode, report: Report): PlaybackRow {
      const recording = write(userId, episode, report)
      announce([recording], 'library', { sender: report.sender ?? '' })
      return recording.row
    },
  }
}

function writeReport({ store, now }: Needs, userId: number, episode: RecordedEpisode, report: Report): Recording {
  const before = store.playback.find(userId, episode.id)
  const at = timeOf(report, before, now)
  const count = (seconds: number) => {
    if (seconds > 0)
      store.listened.add(
        userId,
        Math.floor(at / HOUR),
        episode.id,
        episode.podcast_id,
        seconds,
        skippedOf(report, seconds),
      )
  }
  if (before && at < before.updated_at) {
    // The time counts as listened even if another device is further by now.
    count(report.listened ?? 0)
    return { row: before, eid: episode.eid, isNews: false, finishedNow: false }
  }

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
  count(report.listened ?? (report.isSettled ? 0 : playedSeconds(before, row, report)))
  return { row, eid: episode.eid, isNews: true, finishedNow: finished && !before?.finished }
}

/** The machine's clock may have gone back since the last report: a current report is still the latest. */
function timeOf({ at, isSettled }: Report, before: PlaybackRow | null, now: Clock): number {
  if (isSettled && at != null) return at
  const latest = Math.max(now(), before?.updated_at ?? 0)
  return Math.min(at ?? latest, latest)
}

/** A step forward, limited by the time since the last report, and by what took no time. */
function playedSeconds(before: PlaybackRow | null, row: PlaybackRow, { skipped }: Report): number {
  const step = row.position - (before?.position ?? row.started ?? 0)
  const wallSeconds = before ? (row.updated_at - before.updated_at) / SECOND + REPORT_SECONDS : REPORT_SECONDS
  const most = wallSeconds + (skipped ? skipped.saved + skipped.trimmed : 0)
  return step > 0 ? Math.floor(Math.min(step, most)) : 0
}

/** The part of the seconds played that took no time. */
function skippedOf({ skipped }: Report, seconds: number) {
  if (!skipped) return undefined
  const saved = Math.min(wholeSeconds(skipped.saved), seconds)
  return { saved, trimmed: Math.min(wholeSeconds(skipped.trimmed), seconds - saved) }
}

const wholeSeconds = (seconds: number | null | undefined) => Math.floor(seconds ?? 0)
