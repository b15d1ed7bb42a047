import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from './parts'

/** A person whom feeds name, distinguished by the name. */
export const PersonListed = Type.Object({
  name: Type.String(),
  /** Their picture, relayed by our server. */
  picture: Nullable(Type.String()),
  /** Number of podcasts that name them as a whole, and of episodes, at most 1,000. */
  podcasts: Type.Integer(),
  episodes: Type.Integer(),
})
export type PersonListed = Static<typeof PersonListed>

export const PersonPage = Type.Object({
  ...PersonListed.properties,
  /** The podcasts that name them as a whole, at most 100. */
  takesPartIn: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
})
export type PersonPage = Static<typeof PersonPage>
