import { HOUR, MINUTE } from '../../platform/clock'
import type { ParsedFeed, ParsedLiveItem } from '../parse/parsed-feed'

/** The time before its start from which a stream is looked for. */
const AHEAD_MS = 5 * MINUTE
const OFTEN_MS = 2 * MINUTE
const SELDOM_MS = 10 * MINUTE
/** A stream that is late is looked for often until then, and then seldom. */
const LATE_MS = HOUR
/** After this nobody waits for its start any more, nor for the end of one that is on. */
const LOST_MS = 6 * HOUR

type Podcast = { extras: string }

/** The live items of a podcast, as its feed had them when it was read last. */
export function liveItemsIn({ extras }: Podcast): readonly ParsedLiveItem[] {
  if (!extras.includes('"live"')) return []
  return (JSON.parse(extras) as Partial<ParsedFeed['extras']>).live ?? []
}

/** Whether a stream began so long ago that it counts as over, whatever its feed says. */
export const isLost = (start: string, now: number) => now > Date.parse(start) + LOST_MS

/**
 * The moment at which a feed should be checked for the start or the end of its live streams; null if none is near.
 * A stream causes at most some sixty checks, however long its feed calls it pending.
 */
export function nextLiveCheck(podcast: Podcast, now: number): number | null {
  const checks = liveItemsIn(podcast).flatMap(({ status, start }) => {
    const at = Date.parse(start)
    if (status === 'ended' || isLost(start, now)) return []
    if (status === 'live') return [now + SELDOM_MS]
    if (now < at - AHEAD_MS) return [at - AHEAD_MS]
    return [now + (now < at + LATE_MS ? OFTEN_MS : SELDOM_MS)]
  })
  return checks.length > 0 ? Math.min(...checks) : null
}
