import type { ProgressRow } from '../../../../store/playback'

export type ProgressOut = ReturnType<typeof presentProgress>

/** The position of a user in an episode. */
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
