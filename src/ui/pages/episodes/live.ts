import type { LiveItem } from '../../../shared/api/playables'

const HOUR = 3_600_000
/** The assumed length of a stream without an announced end. */
const USUAL_MS = 4 * HOUR
/** The time before its beginning at which a stream is announced. */
const AHEAD_MS = 7 * 24 * HOUR

type LiveNow = { item: LiveItem; isOn: boolean }

/**
 * Returns the live stream that is on, else the next one within a week. The feed stated its state when it was last
 * checked, so the announced times decide with it.
 */
export function liveNow(items: readonly LiveItem[] | undefined, now: number): LiveNow | null {
  const open = (items ?? [])
    .filter(({ status }) => status !== 'ended')
    .map(item => ({ item, start: Date.parse(item.start), end: endOf(item) }))
    .filter(({ start, end }) => end > now && start < now + AHEAD_MS)
    .sort((one, other) => one.start - other.start)
  const on = open.find(({ item, start }) => start <= now || item.status === 'live')
  const found = on ?? open[0]
  return found ? { item: found.item, isOn: found === on } : null
}

const endOf = ({ start, end }: LiveItem) => (end ? Date.parse(end) : Date.parse(start) + USUAL_MS)
