function parsed(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : null
  } catch {
    return null
  }
}

/** An object; an empty one for anything else. */
export const asObject = (found: unknown): Record<string, unknown> =>
  typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {}

/** The object of a JSON column; an empty one for anything else. */
export const objectOf = (value: unknown) => asObject(parsed(value))

/** The first hundred members of a JSON column's list. */
export function listOf(value: unknown): unknown[] {
  const found = parsed(value)
  return Array.isArray(found) ? found.slice(0, 100) : []
}
