import { Type, type Static } from '@sinclair/typebox'
import { Code } from './parts'

/** The shape of every error response. `arguments` fill in the interface's text `error.<errorCode>`. */
export const ProblemBody = Type.Object({
  errorCode: Code,
  message: Type.String(),
  arguments: Type.Record(Type.String(), Type.String()),
})
export type ProblemBody = Static<typeof ProblemBody>
