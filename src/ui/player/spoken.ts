import { currentLanguage } from '../i18n'

const inUnit = (value: number, unit: 'hour' | 'minute' | 'second') =>
  new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit, unitDisplay: 'long' }).format(value)

/** Says a position as a person would: "12 minutes 40", "1 hour 5 minutes", "40 seconds". */
export function spokenTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return inUnit(whole, 'second')
  if (whole >= 3600) return spokenLength(whole)
  const rest = whole % 60
  const minutes = inUnit(Math.floor(whole / 60), 'minute')
  return rest === 0 ? minutes : `${minutes} ${rest}`
}

/** Says a length in hours and minutes; in seconds only below a minute. */
export function spokenLength(seconds: number): string {
  if (seconds < 60) return inUnit(Math.max(0, Math.floor(seconds)), 'second')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return [hours > 0 && inUnit(hours, 'hour'), minutes > 0 && inUnit(minutes, 'minute')].filter(Boolean).join(' ')
}
