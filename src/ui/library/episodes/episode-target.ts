import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { AppState } from '../../app-context'
import { translate } from '../../i18n'

/** The episode that an action is about. */
export type Target = { app: AppState; wrapper: EpisodeWrapper; podcastName: string }

/** Whether an episode is new: it came since the user had its podcast, and is not played. */
export const isNew = ({ podcastEpisode, podcastHistoryItem: history }: EpisodeWrapper) =>
  podcastEpisode.is_new && !history?.finished && (history?.position ?? 0) === 0

export async function download({ app, wrapper: { podcastEpisode: episode } }: Target) {
  const { errorCode } = await app.api.episodes.download(episode.episode_id)
  if (errorCode === 'disk-full') app.toasts.failed(translate('download-error.disk-full'))
}
