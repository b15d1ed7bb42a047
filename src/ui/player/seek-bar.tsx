import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import type { Part } from '../state/marked-parts'
import { chapterAt } from './chapters'
import { LiveMark } from './live-mark'
import { SeekTrack } from './seek-track'
import { spokenLength, spokenTime } from './spoken'
import './seek-bar.css'

const noParts: readonly Part[] = []

/** The position, as a slider between two clocks. Dragging shows the target, letting go seeks. */
export function SeekBar({ withChapter = false }: { withChapter?: boolean }) {
  useSignals()
  const { player, chapters, extras } = useApp()
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<number | null>(null)
  const duration = Math.floor(player.duration.value)
  const position = dragged ?? Math.floor(player.position.value)
  const all = chapters.all.value
  const title = all[chapterAt(all, position)]?.title
  const marked = extras.value?.skipMarks
  const words = t('position-of', { position: spokenTime(position), total: spokenLength(duration) })
  if (player.current.value?.live) return <LiveMark />
  function commit() {
    if (dragged !== null) player.seek(dragged)
    setDragged(null)
  }
  return (
    <div className="seek numbers">
      <span className="player-time">{formatDuration(position)}</span>
      <SeekTrack
        duration={duration}
        position={position}
        buffered={player.buffered.value}
        chapters={all}
        parts={marked?.parts.value ?? noParts}
        label={t('position')}
        text={[words, title, marked?.markedAt(position) && t('marked-part')].filter(Boolean).join(', ')}
        isDragged={dragged !== null}
        onChange={setDragged}
        onCommit={commit}
      />
      {withChapter && (
        <span className="seek-chapter" dir="auto">
          {title}
        </span>
      )}
      <TimeLeft duration={duration} position={position} />
    </div>
  )
}

/** The time that is left, or the whole length; a click swaps them. */
function TimeLeft({ duration, position }: { duration: number; position: number }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const total = duration > 0 ? formatDuration(duration) : '–:–'
  const isRemaining = player.showsRemaining.value && duration > 0
  const left = formatDuration(Math.max(0, duration - position))
  return (
    <button
      type="button"
      className="player-time player-total"
      aria-label={isRemaining ? t('time-left', { time: left }) : `${t('duration')} ${total}`}
      title={isRemaining ? t('show-duration') : t('show-remaining')}
      onClick={player.toggleRemaining}
    >
      {isRemaining ? `−${left}` : total}
    </button>
  )
}
