import { type Static, Type } from '@sinclair/typebox'
import { backupKinds } from '../choices'
import { Instant, Nullable, oneOf } from './parts'

const Cpu = Type.Object({
  name: Type.String(),
  vendor_id: Type.String(),
  usage: Type.Object({ percent: Type.Number() }),
  brand: Type.String(),
  frequency: Type.Number(),
})

/**
 * Whether the server checks for newer versions, and the result of the last check. `newer` is null unless there is one.
 */
const CheckFailureReason = oneOf(['unreachable', 'refused', 'unreadable'])
export type CheckFailureReason = Static<typeof CheckFailureReason>

export const UpdateNotice = Type.Object({
  isOn: Type.Boolean(),
  checkedAt: Nullable(Type.String()),
  newer: Nullable(
    Type.Object({ version: Type.String(), url: Nullable(Type.String()), notes: Nullable(Type.String()) }),
  ),
  /** The reason why the last check failed, and the status of a refusal. */
  failure: Nullable(
    Type.Object({
      reason: CheckFailureReason,
      status: Nullable(Type.Integer()),
    }),
  ),
})
export type UpdateNotice = Static<typeof UpdateNotice>

/** Machine, disks and library, in bytes, percent, MHz and seconds. */
export const SysInfo = Type.Object({
  system: Type.Object({
    mem_total: Type.Number(),
    mem_available: Type.Number(),
    swap_total: Type.Number(),
    swap_used: Type.Number(),
    cpus: Type.Object({ global: Type.Number(), cpus: Type.Array(Cpu) }),
  }),
  disks: Type.Array(Type.Object({ name: Type.String(), total_space: Type.Number(), available_space: Type.Number() })),
  podcast_directory: Type.Number(),
  database_size: Type.Number(),
  uptime: Type.Number(),
  library: Type.Object({
    podcasts: Type.Integer(),
    episodes: Type.Integer(),
    files: Type.Integer(),
    /** Podcasts with the most downloaded bytes, largest first. */
    byPodcast: Type.Array(
      Type.Object({ podcastId: Type.String(), name: Type.String(), bytes: Type.Number(), files: Type.Integer() }),
    ),
  }),
})
export type SysInfo = Static<typeof SysInfo>

export const BuildInfo = Type.Object({
  version: Type.String(),
  ref: Type.String(),
  /** Eight digits, followed by `with changes` if the tree had any; empty if unknown. */
  commit: Type.String(),
  ci: Type.String(),
  /** Date of the commit (YYYY-MM-DD); empty if unknown. */
  time: Type.String(),
  os: Type.String(),
})
export type BuildInfo = Static<typeof BuildInfo>

export const Stats = Type.Object({
  from: Nullable(Type.String()),
  to: Nullable(Type.String()),
  listenedPodcasts: Type.Integer(),
  listenedEpisodes: Type.Integer(),
  /** The time that it took. */
  totalListenedSeconds: Type.Integer(),
  /** Seconds that a higher speed saved, and those of trimmed silence. */
  savedSeconds: Type.Integer(),
  trimmedSeconds: Type.Integer(),
  /** The day from which on both were measured; null = always. */
  measuredSince: Nullable(Type.String()),
  topPodcasts: Type.Array(
    Type.Object({
      podcastId: Type.String(),
      podcastName: Type.String(),
      imageUrl: Type.String(),
      listenedSeconds: Type.Integer(),
      listenedEpisodes: Type.Integer(),
    }),
  ),
  /** All seven days of the week; `dayIndex` 1 is Monday. */
  activeWeekdays: Type.Array(
    Type.Object({ dayIndex: Type.Integer(), weekday: Type.String(), listenedSeconds: Type.Integer() }),
  ),
  /** Days on which the user listened, in order. */
  days: Type.Array(Type.Object({ date: Type.String(), listenedSeconds: Type.Integer() })),
})
export type Stats = Static<typeof Stats>

export const OidcConfig = Type.Object({
  authority: Type.String(),
  clientId: Type.String(),
  redirectUri: Type.String(),
  scope: Type.String(),
  jwksUri: Nullable(Type.String()),
  refreshInterval: Type.Integer(),
  /** More parameters of the address of the provider's sign-in page. */
  parameters: Type.Record(Type.String(), Type.String()),
})

export type OidcConfig = Static<typeof OidcConfig>

/** The parts of the provider's discovery document that a page needs to sign people in; empty without a provider. */
export const OpenIdAddresses = Type.Object({
  issuer: Type.Optional(Type.String()),
  authorization_endpoint: Type.Optional(Type.String()),
  end_session_endpoint: Type.Optional(Type.String()),
})
export type OpenIdAddresses = Static<typeof OpenIdAddresses>

/** The settings that a browser needs before anybody has signed in. */
export const Config = Type.Object({
  /** True until the setup of a new server is finished: it answers nothing else. */
  setup: Type.Optional(Type.Boolean()),
  basicAuth: Type.Boolean(),
  oidcConfigured: Type.Boolean(),
  oidcConfig: Nullable(OidcConfig),
  reverseProxy: Type.Boolean(),
  serverUrl: Type.String(),
  wsUrl: Type.String(),
  rssFeed: Type.String(),
  podindexConfigured: Type.Boolean(),
  /** Whether podcast apps may sync. */
  podcastSync: Type.Boolean(),
  /** Whether apps may sign in to browse and play. */
  appSignIn: Type.Boolean(),
  /** Whether people may show clips to strangers. */
  publicClips: Type.Boolean(),
  mopidyIntegrationEnabled: Type.Boolean(),
  transcriptionEnabled: Type.Boolean(),
})
export type Config = Static<typeof Config>

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
