import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { ErrorCode } from '../error-code'

/** A field that is always present, and null if it has no value. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of a list of texts, such as those of `choices.ts`. */
export const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>(Type.Union(values.map(value => Type.Literal(value))))

/** ISO 8601 in UTC with milliseconds; because of the fixed width, sorting the texts sorts by time. */
export const Instant = Type.String({ examples: ['2026-03-01T05:00:00.000Z'] })

/** An error code. The schema accepts any text, the type names the codes. */
export const Code = Type.Unsafe<ErrorCode>(Type.String())

/** A colour in sRGB, `#rrggbb`. */
export const HexColor = Type.String({ pattern: '^#[0-9a-f]{6}$', examples: ['#0f625c'] })

/** The shape of every error response. `arguments` fill in the interface's text `error.<errorCode>`. */
export const ProblemBody = Type.Object({
  errorCode: Code,
  message: Type.String(),
  arguments: Type.Record(Type.String(), Type.String()),
})
export type ProblemBody = Static<typeof ProblemBody>
