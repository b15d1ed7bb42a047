/**
 * Returns the group of the timeline that a day belongs to: the day itself (`2026-11-22`), or its month (`2025-10`) once
 * it is more than a year away.
 */
export const groupOfDay = (day: string, today: string): string =>
  day < `${Number(today.slice(0, 4)) - 1}${today.slice(4)}` ? day.slice(0, 7) : day
