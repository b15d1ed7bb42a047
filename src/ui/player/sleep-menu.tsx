import { useSignals } from '@preact/signals-react/runtime'
import { Moon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { Menu, type MenuItem } from '../components/menu'
import { formatMinutes } from '../format'
import { sleepMinutes, type Sleep } from '../playback/sleep-timer'

/** The choices of the sleep timer; while one runs, its icon shows the minutes. */
export function SleepMenu() {
  useSignals()
  const { t } = useTranslation()
  const minutes = useSleepMinutes()
  return (
    <span className={`sleep anchor ${minutes === null ? '' : 'is-on'}`}>
      <Menu
        icon={Moon}
        label={minutes === null ? t('sleep-timer') : t('sleep-timer-left', { count: minutes })}
        items={useSleepChoices()}
      />
      {minutes !== null && (
        <span className="badge absolute numbers" aria-hidden="true">
          {minutes}
        </span>
      )}
    </span>
  )
}

/** Returns the minutes that are left until it sleeps; null while no timer runs. */
export function useSleepMinutes(): number | null {
  useSignals()
  const seconds = useApp().extras.value?.sleepTimer.remaining.value ?? null
  return seconds === null ? null : Math.ceil(seconds / 60)
}

/** Returns the entries of the menu. */
export function useSleepChoices(): MenuItem[] {
  useSignals()
  const { extras, chapters } = useApp()
  const { t } = useTranslation()
  const sleepTimer = extras.value?.sleepTimer
  if (!sleepTimer) return []
  const choice = sleepTimer.choice.value
  const toEnd = (end: Sleep & string): MenuItem => ({
    label: `${t(`sleep-${end}`)} · ${formatMinutes(sleepTimer.secondsTo(end))}`,
    isChecked: choice === end,
    onSelect: () => sleepTimer.start(end),
  })
  const choices = [
    ...(chapters.all.value.length > 0 ? [toEnd('chapter-end')] : []),
    toEnd('episode-end'),
    ...sleepMinutes.map(minutes => ({
      label: formatMinutes(minutes * 60),
      isChecked: choice === minutes,
      onSelect: () => sleepTimer.start(minutes),
    })),
  ]
  return [
    ...choices.map((item, index) => (index === 0 ? { ...item, group: t('sleep-timer') } : item)),
    ...(choice === null ? [] : [{ group: '', label: t('sleep-off'), onSelect: sleepTimer.cancel }]),
  ]
}
