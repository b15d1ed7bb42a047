import { t } from 'elysia'
import { invalidField } from '../../platform/problem'

/** Reads `true`, `false`, `1` or `0`; absent or empty means false. Throws `invalid-field` for anything else. */
export function readFlag(field: string, text: string | undefined): boolean {
  if (text === undefined || text === '' || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw invalidField(field, 'true, false, 1 or 0')
}

/** The schema of a flag. It only documents the values: `readFlag` checks them, with its own message. */
export const Flag = t.Optional(t.String({ enum: ['true', 'false', '1', '0', ''] }))

/** The schema of a page size. It is Elysia's own integer, which converts the text of a query. */
export const Limit = (maximum: number, fallback: number) => t.Integer({ minimum: 1, maximum, default: fallback })

/** The schema of a place in a list, which replaces the cursor. */
export const Offset = t.Optional(t.Integer({ minimum: 0, maximum: 10_000_000 }))

/** Reads a value that may be repeated or comma-separated; throws `invalid-field` unless all of it is in `known`. */
export function readWords<T extends string>(field: string, value: string | string[], known: readonly T[]): T[] {
  const words = [value].flat().flatMap(part => part.split(','))
  if (!words.every((word): word is T => known.includes(word as T))) throw invalidField(field, known.join(', '))
  return words
}

/** Decodes a segment of a path; a segment that is not valid UTF-8 stays as it is. */
export function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
