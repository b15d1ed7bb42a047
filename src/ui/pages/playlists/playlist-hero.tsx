import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play, Shuffle } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Playlist } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { tintStyle } from '../../components/cover'
import { formatMinutes, formatTime } from '../../format'
import { useNow } from '../../player/queue-summary'
import { routes } from '../../routes'
import { Mosaic, podcastsOf } from './mosaic'
import './playlists.css'
import { lengthOf, placeIn } from './progress'
import { usePlaylistActions } from './use-playlist-actions'

/** The playlist that was played last, on the tint of its first cover. `menu`: its other actions. */
export function PlaylistHero({ playlist, menu }: { playlist: Playlist; menu: ReactNode }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const { id, name, items } = playlist
  const { place, isCurrent } = placeIn(items, player.current.value?.episode.id)
  const { total, left } = lengthOf(items)
  const number = t('playlist-place', { number: place + 1, count: items.length })
  const share = total > 0 ? 1 - left / total : 0
  return (
    <section
      className="playlist-hero tinted row gap-20"
      style={useTint(podcastsOf(items), name)}
      aria-labelledby="playlist-hero"
    >
      <Mosaic podcasts={podcastsOf(items)} eager />
      <div className="stack single grow">
        <p className="fine muted flush numbers">
          {isCurrent && player.isPlaying.value
            ? t('playing-now', { place: number })
            : t('last-played', { place: number })}
        </p>
        <h2 className="display clamp flush" id="playlist-hero" dir="auto">
          <Link className="bare" href={routes.playlist(id)}>
            {name}
          </Link>
        </h2>
        <p className="fine muted flush numbers">
          <Length count={items.length} left={left} />
        </p>
        {share > 0 && <span className="playlist-meter meter above-8" style={{ '--share': share } as CSSProperties} />}
        <div className="row gap-8 above-12 wrap">
          <PlayPlaylist playlist={playlist} />
          <ShufflePlaylist playlist={playlist} className="above-phone" />
          {menu}
        </div>
      </div>
    </section>
  )
}

/** The style of the tint that the first podcast of a playlist gives it. */
export function useTint([first]: readonly string[], name: string) {
  useSignals()
  const podcast = useApp().library.byId.value.get(first ?? '')
  return tintStyle(podcast?.coverColor, podcast?.name ?? name)
}

/** The number of episodes, and how long the rest of them takes at the speed of the player. */
function Length({ count, left }: { count: number; left: number }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const seconds = left / player.rate.value
  const end = formatTime(useNow() + seconds * 1000)
  return [t('episodes-count', { count }), left > 0 && t('left-ends', { time: formatMinutes(seconds), end })]
    .filter(Boolean)
    .join(' · ')
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
