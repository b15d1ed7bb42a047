import { Type, type Static } from '@sinclair/typebox'
import { Instant } from './parts'

/** A consistent copy of the database with the server's secret: it holds everything but media. */
export const Backup = Type.Object({
  /** File name. */
  name: Type.String(),
  /** The occasion on which it was made. */
  kind: Type.Union([
    Type.Literal('scheduled'),
    Type.Literal('manual'),
    Type.Literal('before-update'),
    Type.Literal('before-restore'),
  ]),
  /** Bytes. */
  size: Type.Integer(),
  createdAt: Instant,
})
export type Backup = Static<typeof Backup>
