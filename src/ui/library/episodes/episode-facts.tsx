import { useSignals } from '@preact/signals-react/runtime'
import { Check, Heart, Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Episode } from '../../../shared/api/episode'
import { formatDuration } from '../../../shared/duration'
import { useApp } from '../../app-context'
import { formatDate, formatMinutes } from '../../format'
import { routes } from '../../routes'
import { isGone } from './is-gone'
import type { EpisodePlayback } from './use-episode-playback'

type Props = {
  episode: Episode
  /** Null where all rows are of the same podcast. */
  podcastName: string | null
  playback: EpisodePlayback
}

/** The line below an episode's title: date, length or progress, and marks. */
export function EpisodeFacts({ episode, podcastName, playback }: Props) {
  useSignals()
  const { kept } = useApp()
  const { t } = useTranslation()
  const keptShare = kept.running.value.get(episode.episode_id)
  return (
    <p className="muted">
      {podcastName !== null && (
        <>
          <Link href={routes.episodes(episode.podcast_id)}>{podcastName}</Link>
          {' · '}
        </>
      )}
      <time dateTime={episode.date_of_recording}>{formatDate(episode.date_of_recording)}</time>
      <Progress playback={playback} />
      {isGone(episode) && ` · ${t('not-available')}`}
      {episode.episode_type !== 'full' && ` · ${t(`episode-type-${episode.episode_type}`)}`}
      {kept.ids.value.has(episode.episode_id) && (
        <Smartphone className="episode-mark" size={14} role="img" aria-label={t('on-this-device')} />
      )}
      {keptShare !== undefined && ` · ${t('keeping', { percent: Math.round(100 * keptShare) })}`}
      {episode.favored && (
        <Heart className="episode-liked" size={14} role="img" aria-label={t('liked')} fill="currentColor" />
      )}
    </p>
  )
}

function Progress({ playback: { position, total, isFinished } }: { playback: EpisodePlayback }) {
  const { t } = useTranslation()
  if (isFinished)
    return (
      <>
        {' · '}
        <span className="episode-played">
          <Check size={14} aria-hidden="true" /> {t('played')}
        </span>
      </>
    )
  if (total === 0) return null
  if (position > 0) return <> · {t('time-left', { time: formatMinutes(Math.max(0, total - position)) })}</>
  return (
    <>
      {' · '}
      <span className="numbers">{formatDuration(total)}</span>
    </>
  )
}

/** The same progress as a line along the row. */
export function ProgressLine({ playback: { position, total, isFinished } }: { playback: EpisodePlayback }) {
  if (position === 0 || isFinished || total === 0) return null
  const share = Math.min(100, (100 * position) / total)
  return <span className="episode-progress" style={{ '--share': `${share}%` } as React.CSSProperties} />
}
