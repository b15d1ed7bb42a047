import { useSignals } from '@preact/signals-react/runtime'
import { Radio } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LiveItem } from '../../../shared/api/playables'
import type { KnownPodcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'
import { formatMoment } from '../../format'
import { PlayButton } from '../../library/episodes/play-button'
import { liveEpisode } from '../../playback/live-episode'
import { LiveLinks } from '../../player/live-sheet'
import './podcast.css'

type Props = { podcast: KnownPodcast; items: readonly LiveItem[] | undefined }

/** Shows a live stream that is on or about to be; one that is on plays in the player. */
export function LiveNotice({ podcast, items }: Props) {
  const { t } = useTranslation()
  const [now] = useState(() => Date.now())
  const live = liveNow(items, now)
  if (!live) return null
  const { item, isOn } = live
  return (
    <div className={`live-notice curved gap-4 x-12 list-width wrap row ${isOn ? 'soft' : 'shaded'}`} role="status">
      {isOn && item.streams.length > 0 ? (
        <PlayLive podcast={podcast} item={item} />
      ) : (
        <Radio className="accent" size={18} aria-hidden="true" />
      )}
      <span className="grow breaks">
        <strong>{isOn ? t('live-now') : t('live-at', { when: formatMoment(item.start) })}</strong>{' '}
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
function PlayLive({ podcast, item }: { podcast: KnownPodcast; item: LiveItem }) {
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

const HOUR = 3_600_000
/** The assumed length of a stream without an announced end. */
const USUAL_MS = 4 * HOUR
/** The time before its beginning at which a stream is announced. */
const AHEAD_MS = 7 * 24 * HOUR

type LiveNow = { item: LiveItem; isOn: boolean }

/**
 * Returns the live stream that is on, else the next one within a week. The feed gave its state when it was last
 * checked, so the announced times count as well.
 */
export function liveNow(items: readonly LiveItem[] | undefined, now: number): LiveNow | null {
  const open = (items ?? [])
    .filter(({ status }) => status !== 'ended')
    .map(item => ({ item, start: Date.parse(item.start), end: endOf(item) }))
    .filter(({ start, end }) => end > now && start < now + AHEAD_MS)
    .sort((one, other) => one.start - other.start)
  const on = open.find(({ item, start }) => start <= now || item.status === 'live')
  const found = on ?? open[0]
  return found ? { item: found.item, isOn: found === on } : null
}

const endOf = ({ start, end }: LiveItem) => (end ? Date.parse(end) : Date.parse(start) + USUAL_MS)
