import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { formatMinutes } from '../../format'
import { EpisodeCover } from '../../library/covers/episode-cover'
import { PlayButton } from '../../library/episodes/play-button'
import { useEpisodePlayback } from '../../library/episodes/use-episode-playback'
import { routes } from '../../routes'

/** A started episode: its cover, a button to continue, and the time left. */
export function ContinueCard({ wrapper, podcastName }: { wrapper: EpisodeWrapper; podcastName: string }) {
  const { player, failed } = useApp()
  const { t } = useTranslation()
  const { podcastEpisode: episode } = wrapper
  const { isPlaying, position, total } = useEpisodePlayback(wrapper)
  return (
    <li className="continue-card">
      <span className="continue-cover">
        <EpisodeCover episode={episode} podcastName={podcastName} size={256} />
        <PlayButton
          name={episode.name}
          isPlaying={isPlaying}
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
