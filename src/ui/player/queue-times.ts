import type { QueueItem } from '../../shared/api/queue'

/** Returns the seconds of an episode that its listener has not heard yet; 0 = unknown. */
export function secondsLeft({ podcastEpisode, podcastHistoryItem: history }: QueueItem): number {
  const total = history?.total || podcastEpisode.total_time
  return Math.max(0, total - positionIn(history))
}

/** Whether an episode was begun and not finished. */
export const isBegun = ({ podcastHistoryItem: history }: QueueItem) => positionIn(history) > 0

const positionIn = (history: QueueItem['podcastHistoryItem']) => (history?.finished ? 0 : (history?.position ?? 0))

/** Returns how many seconds it takes to play all of them at a speed. */
export const secondsOf = (items: readonly QueueItem[], rate: number) =>
  items.reduce((sum, item) => sum + secondsLeft(item), 0) / rate
