import { Type, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import type { AssistantSignedIn } from '../../../accounts/sign-in/apps'

/** The caller of a tool; `base`: the address of the server, with a trailing slash. */
export type Caller = AssistantSignedIn & { base: string }

/** Answer of a tool: text for the model, and the same as data for programs. */
export type Outcome = { text: string; data: Record<string, unknown> }

/** A tool as it is listed and called; its arguments were checked by `input` before. */
export type Tool = {
  name: string
  title: string
  description: string
  input: TSchema & { properties: TProperties }
  changes: boolean
  run: (caller: Caller, args: never) => Outcome | Promise<Outcome>
}

/** Writes a tool whose `run` knows its arguments by their schema. */
export function tool<P extends TProperties>(
  facts: Pick<Tool, 'name' | 'title' | 'description'> & { changes?: boolean; properties: P },
  run: (caller: Caller, args: Static<TObject<P>>) => Outcome | Promise<Outcome>,
): Tool {
  const { properties, changes = false, ...named } = facts
  return { ...named, changes, input: Type.Object(properties, { additionalProperties: false }), run }
}

export const Id = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })
export const Limit = (maximum: number, fallback: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, default: fallback, description: 'The most entries to answer' }))
export const Cursor = Type.Optional(
  Type.String({ maxLength: 200, description: 'The next_cursor of an earlier answer, for what follows it' }),
)
export const Flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))
export const Day = (description: string) =>
  Type.Optional(
    Type.String({ maxLength: 40, description: `${description}: a day such as 2026-03-01, or an instant in ISO 8601` }),
  )
