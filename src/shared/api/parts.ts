import { Type, type TSchema } from '@sinclair/typebox'

/** A field that is always present, as `null` when there is nothing to say. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** ISO 8601 in UTC with milliseconds; the fixed width makes text order time order. */
export const Instant = Type.String({ examples: ['2026-03-01T05:00:00.000Z'] })
