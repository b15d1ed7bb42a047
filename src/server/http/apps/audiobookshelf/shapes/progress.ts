import type { PlaybackRow } from '../../../../store/playback'

export type ProgressOut = ReturnType<typeof presentProgress>

/** A position, with the ids that apps know its episode and podcast by. */
export type ProgressRow = Pick<PlaybackRow, 'position' | 'total' | 'finished' | 'updated_at'> & {
  /** Ids as the protocol has them. */
  episode: string
  podcast: string
  /** Seconds. */
  duration: number
  hidden: number
}

/** Where a user is in an episode. */
export function presentProgress(row: ProgressRow, userUuid: string) {
  const duration = row.total || row.duration || 3600
  const at = Math.floor(row.updated_at)
  return {
    id: row.episode,
    userId: userUuid,
    libraryItemId: row.podcast,
    episodeId: row.episode,
    mediaItemId: row.episode,
    mediaItemType: 'podcastEpisode',
    duration,
    progress: row.finished ? 1 : Math.min(row.position / duration, 1),
    currentTime: row.position,
    isFinished: row.finished === 1,
    hideFromContinueListening: row.hidden === 1,
    ebookLocation: null,
    ebookProgress: 0,
    lastUpdate: at,
    startedAt: at,
    finishedAt: row.finished ? at : null,
  }
}
