/**
 * `shapes`: the type of each key, `key?` of one that may be absent; `...` names shapes whose keys it has too. A type is
 * `string|null`, `episode[]`, `number{}` (a map), or the name of a shape. `answers`: the type of each answer.
 */
export type Recorded = { shapes: Record<string, Record<string, string>>; answers: Record<string, string> }

/** Finds everything in which a value differs from a type. `isOpen`: keys that a shape does not name are ignored. */
export function differencesFrom({ shapes }: Recorded, isOpen: boolean) {
  function keysOf(shape: string): Record<string, string> {
    const { '...': others = '', ...own } = shapes[shape]!
    return Object.assign({}, ...others.split(' ').filter(Boolean).map(keysOf), own) as Record<string, string>
  }

  function differences(value: unknown, type: string, place = ''): string[] {
    const found = type.split('|').map(one => ofOne(value, one, place))
    return found.some(list => list.length === 0) ? [] : found.toSorted((a, b) => b.length - a.length)[0]!
  }

  function ofOne(value: unknown, type: string, place: string): string[] {
    const wrong = [`${place}: ${JSON.stringify(value)?.slice(0, 60)} is not ${type}`]
    if (type.endsWith('[]') || type.endsWith('{}')) {
      if (Array.isArray(value) !== type.endsWith('[]') || typeof value !== 'object' || value === null) return wrong
      return Object.entries(value).flatMap(([key, one]) => differences(one, type.slice(0, -2), `${place}.${key}`))
    }
    if (['string', 'number', 'boolean'].includes(type)) return typeof value === type ? [] : wrong
    if (type === 'integer') return Number.isSafeInteger(value) ? [] : wrong
    if (type === 'null') return value === null ? [] : wrong
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong
    const keys = keysOf(type)
    const has = Object.keys(value)
    const typeOf = (key: string) => keys[key] ?? keys[`${key}?`]
    const absent = Object.keys(keys).filter(key => !key.endsWith('?') && !has.includes(key))
    const unknown = isOpen ? [] : has.filter(key => typeOf(key) === undefined)
    return [
      ...absent.map(key => `${place}: ${key} is missing`),
      ...unknown.map(key => `${place}: ${key} is not of ${type}`),
      ...has.flatMap(key => {
        const one = typeOf(key)
        return one ? differences((value as Record<string, unknown>)[key], one, `${place}.${key}`) : []
      }),
    ]
  }

  return (value: unknown, type: string) => differences(value, type)
}
