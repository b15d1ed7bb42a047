import type { EpisodeHistory, History } from '../../../shared/api/history'
import type { EpisodeForUser, EpisodeRow } from '../../store/episodes'
import type { PlaybackRow } from '../../store/playback'
import { writeInstant } from '../core/instants'
import { withoutUserInfo } from '../core/links'

/** A user's position in an episode. */
export function presentHistory(
  episode: EpisodeRow,
  played: Pick<PlaybackRow, 'started' | 'position' | 'total' | 'finished' | 'device' | 'updated_at'>,
): History {
  return {
    podcast: episode.podcast_feed,
    episode: withoutUserInfo(episode.enclosure_url),
    timestamp: writeInstant(played.updated_at),
    guid: episode.guid,
    action: 'play',
    started: played.started,
    position: played.position,
    total: played.total ?? (episode.duration || null),
    device: played.device,
    finished: played.finished === 1,
  }
}

/** The position that the query joined to an episode; null if the user never played it. */
export function presentJoinedHistory(row: EpisodeForUser): History | null {
  if (row.playback_at === null || row.playback_position === null) return null
  return presentHistory(row, {
    started: row.playback_started,
    position: row.playback_position,
    total: row.playback_total,
    finished: row.playback_finished ?? 0,
    device: row.playback_device ?? '',
    updated_at: row.playback_at,
  })
}

/** The beginning of an episode that the user never played. */
export const presentUnplayed = (episode: EpisodeRow): EpisodeHistory => ({
  podcast: episode.podcast_feed,
  episode: withoutUserInfo(episode.enclosure_url),
  timestamp: null,
  guid: episode.guid,
  action: 'new',
  started: null,
  position: 0,
  total: episode.duration || null,
  device: '',
  finished: false,
})
