import { Type, type Static } from '@sinclair/typebox'
import { Nullable } from './parts'

const Cpu = Type.Object({
  name: Type.String(),
  vendor_id: Type.String(),
  usage: Type.Object({ percent: Type.Number() }),
  brand: Type.String(),
  frequency: Type.Number(),
})

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
  commit: Type.String(),
  ci: Type.String(),
  time: Type.String(),
  os: Type.String(),
})
export type BuildInfo = Static<typeof BuildInfo>

export const Stats = Type.Object({
  from: Nullable(Type.String()),
  to: Nullable(Type.String()),
  listenedPodcasts: Type.Integer(),
  listenedEpisodes: Type.Integer(),
  totalListenedSeconds: Type.Integer(),
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
