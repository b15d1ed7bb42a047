import { Type, type Static } from '@sinclair/typebox'
import { skipSeconds } from '../limits'

const [ten, fifteen, thirty, fortyFive, sixty] = skipSeconds
const Seconds = Type.Union([
  Type.Literal(ten),
  Type.Literal(fifteen),
  Type.Literal(thirty),
  Type.Literal(fortyFive),
  Type.Literal(sixty),
])

/** The seconds that the player's buttons skip, for one user. */
export const SkipLengths = Type.Object({ back: Seconds, forward: Seconds })
export type SkipLengths = Static<typeof SkipLengths>
