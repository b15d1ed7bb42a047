import { Type, type Static } from '@sinclair/typebox'
import { queuePlaces, replacementStrategies, settingModes } from '../choices'
import { Nullable, oneOf } from './parts'
import { PreferredForm } from './playables'

export const ReplacementStrategy = oneOf(replacementStrategies)
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
  /** Number of newest files that are kept per podcast; null means all. */
  keepLast: Nullable(Type.Integer({ minimum: 1, maximum: 10000 })),
  deleteAfterListened: Type.Boolean(),
}

const files = {
  /** Number of downloads at once; null means the number of the configuration. */
  parallelDownloads: Nullable(Type.Integer({ minimum: 1, maximum: 50 })),
  /** Whether a cover and NFO files are written next to the files of episodes. */
  sidecars: Type.Boolean(),
  /** Whether title, podcast, author, date, number and cover are written into downloaded files. */
  writeTags: Type.Boolean(),
}

/** A change of the server's settings; absent fields stay as they are. */
export const SettingsEdit = Type.Partial(Type.Object({ ...retention, ...naming, ...files }))
export type SettingsEdit = Static<typeof SettingsEdit>

/** Settings of unsupported features, which clients of PodFetch expect. */
const fixed = {
  autoTranscodeOpus: Type.Boolean(),
  sponsorblockEnabled: Type.Boolean(),
  useOneCoverForAllEpisodes: Type.Boolean(),
  nfoFormat: Type.String(),
  coverFilename: Type.String(),
}

/** The settings of the library. */
export const Settings = Type.Object({
  id: Type.String(),
  ...retention,
  ...naming,
  ...files,
  /** The number in force. */
  maxParallelDownloads: Type.Integer(),
  ...fixed,
})
export type Settings = Static<typeof Settings>

/** The settings that can be changed. */
export type SettingsValues = Required<SettingsEdit> & { id: string }
/** Those that a podcast itself may have. */
export type InheritedValues = Omit<SettingsValues, 'id' | keyof typeof files>

export const SettingMode = oneOf(settingModes)
export type SettingMode = Static<typeof SettingMode>

const modes = {
  autoUpdateMode: SettingMode,
  autoDownloadMode: SettingMode,
  autoCleanupMode: SettingMode,
  deleteAfterListenedMode: SettingMode,
}

const Words = Nullable(Type.String({ maxLength: 1000 }))
const own = {
  /** Number of newest episodes that one refresh may download; null means all. */
  maxNewPerRefresh: Nullable(Type.Integer({ minimum: 0, maximum: 10000 })),
  /** Comma-separated words: a title needs one of them to be downloaded automatically. */
  include: Words,
  /** Comma-separated words: a title with one of them is not downloaded automatically. */
  exclude: Words,
  skipTrailers: Type.Boolean(),
  /** Whether files that arrive from now on are transcribed. */
  autoTranscribe: Type.Boolean(),
  userAgent: Nullable(Type.String({ maxLength: 300 })),
  /** The form of new files, where the feed offers several; null = the main one. */
  preferredForm: Nullable(PreferredForm),
  /** Number of next unplayed episodes that stay downloaded for each listener; null means none. */
  keepNext: Nullable(Type.Integer({ minimum: 1, maximum: 50 })),
}

/** The settings in force for a podcast. `activated` says whether at least one of them is its own. */
export const PodcastSettings = Type.Object({
  podcastId: Type.String(),
  activated: Type.Boolean(),
  ...retention,
  ...naming,
  useOneCoverForAllEpisodes: Type.Boolean(),
  nfoFormat: Type.String(),
  coverFilename: Type.String(),
  ...own,
  ...modes,
})
export type PodcastSettings = Static<typeof PodcastSettings>

/**
 * A change of a podcast's settings. A mode overrides the boolean of the same name; `activated: false` inherits
 * everything again, null inherits a number. `username` and `password` are those of the feed and are never shown; two
 * empty ones remove them.
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

/** The end of the queue at which new episodes of a podcast enter automatically. */
export const QueuePlace = oneOf(queuePlaces)
export type QueuePlace = Static<typeof QueuePlace>

/**
 * A user's way of playing a podcast: rate, volume in percent, seconds to skip; null means the user's default. New
 * episodes enter the queue at `queueNew`, null = not automatically, and at most `queueMost` of the podcast wait there.
 */
export const Preferences = Type.Object({
  speed: Nullable(Type.Number()),
  boost: Nullable(Type.Integer({ minimum: 0, maximum: 300 })),
  skipIntro: Type.Integer({ minimum: 0, maximum: 600 }),
  skipOutro: Type.Integer({ minimum: 0, maximum: 600 }),
  /** Whether silence is trimmed; null = as the device has it. */
  skipSilence: Nullable(Type.Boolean()),
  /** Whether marked parts are skipped. */
  skipMarked: Type.Boolean(),
  queueNew: Nullable(QueuePlace),
  queueMost: Type.Integer({ minimum: 1, maximum: 100 }),
  /** The form to stream, where the feed offers several; null = the file on the server, else the main one. */
  form: Nullable(PreferredForm),
  /** Whether the user is notified of new episodes and live streams; null = if they added the podcast or favour it. */
  notify: Nullable(Type.Boolean()),
  /** Whether its episodes are listed in the user's timeline. */
  inTimeline: Type.Boolean(),
})
export type Preferences = Static<typeof Preferences>
/** A podcast for which a user has chosen a speed or whether silence is trimmed, or whose new episodes are queued for them. */
export const OwnPreferences = Type.Object({
  podcastId: Type.String(),
  ...Type.Pick(Preferences, ['speed', 'skipSilence', 'queueNew']).properties,
})
export type OwnPreferences = Static<typeof OwnPreferences>
export const PreferencesEdit = Type.Partial(Preferences)
export type PreferencesEdit = Static<typeof PreferencesEdit>

/** Names that files would get under settings that are not saved yet. */
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

/** The first 200 of the `total` files that a rename run would rename. */
export const Renames = Type.Object({
  renames: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
  total: Type.Integer(),
})
export type Renames = Static<typeof Renames>

const CleanupReason = oneOf(['age', 'count', 'listened'])
export type CleanupReason = Static<typeof CleanupReason>

/** The files that a cleanup would delete: all of them counted, the first 200 listed. */
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
      reason: CleanupReason,
    }),
  ),
})
export type Cleanup = Static<typeof Cleanup>

export const CleanedUp = Type.Object({ affected: Type.Integer(), freedBytes: Type.Integer() })
export type CleanedUp = Static<typeof CleanedUp>
