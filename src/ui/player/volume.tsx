import { useSignals } from '@preact/signals-react/runtime'
import { Volume2, VolumeX } from 'lucide-react'
import { useCallback, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { IconButton } from '../components/buttons'
import { useDismiss } from '../components/menu'
import type { Player } from '../playback/player'
import { useIsRemote } from './buttons'
import { canSetVolume, maxVolume } from '../playback/shaper'
import { Slider } from './seek-bar'
import './sliders.css'

/** The volume in percent; the amplifier begins above 100. */
export function VolumeSlider() {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const isRemote = useIsRemote()
  const max = maxVolume()
  const shown = player.isMuted.value ? 0 : Math.min(max, player.volume.value)
  return (
    <span
      className={`volume-track relative row ${shown > 100 ? 'is-boosted' : ''} ${isRemote ? 'is-remote' : ''}`}
      style={{ '--at': shown / max, '--usual': 100 / max } as CSSProperties}
      title={isRemote ? t('remote-volume') : `${t('volume')} ${shown} %`}
    >
      {max > 100 && <i className="volume-tick absolute" />}
      <Slider
        label={isRemote ? t('remote-volume') : t('volume')}
        value={shown}
        max={max}
        text={`${shown} %`}
        disabled={isRemote}
        onChange={player.setVolume}
      />
    </span>
  )
}

export function MuteButton() {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const isRemote = useIsRemote()
  return (
    <IconButton
      icon={isSilent(player) ? VolumeX : Volume2}
      label={isRemote ? t('remote-volume') : player.isMuted.value ? t('unmute') : t('mute')}
      disabled={isRemote}
      onClick={player.toggleMute}
    />
  )
}

/** The icon of the volume as it is. */
export function VolumeIcon({ size }: { size: number }) {
  useSignals()
  const { player } = useApp()
  const look = { size, strokeWidth: 1.75, 'aria-hidden': true } as const
  return isSilent(player) ? <VolumeX {...look} /> : <Volume2 {...look} />
}

const isSilent = ({ isMuted, volume }: Player) => isMuted.value || volume.value === 0

/**
 * A button that opens the volume as an upright slider above a button that mutes. If the system controls the volume, it
 * only mutes. `children`: what the button shows instead of an icon.
 */
export function VolumePopup({ children }: { children?: ReactNode }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [isOurs] = useState(canSetVolume)
  const root = useRef<HTMLSpanElement>(null)
  const close = useCallback(() => setOpen(false), [])
  useDismiss(root, isOpen, close)
  const shown = player.isMuted.value ? 0 : Math.min(maxVolume(), player.volume.value)
  const isRemote = useIsRemote()
  const label = isRemote
    ? t('remote-volume')
    : isOurs
      ? `${t('volume')} ${shown} %`
      : player.isMuted.value
        ? t('unmute')
        : t('mute')
  return (
    <span
      className="volume-popup anchor"
      ref={root}
      role="presentation"
      onKeyDown={event => {
        // The sheet around it stays open.
        if (isOpen && event.key === 'Escape') event.preventDefault()
      }}
    >
      <button
        type="button"
        className={children ? 'tool caption plain center relative gap-2' : 'icon-button'}
        aria-label={label}
        title={label}
        aria-expanded={isOurs ? isOpen : undefined}
        disabled={isRemote}
        onClick={() => (isOurs ? setOpen(!isOpen) : player.toggleMute())}
      >
        {children ?? <VolumeIcon size={20} />}
      </button>
      {isOpen && !isRemote && (
        <span className="volume-panel absolute text-xs stack gap-8 floating" role="group" aria-label={t('volume')}>
          <strong className="numbers" aria-hidden="true">
            {shown}
          </strong>
          <VolumeSlider />
          <MuteButton />
        </span>
      )}
    </span>
  )
}
