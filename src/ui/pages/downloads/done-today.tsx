import { useSignals } from '@preact/signals-react/runtime'
import { useTranslation } from 'react-i18next'
import type { YourEpisode } from '../../../shared/api/your-episodes'
import { useApp } from '../../app-context'
import { formatBytes, formatTime } from '../../format'
import { episodeActions } from '../../library/episodes/episode-actions'
import { isGone } from '../../library/episodes/is-gone'
import { PlayButton } from '../../library/episodes/play-button'
import { useEpisodePlayback } from '../../library/episodes/use-episode-playback'
import { DownloadFrame } from './download-frame'

/** Keeps of a list, the latest first, what came into it on the day of `now`. */
export function ofToday(episodes: readonly YourEpisode[], now = Date.now()): YourEpisode[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0)
  return episodes.filter(({ at }) => Date.parse(at) >= midnight)
}

/** A file that came to the server today, ready to be played. */
export function DoneRow({ wrapper }: { wrapper: YourEpisode }) {
  useSignals()
  const app = useApp()
  const { podcastEpisode: episode, at } = wrapper
  const podcastName = app.library.byId.value.get(episode.podcast_id)?.name ?? ''
  const playback = useEpisodePlayback(wrapper)
  const { play } = episodeActions(app, wrapper, podcastName)
  return (
    <DownloadFrame
      state="done"
      podcastId={episode.podcast_id}
      podcastName={podcastName}
      episodeId={episode.episode_id}
      episodeName={episode.name}
      facts={<DoneFacts at={at} bytes={episode.file_size} />}
    >
      <PlayButton
        name={episode.name}
        isPlaying={playback.isPlaying}
        share={playback.share}
        isDisabled={isGone(episode)}
        onClick={playback.isPlaying ? app.player.pause : play}
      />
    </DownloadFrame>
  )
}

function DoneFacts({ at, bytes }: { at: string; bytes: number | null }) {
  const { t } = useTranslation()
  return (
    <span className="muted numbers download-figures">
      <span>
        {t('on-the-server')}
        {bytes !== null && bytes > 0 && ` · ${formatBytes(bytes)}`}
      </span>
      <time dateTime={at}>{formatTime(at)}</time>
    </span>
  )
}
