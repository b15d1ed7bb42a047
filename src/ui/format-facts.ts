import { day, inHours, inMinutes, inUnit, regionalLanguage } from './format'
import { currentLanguage } from './i18n'

// Formats that only pages and dialogs of details need, so that the first page does not load them.

const [inDays, inSeconds] = [inUnit('day'), inUnit('second')]

/** Formats a time span as "2 days", "3 h 12 min" or "45 sec". */
export function formatSpan(seconds: number): string {
  if (seconds < 60) return inSeconds().format(Math.floor(seconds))
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor(seconds / 3600) % 24
  const minutes = Math.floor(seconds / 60) % 60
  if (days > 0) return [inDays().format(days), hours > 0 && inHours().format(hours)].filter(Boolean).join(' ')
  return [hours > 0 && inHours().format(hours), minutes > 0 && inMinutes().format(minutes)].filter(Boolean).join(' ')
}

/** The name of a language, in the language of the page unless another is given. Feeds write anything as `code`. */
export function languageName(code: string, inLanguage = currentLanguage()): string {
  try {
    return new Intl.DisplayNames(inLanguage, { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

/** Formats a date as "21 Nov 2026", for tables in which days are compared. */
export const formatDay = (instant: string) => day().format(new Date(instant))

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats bytes as kB, MB, GB or TB, in steps of a thousand. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  return new Intl.NumberFormat(regionalLanguage(), {
    style: 'unit',
    unit: units[step],
    maximumFractionDigits: step > 1 && value < 100 ? 1 : 0,
  }).format(value)
}
