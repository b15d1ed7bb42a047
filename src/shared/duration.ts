/** Writes seconds as `hh:mm:ss`, without hours if there are none: 65 → `01:05`, 3605 → `01:00:05`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] ? parts : parts.slice(1)
  return shown.map(part => String(part).padStart(2, '0')).join(':')
}

export const roundToTenth = (seconds: number): number => Math.round(seconds * 10) / 10

/** Writes seconds as `mm:ss`, with a tenth where they are not whole: 12.93 → `00:12.9`. */
export function formatTenths(seconds: number): string {
  const tenths = Math.round(Math.max(0, seconds) * 10)
  const whole = formatDuration(Math.floor(tenths / 10))
  return tenths % 10 === 0 ? whole : `${whole}.${tenths % 10}`
}
