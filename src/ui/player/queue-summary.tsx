import { useComputed, useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueueItem } from '../../shared/api/queue'
import { useApp } from '../app-context'
import { formatMinutes, formatTime } from '../format'

const MINUTE_MS = 60_000

/** The number of waiting episodes and their length at the current speed; in full also the time at which they end. */
export function QueueSummary({ isFull }: { isFull: boolean }) {
  useSignals()
  const { player, upcoming } = useApp()
  const { t } = useTranslation()
  // In whole minutes, so that a passing second changes nothing.
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
  return <span className="fine muted numbers">{parts.filter(part => part !== false).join(' · ')}</span>
}

/** The start of the current minute, in milliseconds. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const ticker = setInterval(() => setNow(Date.now()), MINUTE_MS)
    return () => clearInterval(ticker)
  }, [])
  return now
}

/** Returns the seconds of an episode that its listener has not played yet; 0 = unknown. */
export function secondsLeft({ podcastEpisode, podcastHistoryItem: history }: QueueItem): number {
  const total = history?.total || podcastEpisode.total_time
  return Math.max(0, total - positionIn(history))
}

/** Whether an episode was begun and not finished. */
export const isBegun = ({ podcastHistoryItem: history }: QueueItem) => positionIn(history) > 0

const positionIn = (history: QueueItem['podcastHistoryItem']) => (history?.finished ? 0 : (history?.position ?? 0))

/** Returns how many seconds it takes to play all of them at a speed. */
const secondsOf = (items: readonly QueueItem[], rate: number) =>
  items.reduce((sum, item) => sum + secondsLeft(item), 0) / rate
