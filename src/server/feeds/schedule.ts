import type { UpdateFrequency } from '../../shared/api/podcast-tags'
import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock'
import type { ParsedFeed, ParsedLiveItem } from './parse/parsed-feed'

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

type Rule = {
  every: 'SECONDLY' | 'MINUTELY' | 'HOURLY' | 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  days: readonly { ordinal: number; weekday: number }[]
  monthDays: readonly number[]
  months: readonly number[]
  hours: readonly number[]
  minutes: readonly number[]
  until: number
  /** The first time, in ms, and how far its clock is ahead of UTC: days are those of the publisher. */
  start: number
  offset: number
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const steps: Partial<Record<Rule['every'], number>> = { SECONDLY: SECOND, MINUTELY: MINUTE, HOURLY: HOUR }

/**
 * Finds the first time from `from` on, and before `to`, at which a publisher's rule (RFC 5545, 3.3.10) expects an
 * episode; null when there is none, or the rule has no start or cannot be read. `COUNT` and the parts for seconds, weeks
 * and days of the year are left out: they are rare, and a check too many harms nobody.
 */
export function nextRelease(frequency: UpdateFrequency, from: number, to: number): number | null {
  const rule = parseRule(frequency)
  if (!rule) return null
  const step = steps[rule.every]
  if (step) return within(rule, from, to, nextStep(rule, step * rule.interval, from))
  const { start, offset } = rule
  for (let day = dayOf(Math.max(from, start) + offset); day <= dayOf(to + offset); day++)
    if (isReleaseDay(rule, day))
      for (const time of timesOf(rule)) {
        const at = within(rule, from, to, day * DAY + time - offset)
        if (at !== null) return at
      }
  return null
}

const within = ({ start, until }: Rule, from: number, to: number, at: number) =>
  at >= Math.max(from, start) && at < to && at <= until ? at : null

const nextStep = ({ start }: Rule, step: number, from: number) =>
  from <= start ? start : start + Math.ceil((from - start) / step) * step

const dayOf = (local: number) => Math.floor(local / DAY)
/** Weeks begin on Mondays; the first day of 1970 was a Thursday. */
const weekOf = (day: number) => Math.floor((day + 3) / 7)

function timesOf({ hours, minutes, start, offset }: Rule): number[] {
  const first = new Date(start + offset)
  const ofHours = hours.length > 0 ? hours : [first.getUTCHours()]
  const ofMinutes = minutes.length > 0 ? minutes : [first.getUTCMinutes()]
  return ofHours.flatMap(hour => ofMinutes.map(minute => hour * HOUR + minute * MINUTE)).toSorted((a, b) => a - b)
}

function isReleaseDay(rule: Rule, day: number): boolean {
  const { every, interval, months, start, offset } = rule
  const date = new Date(day * DAY)
  const first = new Date(start + offset)
  const years = date.getUTCFullYear() - first.getUTCFullYear()
  if (months.length > 0 && !months.includes(date.getUTCMonth() + 1)) return false
  if (every === 'DAILY') return (day - dayOf(start + offset)) % interval === 0 && isChosenDay(rule, date, true)
  if (every === 'WEEKLY') {
    const isWeek = (weekOf(day) - weekOf(dayOf(start + offset))) % interval === 0
    return isWeek && isChosenDay(rule, date, date.getUTCDay() === first.getUTCDay())
  }
  const isSameDay = date.getUTCDate() === first.getUTCDate()
  if (every === 'MONTHLY')
    return (
      (12 * years + date.getUTCMonth() - first.getUTCMonth()) % interval === 0 && isChosenDay(rule, date, isSameDay)
    )
  const isMonth = months.length > 0 || date.getUTCMonth() === first.getUTCMonth()
  return years % interval === 0 && isMonth && isChosenDay(rule, date, isSameDay)
}

/** Whether the days that the rule names include a date; where it names none, the answer is `otherwise`. */
function isChosenDay({ days, monthDays }: Rule, date: Date, otherwise: boolean): boolean {
  if (days.length === 0 && monthDays.length === 0) return otherwise
  const dayOfMonth = date.getUTCDate()
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const fromEnd = dayOfMonth - length - 1
  if (monthDays.length > 0 && !monthDays.includes(dayOfMonth) && !monthDays.includes(fromEnd)) return false
  const ordinals = new Set([0, Math.ceil(dayOfMonth / 7), Math.floor(fromEnd / 7)])
  return days.length === 0 || days.some(({ ordinal, weekday }) => weekday === date.getUTCDay() && ordinals.has(ordinal))
}

function parseRule({ rrule = '', dtstart = '' }: UpdateFrequency): Rule | null {
  const parts = new Map(rrule.split(';').map(part => part.trim().toUpperCase().split('=', 2) as [string, string]))
  const every = parts.get('FREQ') ?? ''
  const start = instantOf(dtstart)
  const interval = Number(parts.get('INTERVAL') ?? 1)
  if (!/^(SECOND|MINUTE|HOUR|DAI|WEEK|MONTH|YEAR)LY$/.test(every) || !start || !(interval >= 1)) return null
  const numbers = (name: string) => (parts.get(name)?.split(',') ?? []).map(Number).filter(Number.isInteger)
  return {
    every: every as Rule['every'],
    interval: Math.floor(interval),
    days: (parts.get('BYDAY')?.split(',') ?? []).flatMap(dayNamed),
    monthDays: numbers('BYMONTHDAY'),
    months: numbers('BYMONTH'),
    hours: numbers('BYHOUR').filter(hour => hour >= 0 && hour < 24),
    minutes: numbers('BYMINUTE').filter(minute => minute >= 0 && minute < 60),
    until: instantOf(parts.get('UNTIL') ?? '')?.start ?? Number.POSITIVE_INFINITY,
    ...start,
  }
}

/** `MO`, or `-1FR` for the last Friday of a month. */
function dayNamed(text: string) {
  const [, ordinal = '', name = ''] = /^([+-]?\d{0,2})(SU|MO|TU|WE|TH|FR|SA)$/.exec(text) ?? []
  return name ? [{ ordinal: Number(ordinal || 0), weekday: weekdays.indexOf(name) }] : []
}

/** Reads ISO 8601, with or without separators; a time without a zone is UTC. */
function instantOf(text: string): Pick<Rule, 'start' | 'offset'> | null {
  const found =
    /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d)(?:\.\d+)?)?)?\s?(?:Z|([+-])(\d\d):?(\d\d)?)?$/i.exec(text)
  if (!found) return null
  const [, year, month, day, hour = 0, minute = 0, second = 0, sign, hours = 0, minutes = 0] = found
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE)
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  return { start: local - offset, offset }
}

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
