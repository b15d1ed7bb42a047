import { inHours, inMinutes, inUnit } from './format'
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
