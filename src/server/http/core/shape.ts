/** The part of a JSON schema that distinguishes objects from lists. */
export type Shape = {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: readonly Shape[]
}

/**
 * Finds where another value is in place of an object, as a path (`/items/0`); null if nowhere. Validation cannot
 * tell: it copies the known fields first, and a list or a text becomes an empty object that is valid.
 */
export function misfit(shape: Shape, value: unknown, path = ''): string | null {
  if (shape.anyOf) {
    const misfits = shape.anyOf.map(one => misfit(one, value, path))
    return misfits.includes(null) ? null : misfits[0]!
  }
  if (shape.properties) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return path
    return firstOf(Object.entries(shape.properties), ([name, property]) => {
      const field = (value as Record<string, unknown>)[name]
      return field === undefined ? null : misfit(property, field, `${path}/${name}`)
    })
  }
  if (shape.type === 'null') return value === null ? null : path
  if (!shape.items || !Array.isArray(value)) return null
  const { items } = shape
  return firstOf(value.entries(), ([index, item]) => misfit(items, item, `${path}/${index}`))
}

function firstOf<T>(values: Iterable<T>, find: (value: T) => string | null): string | null {
  for (const value of values) {
    const found = find(value)
    if (found !== null) return found
  }
  return null
}
