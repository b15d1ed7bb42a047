import fc from 'fast-check'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const DEEP = '\u0001deep\u0001'
const HUGE = '\u0001huge\u0001'
const deep = '['.repeat(20_000) + ']'.repeat(20_000)

/** Values that are seldom what somebody waits for. */
export const oddValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 31,
  '',
  ' ',
  'x',
  '0',
  '-1',
  'NaN',
  '1e999',
  'null',
  'x'.repeat(5000),
  '\u0000',
  '\ud800',
  '\u202e',
  '\u{1f468}\u200d\u{1f469}',
  'e\u0301',
  '%',
  "'; --",
  '*',
  '"',
  '<b>',
  'https://a.example/\ud800',
  '2026-02-30T25:61:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00',
  '../..',
  [],
  {},
  [null],
  [[]],
  [{}],
  { toString: 1 },
  { length: -1 },
  { constructor: null },
  DEEP,
  HUGE,
]

const oddJson = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddValues) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
)

/** With what no value can hold: a nesting of thousands, a number beyond all numbers. */
export const writeJson = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(JSON.stringify(DEEP), deep).replaceAll(JSON.stringify(HUGE), '1e999')

/** A document with some of its values, wherever they lie, exchanged or taken away. */
export const withOddValues = (document: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(document, fc.array(fc.tuple(fc.nat(9999), fc.option(oddJson, { freq: 4 })), { maxLength: 3 }))
    .map(([document, changes]) =>
      changes.reduce((json, [at, value]) => {
        const places = countOf(json)
        return exchange(json, Math.floor((places * at) / 10_000), value)[0] ?? null
      }, document),
    )

export const mutatedJson = (seeds: readonly string[]): fc.Arbitrary<string> =>
  withOddValues(fc.constantFrom(...seeds).map(seed => JSON.parse(seed) as Json)).map(writeJson)

const partsOf = (json: Json): Json[] => (typeof json === 'object' && json !== null ? Object.values(json) : [])
const countOf = (json: Json): number => partsOf(json).reduce<number>((sum, part) => sum + countOf(part), 1)

/**
 * The value that is the `place`-th of all; `undefined` for one that is gone. The number is how many are still to come.
 */
function exchange(json: Json, place: number, value: Json | null): [Json | undefined, number] {
  if (place === 0) return [value === null ? undefined : value, -1]
  let left = place - 1
  const change = (part: Json): Json | undefined => {
    if (left < 0) return part
    const [changed, after] = exchange(part, left, value)
    left = after
    return changed
  }
  if (Array.isArray(json)) return [json.map(change).filter(part => part !== undefined), left]
  if (typeof json !== 'object' || json === null) return [json, left]
  const entries = Object.entries(json).map(([name, part]) => [name, change(part)] as const)
  return [Object.fromEntries(entries.filter(([, part]) => part !== undefined)) as Json, left]
}
