import { useSignals } from '@preact/signals-react/runtime'
import { Moon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../shared/duration'
import { useApp } from '../app-context'
import { Menu } from '../components/menu'
import { sleepMinutes } from './sleep-timer'

/** The choices of the sleep timer, beside the time that is left. */
export function SleepMenu() {
  useSignals()
  const { sleepTimer } = useApp()
  const { t } = useTranslation()
  const until = sleepTimer.until.value
  const remaining = sleepTimer.remaining.value
  const atEnd = until === 'episode-end' ? t('sleep-at-end-short') : undefined
  return (
    <Menu
      icon={Moon}
      label={t('sleep-timer')}
      text={remaining === null ? atEnd : formatDuration(remaining)}
      items={[
        ...sleepMinutes.map(minutes => ({
          label: t('sleep-after', { count: minutes }),
          onSelect: () => sleepTimer.start(minutes),
        })),
        { label: t('sleep-at-end'), onSelect: () => sleepTimer.start('episode-end') },
        ...(until === null ? [] : [{ label: t('sleep-off'), onSelect: sleepTimer.cancel }]),
      ]}
    />
  )
}
