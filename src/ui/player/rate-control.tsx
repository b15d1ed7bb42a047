import { useSignals } from '@preact/signals-react/runtime'
import { ChevronUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { nextPlaybackRate, playbackRates } from '../../shared/limits'
import { useApp } from '../app-context'
import { Menu, type MenuItem } from '../components/menu'
import './bar.css'

/** The speed: its number changes to the next one, the arrow opens all of them. */
export function RateControl() {
  return (
    <span className="speed rigid clipped row">
      <RateButton />
      <RateMenu />
    </span>
  )
}

/** The button that changes to the next speed. */
export function RateButton() {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const rate = player.rate.value
  return (
    <button
      type="button"
      className="rate numbers ink text-s plain"
      aria-label={t('playback-rate', { rate, next: nextPlaybackRate(rate) })}
      title={t('speed')}
      onClick={player.cycleRate}
    >
      <strong dir="ltr">{rate}×</strong>
    </button>
  )
}

/** The arrow that opens all speeds, or a button of another name. */
export function RateMenu({ label }: { label?: string }) {
  const { t } = useTranslation()
  return <Menu icon={ChevronUp} label={label ?? t('all-speeds')} items={useRates()} />
}

/** Returns the entries of the menu of speeds; each but the last is for the podcast that plays. */
function useRates(): MenuItem[] {
  useSignals()
  const { player } = useApp()
  const { t } = useTranslation()
  const name = player.current.value?.podcastName ?? ''
  const rates: MenuItem[] = playbackRates.map((rate, index) => ({
    ...(index === 0 && { group: t('speed-for', { name }) }),
    label: `${rate}×`,
    isChecked: rate === player.rate.value,
    onSelect: () => player.chooseRate(rate),
  }))
  return [...rates, { group: '', label: t('use-for-all-podcasts'), onSelect: player.keepRate }]
}
