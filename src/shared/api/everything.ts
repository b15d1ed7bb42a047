import { Type, type Static } from '@sinclair/typebox'

/** The size of an archive of everything of a user: podcasts, and downloaded files with their bytes. */
export const EverythingSize = Type.Object({
  podcasts: Type.Integer(),
  files: Type.Integer(),
  bytes: Type.Integer(),
})
export type EverythingSize = Static<typeof EverythingSize>
