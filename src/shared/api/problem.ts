import { Type, type Static } from '@sinclair/typebox'

/** The one shape of every error answer. `arguments` fill the interface's text `error.<errorCode>`. */
export const ProblemBody = Type.Object({
  errorCode: Type.String(),
  message: Type.String(),
  arguments: Type.Record(Type.String(), Type.String()),
})
export type ProblemBody = Static<typeof ProblemBody>
