import { Type, type Static } from '@sinclair/typebox'

/** How much an archive of everything of a user holds: podcasts, and downloaded files with their bytes. */
export const EverythingSize = Type.Object({
  podcasts: Type.Integer(),
  files: Type.Integer(),
  bytes: Type.Integer(),
})
export type EverythingSize = Static<typeof EverythingSize>
