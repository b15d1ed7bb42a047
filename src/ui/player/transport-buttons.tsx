import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/buttons'
import { startBefore } from '../playback/chapter-steps'
import { chapterAt } from '../playback/chapters'
import './bar.css'

/**
 * The buttons of every player: chapter back, back, play or pause, forward, chapter forward. They are never mirrored. A
 * live stream has only the one in the middle.
 */
export function Transport() {
  useSignals()
  const { player, chapters, extras } = useApp()
  const { t } = useTranslation()
  const isActive = player.isPlaying.value || player.isWaiting.value
  const isLive = player.current.value?.live !== undefined
  const { back, forward } = player.skipLengths.value
  const hasChapters = chapters.all.value.length > 0
  const stops = extras.value?.skipMarks.stops.value ?? chapters.all.value
  const next = stops[chapterAt(stops, player.position.value) + 1]
  return (
    <div className="transport centred row gap-8">
      {hasChapters && (
        <IconButton
          icon={SkipBack}
          label={t('chapter-back')}
          className="transport-chapter"
          onClick={() => player.seek(startBefore(stops, player.position.peek()))}
        />
      )}
      {!isLive && <SkipButton seconds={back} label={t('skip-back', { seconds: back })} onClick={player.skipBack} />}
      <IconButton
        icon={isActive ? Pause : Play}
        label={isActive ? t('pause') : t('play')}
        className="player-toggle filled"
        aria-busy={player.isWaiting.value}
        onClick={player.toggle}
      />
      {!isLive && (
        <SkipButton
          seconds={forward}
          isForward
          label={t('skip-forward', { seconds: forward })}
          onClick={player.skipForward}
        />
      )}
      {hasChapters && (
        <IconButton
          icon={SkipForward}
          label={t('chapter-forward')}
          className="transport-chapter"
          disabled={!next}
          onClick={() => next && player.seek(next.startTime)}
        />
      )}
    </div>
  )
}

type SkipProps = { seconds: number; isForward?: boolean; label: string; onClick: () => void }

function SkipButton({ seconds, isForward = false, label, onClick }: SkipProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
      <SkipIcon seconds={seconds} isForward={isForward} />
    </button>
  )
}

/** An arrow around a number of seconds. */
function SkipIcon({ seconds, isForward }: { seconds: number; isForward: boolean }) {
  return (
    <svg className="skip-icon" viewBox="0 0 28 28" aria-hidden="true">
      <g transform={isForward ? 'matrix(-1 0 0 1 28 0)' : undefined}>
        <path d="M4.5 4v5.5H10" />
        <path d="M4.5 9.5A11 11 0 1 1 3 14" />
      </g>
      <text x="14" y="17.6" textAnchor="middle">
        {seconds}
      </text>
    </svg>
  )
}
