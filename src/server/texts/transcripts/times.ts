/** No recording is longer: 10,000 hours. */
const MAX_MS = 36_000_000_000

/** A time as people write it: `1:02:03.5`, `02:03`, `00:00:01,500`, `00:00:01:500`, `0:0:1`; hours of any length. */
export const stamp = String.raw`-?(?:\d{1,6}\s?:\s?)?\d{1,3}\s?:\s?\d{1,2}(?:(?:\s?[.,]\s?|:)\d{1,9})?`

const parts = /^(-?)(?:(\d{1,6}):)?(\d{1,3}):(\d{1,2})(?:[.,:](\d{1,9}))?$/

/** Milliseconds of a `stamp`; null for anything else. A negative time is the beginning. */
export function readStamp(text: string): number | null {
  const bare = text.replace(/\s/g, '')
  const match = parts.exec(bare)
  if (!match) return null
  const [, sign, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match
  if (sign) return 0
  return bounded(
    (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Math.floor(Number(`0.${fraction}`) * 1000),
  )
}

const bounded = (ms: number) => (ms >= 0 && ms <= MAX_MS ? ms : null)

const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, '': 1000 }

/**
 * Milliseconds of a time in seconds (a number, or `"1.5"`, `"1.5s"`), in another unit (`"1500ms"`, `"2m"`), or as a
 * stamp; null for anything else.
 */
export function readTime(value: unknown): number | null {
  if (typeof value === 'number') return bounded(Math.floor(value * 1000))
  if (typeof value !== 'string') return null
  const text = value.trim().slice(0, 40)
  const match = /^(\d{1,9}(?:[.,]\d{1,9})?)\s?(h|ms?|s|)$/.exec(text)
  if (!match) return readStamp(text)
  return bounded(Math.floor(Number(match[1]!.replace(',', '.')) * units[match[2]!]!))
}
