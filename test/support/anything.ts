/**
 * A value that passes for any other: a function that returns itself, a list of itself, the number 1 and the text '1'.
 * `missing` are the properties that it lacks.
 */
export function anything(missing: (name: string) => boolean = () => false): never {
  const list: unknown[] = []
  const value: unknown = new Proxy(function () {}, {
    apply: () => value,
    construct: () => value as object,
    has: () => true,
    get(_, name) {
      if (name === Symbol.toPrimitive) return (hint: string) => (hint === 'string' ? '1' : 1)
      if (name === Symbol.iterator) return () => list[Symbol.iterator]()
      if (name === 'toJSON') return () => 1
      if (name === 'then' || typeof name === 'symbol' || missing(name)) return undefined
      if (name === 'length' || name === 'size') return 1
      const method = (list as unknown as Record<string, unknown>)[name]
      return typeof method === 'function' && name !== 'constructor' ? method.bind(list) : value
    },
  })
  list.push(value)
  return value as never
}
