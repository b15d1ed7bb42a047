import { useSignals } from '@preact/signals-react/runtime'
import type { TFunction } from 'i18next'
import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import { formatDuration } from '../../../shared/duration'
import { useApp } from '../../app-context'
import { IconButton } from '../../components/buttons'
import { formatBytes } from '../../format-facts'
import { formatMinutes } from '../../format'
import type { Kept } from '../../state/kept'
import { EpisodeCover } from '../covers'
import { PlayButton } from '../episodes/play-button'
import './kept-list.css'

/** The episodes kept on this device, which play without the server. */
export function KeptList() {
  useSignals()
  const { kept } = useApp()
  return (
    <ul className="kept-list ruled">
      {kept.episodes.value.map(episode => (
        <KeptEpisode key={episode.wrapper.podcastEpisode.id} kept={episode} />
      ))}
    </ul>
  )
}

function KeptEpisode({ kept: { wrapper, podcastName, bytes } }: { kept: Kept }) {
  useSignals()
  const { kept, player, failed } = useApp()
  const { t } = useTranslation()
  const { podcastEpisode: episode } = wrapper
  const isPlaying = player.current.value?.episode.id === episode.id && player.isPlaying.value
  return (
    <li className="stack gap-8 x-12 level">
      <EpisodeCover episode={episode} podcastName={podcastName} size={64} />
      <div className="kept-text">
        <h3 className="breaks">{episode.name}</h3>
        <p className="faint flush breaks">
          {[podcastName, timeOf(wrapper, t), formatBytes(bytes)].filter(Boolean).join(' · ')}
        </p>
      </div>
      <PlayButton
        name={episode.name}
        isPlaying={isPlaying}
        onClick={() => (isPlaying ? player.pause() : void player.play(wrapper, podcastName).catch(failed))}
      />
      <IconButton
        icon={Trash2}
        label={t('remove-from-device-named', { name: episode.name })}
        onClick={() => void kept.remove(episode.episode_id).catch(failed)}
      />
    </li>
  )
}

/** The time left of an episode, or its length; null if that is unknown. */
function timeOf({ podcastEpisode, podcastHistoryItem: history }: EpisodeWrapper, t: TFunction): string | null {
  const total = history?.total ?? podcastEpisode.total_time
  const position = history?.position ?? 0
  if (history?.finished) return t('played')
  if (total === 0) return null
  return position > 0 ? t('time-left', { time: formatMinutes(Math.max(0, total - position)) }) : formatDuration(total)
}
