import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper, NextUp, PodcastOverview } from '../../../shared/api/episode'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { formatMinutes } from '../../format'
import { useEpisodePlayback } from '../../library/episodes/use-episode-playback'

type Props = { podcast: Podcast; overview: PodcastOverview | null }

/**
 * The button that plays what one most likely wants of a podcast. While the player has an episode of it, the button
 * continues or pauses that.
 */
export function PrimaryAction({ podcast, overview }: Props) {
  useSignals()
  const { player } = useApp()
  const isActive = player.isPlaying.value || player.position.value > 0
  const isHere = player.current.value?.podcastId === podcast.id && isActive
  if (isHere) return <Continue {...remainingOf(player)} isPlaying={player.isPlaying.value} onClick={player.toggle} />
  // Keeps the place, so that nothing moves when the answer arrives.
  if (!overview)
    return <button type="button" className="pill podcast-primary with-icon filled" aria-hidden="true" disabled />
  return overview.next && <PlayNext podcast={podcast} next={overview.next} />
}

const remainingOf = ({ duration, position }: ReturnType<typeof useApp>['player']) => ({
  secondsLeft: duration.value > 0 ? Math.max(0, duration.value - position.value) : null,
})

type ContinueProps = { secondsLeft: number | null; isPlaying: boolean; onClick: () => void }

function Continue({ secondsLeft, isPlaying, onClick }: ContinueProps) {
  const { t } = useTranslation()
  const time = secondsLeft === null ? null : formatMinutes(secondsLeft)
  const Icon = isPlaying ? Pause : Play
  return (
    <button type="button" className="pill podcast-primary with-icon filled" onClick={onClick}>
      <Icon size={18} aria-hidden="true" />
      <span className="truncate">
        {isPlaying ? t('pause') : time === null ? t('continue') : t('continue-left', { time })}
      </span>
    </button>
  )
}

function PlayNext({ podcast, next }: { podcast: Podcast; next: NextUp }) {
  const { t } = useTranslation()
  const { total, position } = useEpisodePlayback(next.episode)
  const play = usePlay(podcast)
  const { name } = next.episode.podcastEpisode
  if (next.reason === 'begun')
    return (
      <Continue
        secondsLeft={total > 0 ? Math.max(0, total - position) : null}
        isPlaying={false}
        onClick={() => play(next.episode)}
      />
    )
  return (
    <button
      type="button"
      className="pill podcast-primary with-icon filled"
      title={name}
      onClick={() => play(next.episode)}
    >
      <Play size={18} aria-hidden="true" />
      <span dir="auto">{t(words[next.reason], { name })}</span>
    </button>
  )
}

const words = {
  first: 'play-first-part',
  next: 'play-next-part',
  newest: 'play-newest',
  again: 'play-something',
} as const

/** Plays the newest episode, where the first button plays another one. */
export function PlayNewest({ podcast, overview }: Props) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const play = usePlay(podcast)
  const newest = overview?.newest
  const leading = player.current.value?.podcastId === podcast.id ? player.current.value.episode.id : nextIdOf(overview)
  if (!newest || newest.podcastEpisode.id === leading) return null
  return (
    <button type="button" className="secondary pill podcast-newest" onClick={() => play(newest)}>
      {t('play-newest')}
    </button>
  )
}

const nextIdOf = (overview: PodcastOverview | null | undefined) => overview?.next?.episode.podcastEpisode.id

function usePlay({ name }: Podcast) {
  const { player, failed } = useApp()
  return (wrapper: EpisodeWrapper) => void player.play(wrapper, name).catch(failed)
}
