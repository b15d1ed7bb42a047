import type { DownloadColumns } from '../store/downloads'
import type { EpisodeColumns } from '../store/episodes'
import type { FilePlace } from '../storage'

/** The place of an episode's file; null without one. */
export const placeOf = (episode: Pick<EpisodeColumns, 'file_path' | 'file_storage'>): FilePlace | null =>
  episode.file_path === null ? null : { storage: episode.file_storage, path: episode.file_path }

/** The place to which a download is about to bring its file; null before that. */
export const targetOf = (row: Pick<DownloadColumns, 'target_path' | 'target_storage'>): FilePlace | null =>
  row.target_path === null ? null : { storage: row.target_storage, path: row.target_path }
