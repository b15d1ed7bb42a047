import { Type, type Static } from '@sinclair/typebox'
import { Instant, oneOf } from './parts'

/** Kinds of work that the next start of the server resumes. */
export const workKinds = [
  'backup',
  'check',
  'color',
  'cover',
  'delivery',
  'document',
  'download',
  'feed',
  'import',
  'index',
  'kept-file',
  'move',
  'removal',
  'rename',
  'sidecar',
  'transcription',
] as const
export type WorkKind = (typeof workKinds)[number]

const Kind = oneOf(workKinds)

export const SetAsideKey = Type.Object({ kind: Kind, key: Type.String({ minLength: 1, maxLength: 5000 }) })
export type SetAsideKey = Static<typeof SetAsideKey>

/** Work that is no longer begun, since the server stopped twice during it. `label` names it for people. */
export const SetAsideItem = Type.Object({ kind: Kind, key: Type.String(), label: Type.String(), since: Instant })
export type SetAsideItem = Static<typeof SetAsideItem>
