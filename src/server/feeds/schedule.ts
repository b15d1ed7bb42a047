import { DAY, HOUR, MINUTE } from '../platform/clock'

const WEEK = 7 * DAY

/**
 * The time between two checks, in ms: half the mean gap of the last ten episodes, between the operator's minimum and a
 * day.
 */
export function intervalFor(
  dates: readonly number[],
  { pollingMinutes, atLeastMs, complete }: { pollingMinutes: number; atLeastMs: number; complete: boolean },
): number {
  const base = pollingMinutes * MINUTE
  const newest = [...dates].sort((a, b) => b - a).slice(0, 10)
  const span = newest.length > 1 ? newest[0]! - newest.at(-1)! : 0
  const gap = newest.length > 1 ? span / (newest.length - 1) / 2 : base
  const wanted = complete ? DAY : Math.max(base, Math.min(gap, DAY))
  return Math.round(Math.max(wanted, Math.min(atLeastMs, DAY)))
}

/** Varies a time by ±10 %, so that checks spread out. */
export const withJitter = (ms: number, random = Math.random()): number => Math.round(ms * (0.9 + 0.2 * random))

/** The time until the next try, in ms: an hour, two, four … a day; what the host asks for comes first, up to a week. */
export function retryDelay(failures: number, retryAfterMs: number | null): number {
  const ours = Math.min(HOUR * 2 ** Math.max(0, failures - 1), DAY)
  return retryAfterMs === null ? ours : Math.min(Math.max(retryAfterMs, MINUTE), WEEK)
}

/** Reads Retry-After, seconds or a date (RFC 9110, 10.2.3), as ms; null when it is missing, unreadable or past. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (!header) return null
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000 || null
  const at = Date.parse(header)
  return Number.isFinite(at) && at > now ? at - now : null
}

/** The time for which the host calls its answer fresh, in ms. */
export function freshFor(headers: Headers): number {
  const seconds = Number(/max-age=(\d+)/i.exec(headers.get('cache-control') ?? '')?.[1] ?? 0)
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, DAY) : 0
}
