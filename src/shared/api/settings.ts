import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from './parts'

/** The settings of the server as a whole; a change may name any of them. */
export const SettingsEdit = Type.Partial(
  Type.Object({
    autoCleanup: Type.Boolean(),
    autoCleanupDays: Type.Integer({ minimum: 1, maximum: 36500 }),
    autoUpdate: Type.Boolean(),
    autoDownload: Type.Boolean(),
    podcastPrefill: Type.Integer({ minimum: 0, maximum: 10000 }),
    /** So many of the newest files of each podcast are kept; null = all. */
    keepLast: Nullable(Type.Integer({ minimum: 1, maximum: 10000 })),
    deleteAfterListened: Type.Boolean(),
  }),
)
export type SettingsEdit = Static<typeof SettingsEdit>

export const Settings = Type.Composite([Type.Object({ id: Type.String() }), Type.Required(SettingsEdit)])
export type Settings = Static<typeof Settings>

/** What a cleanup would take: all of it counted, the first 200 named. */
export const Cleanup = Type.Object({
  total: Type.Integer(),
  freedBytes: Type.Integer(),
  episodes: Type.Array(
    Type.Object({
      id: Type.String(),
      episode_id: Type.String(),
      name: Type.String(),
      podcastName: Type.String(),
      size: Type.Integer(),
      reason: Type.Union([Type.Literal('age'), Type.Literal('count'), Type.Literal('listened')]),
    }),
  ),
})
export type Cleanup = Static<typeof Cleanup>

export const CleanedUp = Type.Object({ affected: Type.Integer(), freedBytes: Type.Integer() })
export type CleanedUp = Static<typeof CleanedUp>
