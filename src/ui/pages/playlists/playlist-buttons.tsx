import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play, Shuffle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Playlist } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { tintStyle } from '../../components/cover'
import { formatMinutes } from '../../format'
import './playlists.css'
import { lengthOf, placeIn, usePlaylistActions } from './use-playlist-actions'

/** The style of the tint that the first podcast of a playlist gives it. */
export function useTint([first]: readonly string[], name: string) {
  useSignals()
  const podcast = useApp().library.byId.value.get(first ?? '')
  return tintStyle(podcast?.coverColor, podcast?.name ?? name)
}

type ButtonProps = { playlist: Playlist; isLong?: boolean }

/** Continues a playlist, or plays it from its first episode. `isLong`: says how much of the episode is left. */
export function PlayPlaylist({ playlist, isLong = false }: ButtonProps) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const { resume } = usePlaylistActions()
  const { place, isCurrent, isBegun } = placeIn(playlist.items, player.current.value?.episode.id)
  const isPlaying = isCurrent && player.isPlaying.value
  const item = playlist.items[place]
  const seconds = isCurrent ? player.duration.value - player.position.value : item ? lengthOf([item]).left : 0
  const isPartly = isCurrent ? player.position.value > 0 : (item?.podcastHistoryItem?.position ?? 0) > 0
  const Icon = isPlaying ? Pause : Play
  const word =
    isLong && isPartly && seconds > 0
      ? t('continue-left', { time: formatMinutes(seconds) })
      : t(isBegun ? 'continue' : 'play')
  return (
    <button
      type="button"
      className="pill playlist-primary centred with-icon filled"
      disabled={playlist.items.length === 0}
      onClick={() => resume(playlist)}
    >
      <Icon size={18} aria-hidden="true" />
      {isPlaying ? t('pause') : word}
    </button>
  )
}

/** Plays a playlist in a random order. */
export function ShufflePlaylist({ playlist, className = '' }: { playlist: Playlist; className?: string }) {
  const { t } = useTranslation()
  const { shuffle } = usePlaylistActions()
  return (
    <button
      type="button"
      className={`secondary pill with-icon ${className}`}
      disabled={playlist.items.length < 2}
      onClick={() => shuffle(playlist)}
    >
      <Shuffle size={18} strokeWidth={1.75} aria-hidden="true" />
      {t('shuffle')}
    </button>
  )
}
