import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../../shared/duration'
import { useApp } from '../../app-context'
import { Cover } from '../../components/cover'
import { IconButton } from '../../components/icon-button'
import { formatBytes, formatMinutes } from '../../format'
import type { Kept } from '../../state/kept'
import './kept-list.css'

/** The episodes on this device, which play without the server. */
export function KeptList() {
  useSignals()
  const { kept } = useApp()
  return (
    <ul className="kept-list">
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
  const { podcastEpisode: episode, podcastHistoryItem: history } = wrapper
  const isPlaying = player.current.value?.episode.id === episode.id && player.isPlaying.value
  const total = history?.total ?? episode.total_time
  const position = history?.position ?? 0
  const time = () => {
    if (history?.finished) return t('played')
    if (position > 0 && total > 0) return t('time-left', { time: formatMinutes(Math.max(0, total - position)) })
    return total > 0 ? formatDuration(total) : null
  }
  return (
    <li>
      <Cover src={episode.local_image_url} name={podcastName} isMissing={episode.image_url === ''} size={64} />
      <div className="kept-text">
        <h3>{episode.name}</h3>
        <p className="muted">{[podcastName, time(), formatBytes(bytes)].filter(Boolean).join(' · ')}</p>
      </div>
      <IconButton
        icon={isPlaying ? Pause : Play}
        className="kept-play"
        label={isPlaying ? t('pause-episode', { name: episode.name }) : t('play-episode', { name: episode.name })}
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
