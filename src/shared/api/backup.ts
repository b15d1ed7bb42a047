import { Type, type Static } from '@sinclair/typebox'
import { backupKinds } from '../choices'
import { Instant, oneOf } from './parts'

/** A consistent copy of the database with the server's secret: it holds everything but media. */
export const Backup = Type.Object({
  /** File name. */
  name: Type.String(),
  /** The occasion on which it was made. */
  kind: oneOf(backupKinds),
  /** Bytes. */
  size: Type.Integer(),
  createdAt: Instant,
})
export type Backup = Static<typeof Backup>
