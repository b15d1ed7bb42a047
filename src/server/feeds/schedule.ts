import { DAY, HOUR, MINUTE } from '../platform/clock'

const WEEK = 7 * DAY

/** Half the mean gap between the last ten episodes, within what the operator and one day allow; ±10 % so that feeds spread out. */
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

export const withJitter = (ms: number, random = Math.random()): number => Math.round(ms * (0.9 + 0.2 * random))

/** After a failure: an hour, two, four … a day. What the host asks for counts, up to a week. */
export function retryDelay(failures: number, retryAfterMs: number | null): number {
  const ours = Math.min(HOUR * 2 ** Math.max(0, failures - 1), DAY)
  return retryAfterMs === null ? ours : Math.min(Math.max(retryAfterMs, MINUTE), WEEK)
}

/** Retry-After in seconds or as a date (RFC 9110, 10.2.3); null when it is missing, unreadable or past. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (!header) return null
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000 || null
  const at = Date.parse(header)
  return Number.isFinite(at) && at > now ? at - now : null
}

/** How long the host says that its answer stays fresh, in milliseconds. */
export function freshFor(headers: Headers): number {
  const seconds = Number(/max-age=(\d+)/i.exec(headers.get('cache-control') ?? '')?.[1] ?? 0)
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, DAY) : 0
}
