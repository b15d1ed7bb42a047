import type { Rule } from './rules'

/** A JSON schema. */
export type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] }

/** A copy of a schema without TypeBox's own symbols, and with unions of words as `enum`; `{}` for none. */
export const plain = (schema: unknown): Schema =>
  schema ? (JSON.parse(JSON.stringify(schema), (_, value: unknown) => asEnum(value)) as Schema) : {}

function asEnum(value: unknown): unknown {
  const { anyOf, ...rest } = (value ?? {}) as { anyOf?: { const?: unknown }[] }
  if (!Array.isArray(anyOf) || anyOf.length === 0) return value
  const words = anyOf.flatMap(one => (typeof one.const === 'string' ? [one.const] : []))
  return words.length === anyOf.length ? { ...rest, type: 'string', enum: words } : value
}

/** Adds a rule to the schema of a field; in a union it belongs to the first member. */
export function withRule(schema: Schema, rule: Rule): Schema {
  const union = schema.anyOf as Schema[] | undefined
  return union
    ? { ...schema, anyOf: union.map((one, index) => (index === 0 ? { ...one, ...rule } : one)) }
    : { ...schema, ...rule }
}

/** Adds rules to the fields of a body. */
export const withRules = (body: Schema, own: Readonly<Record<string, Rule>>): Schema =>
  body.properties
    ? {
        ...body,
        properties: Object.fromEntries(
          Object.entries(body.properties).map(([name, field]) => [
            name,
            own[name] ? withRule(field, own[name]) : field,
          ]),
        ),
      }
    : body
