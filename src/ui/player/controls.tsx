import { useSignals } from '@preact/signals-react/runtime'
import { Pause, Play, RotateCcw, RotateCw, Volume2, VolumeX } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../shared/duration'
import { IconButton } from '../components/icon-button'
import { SKIP_SECONDS, type Player } from './player'
import './controls.css'

/** Back, play or pause, forward. */
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

/** While a finger drags it, the slider shows where it would go; letting go seeks. */
export function SeekBar({ player }: { player: Player }) {
  useSignals()
  const { t } = useTranslation()
  const [dragged, setDragged] = useState<number | null>(null)
  const duration = Math.floor(player.duration.value)
  const position = dragged ?? Math.floor(player.position.value)
  const share = duration > 0 ? Math.min(100, (100 * position) / duration) : 0
  function commit() {
    if (dragged !== null) player.seek(dragged)
    setDragged(null)
  }
  return (
    <div className="player-seek numbers">
      <span className="player-time">{formatDuration(position)}</span>
      <input
        type="range"
        className="slider"
        min={0}
        max={duration || 1}
        step={1}
        value={Math.min(position, duration || 1)}
        disabled={duration === 0}
        style={{ '--share': `${share}%` } as React.CSSProperties}
        aria-label={t('position')}
        aria-valuetext={t('position-of', { position: formatDuration(position), total: formatDuration(duration) })}
        onChange={event => setDragged(Number(event.target.value))}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
      />
      <span className="player-time">{duration > 0 ? formatDuration(duration) : '–:–'}</span>
    </div>
  )
}

export function VolumeControl({ player }: { player: Player }) {
  useSignals()
  const { t } = useTranslation()
  const isSilent = player.isMuted.value || player.volume.value === 0
  const shown = player.isMuted.value ? 0 : player.volume.value
  return (
    <div className="volume">
      <IconButton
        icon={isSilent ? VolumeX : Volume2}
        label={player.isMuted.value ? t('unmute') : t('mute')}
        onClick={player.toggleMute}
      />
      <input
        type="range"
        className="slider"
        min={0}
        max={300}
        step={1}
        value={shown}
        style={{ '--share': `${shown / 3}%` } as React.CSSProperties}
        aria-label={t('volume')}
        aria-valuetext={`${shown} %`}
        onChange={event => player.setVolume(Number(event.target.value))}
      />
    </div>
  )
}
