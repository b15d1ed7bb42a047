import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { Cover } from '../../components/cover'
import { IconButton } from '../../components/icon-button'
import { formatMinutes } from '../../format'
import { routes } from '../../routes'

/** An episode that was begun: a cover to press, and how much is left. */
export function ContinueCard({ wrapper, podcastName }: { wrapper: EpisodeWrapper; podcastName: string }) {
  useSignals()
  const { player, failed } = useApp()
  const { t } = useTranslation()
  const { podcastEpisode: episode, podcastHistoryItem: history } = wrapper
  const isCurrent = player.current.value?.episode.id === episode.id
  const isPlaying = isCurrent && player.isPlaying.value
  const position = isCurrent ? player.position.value : (history?.position ?? 0)
  const total = history?.total ?? episode.total_time
  return (
    <li className="continue-card">
      <span className="continue-cover">
        <Cover
          src={episode.local_image_url}
          name={podcastName || episode.name}
          isMissing={episode.image_url === ''}
          size={256}
        />
        <IconButton
          icon={isPlaying ? Pause : Play}
          label={t(isPlaying ? 'pause-episode' : 'play-episode', { name: episode.name })}
          onClick={() => (isPlaying ? player.pause() : void player.play(wrapper, podcastName).catch(failed))}
        />
        {total > 0 && <progress value={position} max={total} aria-label={t('position')} />}
      </span>
      <Link className="continue-title" href={routes.episodes(episode.podcast_id, episode.id)}>
        {episode.name}
      </Link>
      <span className="muted">
        {total > 0 ? t('time-left', { time: formatMinutes(Math.max(0, total - position)) }) : podcastName}
      </span>
    </li>
  )
}
