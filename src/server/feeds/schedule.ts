import type { UpdateFrequency } from '../../shared/api/podcast-tags'
import { DAY, HOUR, MINUTE } from '../platform/clock'
import { nextRelease } from './update-rule'

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

/** The shortest time between two checks, in ms: the operator's, or what the host asks for, up to a day. */
export const leastWait = (pollingMinutes: number, atLeastMs: number) =>
  Math.max(pollingMinutes * MINUTE, Math.min(atLeastMs, DAY))

/** Time after an expected release in which a feed without it is checked as often as is allowed. */
const LATE = 6 * HOUR
/** Hosts need a while to put an episode into its feed. */
const SETTLES = 2 * MINUTE
/** An episode that came a little earlier is the expected one. */
const EARLY = 2 * HOUR

/**
 * The time until the next check of a feed that names the times of its episodes, in ms: right after the next one, and
 * soon while one is late. Never later than the usual `intervalMs`, never earlier than `leastMs`.
 */
export function waitFor(
  frequency: UpdateFrequency | null,
  intervalMs: number,
  { now, newest, leastMs }: { now: number; newest: number; leastMs: number },
): number {
  if (!frequency) return withJitter(intervalMs)
  const missed = nextRelease(frequency, Math.max(now - LATE, newest + EARLY + 1), now)
  if (missed !== null) return withJitter(Math.min(intervalMs, leastMs))
  const next = nextRelease(frequency, now, now + intervalMs)
  if (next === null) return withJitter(intervalMs)
  return Math.max(leastMs, next + SETTLES - now + Math.round(Math.random() * SETTLES))
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
