import { Type, type Static } from '@sinclair/typebox'

/** The five settings of the server as a whole; a change may name any of them. */
export const SettingsEdit = Type.Partial(
  Type.Object({
    autoCleanup: Type.Boolean(),
    autoCleanupDays: Type.Integer({ minimum: 1, maximum: 36500 }),
    autoUpdate: Type.Boolean(),
    autoDownload: Type.Boolean(),
    podcastPrefill: Type.Integer({ minimum: 0, maximum: 10000 }),
  }),
)
export type SettingsEdit = Static<typeof SettingsEdit>

export const Settings = Type.Composite([Type.Object({ id: Type.String() }), Type.Required(SettingsEdit)])
export type Settings = Static<typeof Settings>
