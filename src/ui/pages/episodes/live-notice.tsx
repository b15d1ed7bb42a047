import { useSignals } from '@preact/signals-react/runtime'
import { Radio } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LiveItem } from '../../../shared/api/playables'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { formatMoment } from '../../format'
import { PlayButton } from '../../library/episodes/play-button'
import { liveEpisode } from '../../player/live-episode'
import { LiveLinks } from '../../player/live-sheet'
import { liveNow } from './live'
import './live-notice.css'

type Props = { podcast: Podcast; items: readonly LiveItem[] | undefined }

/** Shows a live stream that is on or about to be; one that is on plays in the player. */
export function LiveNotice({ podcast, items }: Props) {
  const { t } = useTranslation()
  const [now] = useState(() => Date.now())
  const live = liveNow(items, now)
  if (!live) return null
  const { item, isOn } = live
  return (
    <div className={`live-notice ${isOn ? 'is-on' : ''}`} role="status">
      {isOn && item.streams.length > 0 ? (
        <PlayLive podcast={podcast} item={item} />
      ) : (
        <Radio size={18} aria-hidden="true" />
      )}
      <span>
        <b>{isOn ? t('live-now') : t('live-at', { when: formatMoment(item.start) })}</b>{' '}
        <span dir="auto">{item.title}</span>
      </span>
      {item.url && !item.contentLinks && (
        <a href={item.url} target="_blank" rel="noopener noreferrer">
          {t(isOn ? 'live-join' : 'live-page')}
        </a>
      )}
      <LiveLinks item={item} />
    </div>
  )
}

/** Plays the first stream that this browser believes it can play. */
function PlayLive({ podcast, item }: { podcast: Podcast; item: LiveItem }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const [probe] = useState(() => document.createElement('video'))
  const stream = item.streams.find(({ type }) => probe.canPlayType?.(type) !== '') ?? item.streams[0]!
  const playing = liveEpisode(podcast, item, stream)
  const isPlaying = player.current.value?.episode.id === playing.episode.id && player.isPlaying.value
  return (
    <PlayButton
      name={item.title || t('live-now')}
      isPlaying={isPlaying}
      onClick={() => (isPlaying ? player.pause() : void player.playLive(playing))}
    />
  )
}
