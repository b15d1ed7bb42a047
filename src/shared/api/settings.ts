import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from './parts'

export const ReplacementStrategy = Type.Union([
  Type.Literal('replace-with-dash'),
  Type.Literal('replace-with-dash-and-underscore'),
  Type.Literal('remove'),
])
export type ReplacementStrategy = Static<typeof ReplacementStrategy>

const Format = Type.String({ maxLength: 200 })

const naming = {
  useExistingFilename: Type.Boolean(),
  replaceInvalidCharacters: Type.Boolean(),
  replacementStrategy: ReplacementStrategy,
  episodeFormat: Format,
  podcastFormat: Format,
  directPaths: Type.Boolean(),
  episodeNumbering: Type.Boolean(),
}
export const Naming = Type.Object(naming)
export type Naming = Static<typeof Naming>
export const NamingEdit = Type.Partial(Naming)
export type NamingEdit = Static<typeof NamingEdit>

const retention = {
  autoCleanup: Type.Boolean(),
  autoCleanupDays: Type.Integer({ minimum: 1, maximum: 36500 }),
  autoUpdate: Type.Boolean(),
  autoDownload: Type.Boolean(),
  podcastPrefill: Type.Integer({ minimum: 0, maximum: 10000 }),
  /** So many of the newest files of each podcast are kept; null = all. */
  keepLast: Nullable(Type.Integer({ minimum: 1, maximum: 10000 })),
  deleteAfterListened: Type.Boolean(),
}

/** A change of the server's settings may name any of them. */
export const SettingsEdit = Type.Partial(Type.Object({ ...retention, ...naming }))
export type SettingsEdit = Static<typeof SettingsEdit>

/** Of features that there are not; older clients expect them. */
const fixed = {
  autoTranscodeOpus: Type.Boolean(),
  sponsorblockEnabled: Type.Boolean(),
  useOneCoverForAllEpisodes: Type.Boolean(),
  nfoFormat: Type.String(),
  coverFilename: Type.String(),
}

/** The settings of the server as a whole. */
export const Settings = Type.Object({
  id: Type.String(),
  ...retention,
  ...naming,
  maxParallelDownloads: Type.Integer(),
  ...fixed,
})
export type Settings = Static<typeof Settings>

/** What can be set, without what is told only. */
export type SettingsValues = Required<SettingsEdit> & { id: string }

export const SettingMode = Type.Union([Type.Literal('inherit'), Type.Literal('on'), Type.Literal('off')])
export type SettingMode = Static<typeof SettingMode>

const modes = {
  autoUpdateMode: SettingMode,
  autoDownloadMode: SettingMode,
  autoCleanupMode: SettingMode,
  deleteAfterListenedMode: SettingMode,
}

const Words = Nullable(Type.String({ maxLength: 1000 }))
const own = {
  /** So many new episodes of a refresh are downloaded, the newest; null = all. */
  maxNewPerRefresh: Nullable(Type.Integer({ minimum: 0, maximum: 10000 })),
  /** Words, apart by commas: one of them must be in the title of what is downloaded by itself. */
  include: Words,
  /** Words of which none may be in it. */
  exclude: Words,
  skipTrailers: Type.Boolean(),
  userAgent: Nullable(Type.String({ maxLength: 300 })),
}

/** What a podcast has of its own, with the values that count for it now. `activated`: something is not inherited. */
export const PodcastSettings = Type.Object({
  podcastId: Type.String(),
  activated: Type.Boolean(),
  ...retention,
  ...naming,
  useOneCoverForAllEpisodes: Type.Boolean(),
  nfoFormat: Type.String(),
  coverFilename: Type.String(),
  autoTranscribe: Type.Boolean(),
  ...own,
  ...modes,
})
export type PodcastSettings = Static<typeof PodcastSettings>

/**
 * A change: a mode decides over the bool of its name; `activated: false` inherits everything again. Null in a number
 * inherits it. `username` and `password` are the feed's, and are never shown; both empty takes them away.
 */
export const PodcastSettingsEdit = Type.Partial(
  Type.Object({
    activated: Type.Boolean(),
    ...retention,
    autoCleanupDays: Nullable(retention.autoCleanupDays),
    podcastPrefill: Nullable(retention.podcastPrefill),
    ...naming,
    ...own,
    ...modes,
    username: Type.String({ maxLength: 500 }),
    password: Type.String({ maxLength: 500 }),
  }),
)
export type PodcastSettingsEdit = Static<typeof PodcastSettingsEdit>

/** How a user wants to hear a podcast: one of the rates, percent, seconds; null = as everything else. */
export const Preferences = Type.Object({
  speed: Nullable(Type.Number()),
  boost: Nullable(Type.Integer({ minimum: 0, maximum: 300 })),
  skipIntro: Type.Integer({ minimum: 0, maximum: 600 }),
  skipOutro: Type.Integer({ minimum: 0, maximum: 600 }),
})
export type Preferences = Static<typeof Preferences>
export const PreferencesEdit = Type.Partial(Preferences)
export type PreferencesEdit = Static<typeof PreferencesEdit>

/** What is named how, with names that are not saved yet. */
export const NamingPreview = Type.Array(
  Type.Object({ podcastName: Type.String(), episodeName: Type.String(), path: Type.String() }),
)
export type NamingPreview = Static<typeof NamingPreview>

export const Rescan = Type.Object({
  applyFilenames: Type.Boolean({ default: false }),
  applyMetadata: Type.Boolean({ default: false }),
  dryRun: Type.Boolean({ default: false }),
})
export type Rescan = Static<typeof Rescan>

/** What a renaming would do: the first 200 of `total`. */
export const Renames = Type.Object({
  renames: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
  total: Type.Integer(),
})
export type Renames = Static<typeof Renames>

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
