import { useComputed, useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { formatMinutes, formatTime } from '../format'
import { secondsOf } from './queue-times'

const MINUTE_MS = 60_000

/** The number of waiting episodes and their length at the present speed; in full also the time at which they end. */
export function QueueSummary({ isFull }: { isFull: boolean }) {
  useSignals()
  const { player, upcoming } = useApp()
  const { t } = useTranslation()
  // In whole minutes, so that a second that passes changes nothing.
  const currentMs = useComputed(() => {
    const seconds = Math.max(0, player.duration.value - player.position.value) / player.rate.value
    return Math.round(seconds / 60) * MINUTE_MS
  })
  const now = useNow()
  const seconds = secondsOf(upcoming.value, player.rate.value)
  const count = upcoming.value.length
  const parts = [
    isFull ? t('episodes-count', { count }) : count,
    seconds > 0 && formatMinutes(seconds),
    isFull && seconds > 0 && t('until-time', { time: formatTime(now + currentMs.value + seconds * 1000) }),
  ]
  return <span className="queue-summary muted numbers">{parts.filter(part => part !== false).join(' · ')}</span>
}

/** The present moment in milliseconds, of this minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const ticker = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(ticker)
  }, [])
  return now
}
