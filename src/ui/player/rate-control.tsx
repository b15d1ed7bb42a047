import { useSignals } from '@preact/signals-react/runtime'
import { ChevronUp } from 'lucide-react'
import { type KeyboardEvent, type SyntheticEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nextPlaybackRate, playbackRates } from '../../shared/limits'
import { useApp } from '../app-context'
import { lazily } from '../components/lazily'
import { Menu, type MenuItem } from '../components/menu'
import { formatCount, formatRate } from '../format'
import './bar.css'

const SoundDialog = lazily(async () => (await import('./sound-dialog')).SoundDialog)

/** The speed: its number changes to the next one, the arrow opens all of them. */
export function RateControl() {
  return (
    <span className="speed rigid clipped row">
      <RateButton />
      <RateMenu />
    </span>
  )
}

/**
 * The button that changes to the next speed. A long press, or `Shift` with an arrow, opens the speeds between. `word`: it
 * is a tool of the full-screen player, with this word below.
 */
export function RateButton({ word }: { word?: string }) {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const rate = player.rate.value
  return (
    <>
      <button
        type="button"
        className={
          word === undefined
            ? 'rate numbers ink text-s plain'
            : `tool caption plain center relative gap-2 ${rate === 1 ? '' : 'is-on'}`
        }
        aria-label={
          word === undefined
            ? t('playback-rate', { rate: formatCount(rate), next: formatCount(nextPlaybackRate(rate)) })
            : `${formatRate(rate)} ${word}`
        }
        aria-keyshortcuts="Shift+ArrowUp"
        title={t('speed')}
        {...useLongPress(() => setOpen(true))}
        onClick={player.cycleRate}
      >
        <b dir="ltr">{formatRate(rate)}</b>
        {word !== undefined && <span>{word}</span>}
      </button>
      {isOpen && <SoundDialog onClose={() => setOpen(false)} />}
    </>
  )
}

const LONG_PRESS_MS = 500

/** Handles a pointer that rests on a button, whose release is then no click, and `Shift` with an arrow. */
function useLongPress(onLongPress: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isSpent = useRef(false)
  const stop = () => clearTimeout(timer.current)
  return {
    onPointerDown() {
      isSpent.current = false
      timer.current = setTimeout(() => {
        isSpent.current = true
        onLongPress()
      }, LONG_PRESS_MS)
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    onClickCapture(event: SyntheticEvent) {
      if (isSpent.current) event.stopPropagation()
      isSpent.current = false
    },
    onContextMenu(event: SyntheticEvent) {
      if (isSpent.current) event.preventDefault()
    },
    onKeyDown(event: KeyboardEvent) {
      if (!event.shiftKey || !event.key.startsWith('Arrow')) return
      event.preventDefault()
      event.stopPropagation()
      onLongPress()
    },
  }
}

/** The arrow that opens all speeds. */
function RateMenu() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Menu icon={ChevronUp} label={t('all-speeds')} items={useRates(() => setOpen(true))} />
      {isOpen && <SoundDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** Returns the entries of the menu of speeds; those with a number are for the podcast that plays. */
function useRates(onMore: () => void): MenuItem[] {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const name = player.current.value?.podcastName ?? ''
  const rates: MenuItem[] = playbackRates.map((rate, index) => ({
    ...(index === 0 && { group: t('speed-for', { name }) }),
    label: formatRate(rate),
    isChecked: rate === player.rate.value,
    onSelect: () => player.chooseRate(rate),
  }))
  return [
    ...rates,
    { group: '', label: t('use-for-all-podcasts'), onSelect: player.keepRate },
    { label: t('speeds-between'), onSelect: onMore },
  ]
}
