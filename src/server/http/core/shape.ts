/** As much of a schema as says what is an object and what a list. */
export type Shape = {
  type?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: readonly Shape[]
}

/**
 * Finds where something else stands in for an object, as a path (`/items/0`); null where nothing does. The validation would first copy the
 * known fields out of it, and find nothing wrong with what is left of a list or a text then: an empty object.
 */
export function misfit(shape: Shape, value: unknown, path = ''): string | null {
  if (shape.anyOf) {
    const misfits = shape.anyOf.map(one => misfit(one, value, path))
    return misfits.includes(null) ? null : misfits[0]!
  }
  if (shape.properties) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return path
    return firstOf(Object.entries(shape.properties), ([name, of]) => {
      const given = (value as Record<string, unknown>)[name]
      return given === undefined ? null : misfit(of, given, `${path}/${name}`)
    })
  }
  if (shape.type === 'null') return value === null ? null : path
  if (!shape.items || !Array.isArray(value)) return null
  const { items } = shape
  return firstOf(value.entries(), ([index, one]) => misfit(items, one, `${path}/${index}`))
}

function firstOf<T>(values: Iterable<T>, find: (value: T) => string | null): string | null {
  for (const value of values) {
    const found = find(value)
    if (found !== null) return found
  }
  return null
}
