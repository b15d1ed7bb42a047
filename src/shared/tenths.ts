import { formatDuration } from './duration'

export const roundToTenth = (seconds: number): number => Math.round(seconds * 10) / 10

/** Writes seconds as `mm:ss`, with a tenth where they are not whole: 12.93 → `00:12.9`. */
export function formatTenths(seconds: number): string {
  const tenths = Math.round(Math.max(0, seconds) * 10)
  const whole = formatDuration(Math.floor(tenths / 10))
  return tenths % 10 === 0 ? whole : `${whole}.${tenths % 10}`
}
