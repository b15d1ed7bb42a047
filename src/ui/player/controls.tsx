import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play, RotateCcw, RotateCw, SkipForward, Volume2, VolumeX } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chapter } from '../../shared/api/chapter'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { IconButton } from '../components/icon-button'
import type { Player } from './player'
import { SKIP_SECONDS } from './transport'
import './controls.css'

/** The buttons back, play or pause, and forward. */
export function Transport({ player }: { player: Player }) {
  useSignals()
  const { t } = useTranslation()
  const isActive = player.isPlaying.value || player.isWaiting.value
  return (
    <>
      <IconButton
        icon={RotateCcw}
        label={t('skip-back', { seconds: SKIP_SECONDS })}
        className="skip"
        onClick={player.skipBack}
      >
        <span className="skip-seconds">{SKIP_SECONDS}</span>
      </IconButton>
      <IconButton
        icon={isActive ? Pause : Play}
        label={isActive ? t('pause') : t('play')}
        className="player-toggle"
        aria-busy={player.isWaiting.value}
        onClick={player.toggle}
      />
      <IconButton
        icon={RotateCw}
        label={t('skip-forward', { seconds: SKIP_SECONDS })}
        className="skip"
        onClick={player.skipForward}
      >
        <span className="skip-seconds">{SKIP_SECONDS}</span>
      </IconButton>
    </>
  )
}

export function RateButton({ player }: { player: Player }) {
  useSignals()
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className="rate numbers"
      aria-label={t('playback-rate', { rate: player.rate.value })}
      title={t('speed')}
      onClick={player.cycleRate}
    >
      {player.rate.value}×
    </button>
  )
}

const PAGE = 10

type SliderProps = {
  label: string
  value: number
  max: number
  /** The value in words, for screen readers. */
  text: string
  disabled?: boolean
  onChange: (value: number) => void
  onCommit?: () => void
}

/** A slider that moves in steps of one; in steps of ten with the page keys, or with Shift. */
function Slider({ label, value, max, text, disabled = false, onChange, onCommit }: SliderProps) {
  function onKeyDown(event: KeyboardEvent) {
    const isUp = event.key === 'ArrowUp' || event.key === 'ArrowRight'
    const isDown = event.key === 'ArrowDown' || event.key === 'ArrowLeft'
    const by =
      event.key === 'PageUp' || (isUp && event.shiftKey)
        ? PAGE
        : event.key === 'PageDown' || (isDown && event.shiftKey)
          ? -PAGE
          : 0
    if (by === 0) return
    event.preventDefault()
    onChange(Math.min(max, Math.max(0, value + by)))
  }
  return (
    <input
      type="range"
      className="slider"
      min={0}
      max={max}
      step={1}
      value={value}
      disabled={disabled}
      style={{ '--share': `${(100 * value) / max}%` } as React.CSSProperties}
      aria-label={label}
      aria-valuetext={text}
      onChange={event => onChange(Number(event.target.value))}
      onKeyDown={onKeyDown}
      onPointerUp={onCommit}
      onKeyUp={onCommit}
      onBlur={onCommit}
    />
  )
}

/** The position as a slider. Dragging shows the target, letting go seeks. `chapters` are marked on it. */
export function SeekBar({ player, chapters = noChapters }: { player: Player; chapters?: readonly Chapter[] }) {
  useSignals()
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<number | null>(null)
  const duration = Math.floor(player.duration.value)
  const position = dragged ?? Math.floor(player.position.value)
  const total = duration > 0 ? formatDuration(duration) : '–:–'
  const isRemaining = player.showsRemaining.value && duration > 0
  function commit() {
    if (dragged !== null) player.seek(dragged)
    setDragged(null)
  }
  return (
    <div className="player-seek numbers">
      <span className="player-time">{formatDuration(position)}</span>
      <span className="player-track">
        <Slider
          label={t('position')}
          value={Math.min(position, duration || 1)}
          max={duration || 1}
          text={t('position-of', { position: formatDuration(position), total: formatDuration(duration) })}
          disabled={duration === 0}
          onChange={setDragged}
          onCommit={commit}
        />
        {duration > 0 &&
          chapters.map(
            ({ id, startTime, title }) =>
              startTime > 0 &&
              startTime < duration && (
                <span
                  key={id}
                  className="chapter-tick"
                  style={{ '--share': `${(100 * startTime) / duration}%` } as React.CSSProperties}
                  title={`${formatDuration(startTime)} ${title}`}
                  onPointerDown={() => player.seek(startTime)}
                />
              ),
          )}
      </span>
      <button
        type="button"
        className="player-time player-total"
        aria-label={
          isRemaining ? t('time-left', { time: formatDuration(duration - position) }) : `${t('duration')} ${total}`
        }
        title={isRemaining ? t('show-duration') : t('show-remaining')}
        onClick={player.toggleRemaining}
      >
        {isRemaining ? `−${formatDuration(Math.max(0, duration - position))}` : total}
      </button>
    </div>
  )
}

const noChapters: readonly Chapter[] = []

export function VolumeControl({ player }: { player: Player }) {
  useSignals()
  const { t } = useTranslation()
  const isSilent = player.isMuted.value || player.volume.value === 0
  const shown = player.isMuted.value ? 0 : player.volume.value
  return (
    <div className={`volume ${shown > 100 ? 'is-boosted' : ''}`} title={`${t('volume')} ${shown} %`}>
      <IconButton
        icon={isSilent ? VolumeX : Volume2}
        label={player.isMuted.value ? t('unmute') : t('mute')}
        onClick={player.toggleMute}
      />
      <Slider label={t('volume')} value={shown} max={300} text={`${shown} %`} onChange={player.setVolume} />
    </div>
  )
}

/** The button that continues with the queue; absent while the queue is empty. */
export function NextButton() {
  useSignals()
  const { next, playNext } = useApp()
  const { t } = useTranslation()
  if (!next.value) return null
  return (
    <IconButton
      icon={SkipForward}
      label={t('next-in-queue', { name: next.value.podcastEpisode.name })}
      className="player-next"
      onClick={playNext}
    />
  )
}
