import { useSignals } from '@preact/signals-react/runtime'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Playlist } from '../../../shared/api/playlist'
import { useApp } from '../../app-context'
import { formatMinutes, formatTime } from '../../format'
import { useNow } from '../../player/queue-summary'
import { routes } from '../../routes'
import { Mosaic, podcastsOf } from './mosaic'
import { PlayPlaylist, ShufflePlaylist, useTint } from './playlist-buttons'
import './playlists.css'
import { lengthOf, placeIn } from './progress'

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
