import fc from 'fast-check'
import { oddities } from './mutate'

export type Schema = {
  type?: string
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  patternProperties?: Record<string, Schema>
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  format?: string
}

const words = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Fog', 'alice', 'root', 'fog & lamps', 'Passw0rd!', 'https://a.example/f') },
  { weight: 1, arbitrary: fc.constantFrom(...oddities) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
)

/** Values that a schema lets through, or nearly. `known`: texts that stand for something on the server, such as ids. */
export function valuesOf(schema: Schema, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { type, anyOf, properties, items } = schema
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (anyOf) return fc.oneof(...anyOf.map(one => valuesOf(one, known)))
  if (type === 'object' && properties)
    return fc.record(
      Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, valuesOf(property, known)])),
      { requiredKeys: schema.required ?? [] },
    )
  if (type === 'object') {
    const [inner = {}] = Object.values(schema.patternProperties ?? {})
    return fc.dictionary(words, valuesOf(inner, known), { maxKeys: 3 })
  }
  if (type === 'array') return fc.array(items ? valuesOf(items, known) : fc.jsonValue(), { maxLength: 4 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer' || type === 'number') {
    const min = schema.minimum ?? 0
    const max = Math.max(min, schema.maximum ?? 10_000)
    return fc.oneof(fc.integer({ min, max: Math.min(max, min + 100) }), fc.constantFrom(min, max, 1, 60))
  }
  if (type !== 'string') return fc.jsonValue()
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map(date => date.toISOString())
  return fc.oneof(known, words)
}
