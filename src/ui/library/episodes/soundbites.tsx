import { Play } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { effect } from '@preact/signals-core'
import { useTranslation } from 'react-i18next'
import type { EpisodeExtras } from '../../../shared/api/episode'
import { formatDuration } from '../../../shared/duration'
import { useApp } from '../../app-context'

type Props = {
  episodeId: string
  soundbites: EpisodeExtras['soundbites']
  onPlayAt: (seconds: number) => void
}

/** Short parts that the makers chose. A click plays one from its beginning to its end. */
export function Soundbites({ episodeId, soundbites, onPlayAt }: Props) {
  const { t } = useTranslation()
  const playUntil = usePlayUntil(episodeId)
  if (soundbites.length === 0) return null
  return (
    <section className="episode-texts" aria-label={t('soundbites')}>
      <h4>{t('soundbites')}</h4>
      <ul className="chapters">
        {soundbites.map(({ startTime, duration, title = '' }) => (
          <li key={`${startTime} ${duration}`}>
            <button
              type="button"
              className="moment"
              aria-label={t('play-from', { time: formatDuration(startTime), title })}
              onClick={() => {
                onPlayAt(startTime)
                playUntil(startTime, startTime + duration)
              }}
            >
              <Play size={14} aria-hidden="true" fill="currentColor" />
              <span dir="auto">{title || t('soundbite-at', { time: formatDuration(startTime) })}</span>
              <time className="numbers">{formatDuration(duration)}</time>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Pauses the player at a second, unless the listener has gone elsewhere in the meantime. */
function usePlayUntil(episodeId: string) {
  const { player } = useApp()
  const end = useRef<() => void>(undefined)
  useEffect(() => () => end.current?.(), [])
  return (from: number, until: number) => {
    end.current?.()
    let hasBegun = false
    end.current = effect(() => {
      const isHere = player.current.value?.episode.id === episodeId
      const position = player.position.value
      const isInside = isHere && position >= from - 1 && position < until
      if (isInside && player.isPlaying.value) hasBegun = true
      if (!hasBegun || isInside) return
      // Playback ran past the end automatically. After a seek, the position would be further away.
      if (isHere && position >= until && position < until + 2) player.pause()
      queueMicrotask(() => end.current?.())
    })
  }
}
