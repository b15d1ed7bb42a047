import i18next from 'i18next'

const DAY = 86_400_000
const language = () => i18next.resolvedLanguage ?? 'en'

/** "today", "yesterday", "3 days ago"; from a week on the date in full. */
export function formatDate(instant: string, now = Date.now()): string {
  const date = new Date(instant)
  const days = Math.round((startOfDay(date.getTime()) - startOfDay(now)) / DAY)
  if (Math.abs(days) < 7) return new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(days, 'day')
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString(language(), {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
  })
}

const startOfDay = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)

/** "21 Nov 2026": for tables, where one day is compared with another. */
export const formatDay = (instant: string) =>
  new Date(instant).toLocaleDateString(language(), { day: 'numeric', month: 'short', year: 'numeric' })

/** "12 minutes ago", "in 2 hours". */
export function formatRelative(instant: string, now = Date.now()): string {
  const minutes = Math.round((Date.parse(instant) - now) / 60_000)
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' })
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return Math.abs(hours) < 48 ? format.format(hours, 'hour') : format.format(Math.round(hours / 24), 'day')
}

/** "23 min", "1 hr, 5 min": for reading, not for clocks. */
export function formatMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const unit = (value: number, name: 'hour' | 'minute') =>
    new Intl.NumberFormat(language(), { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
  if (minutes < 60) return unit(minutes, 'minute')
  const rest = minutes % 60
  return rest === 0 ? unit(minutes / 60, 'hour') : `${unit(Math.floor(minutes / 60), 'hour')} ${unit(rest, 'minute')}`
}

/** "2 days", "3 hr 12 min", "45 sec": how long something took or was heard. */
export function formatSpan(seconds: number): string {
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(language(), { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
  if (seconds < 60) return unit(Math.floor(seconds), 'second')
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor(seconds / 3600) % 24
  const minutes = Math.floor(seconds / 60) % 60
  if (days > 0) return [unit(days, 'day'), hours > 0 && unit(hours, 'hour')].filter(Boolean).join(' ')
  return [hours > 0 && unit(hours, 'hour'), minutes > 0 && unit(minutes, 'minute')].filter(Boolean).join(' ')
}

/** 1 = Monday. */
export const weekdayName = (day: number) =>
  new Intl.DateTimeFormat(language(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Bytes as MB or GB, in steps of a thousand. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return new Intl.NumberFormat(language(), {
    style: 'unit',
    unit: units[step],
    maximumFractionDigits: step > 1 && value < 100 ? 1 : 0,
  }).format(value)
}
