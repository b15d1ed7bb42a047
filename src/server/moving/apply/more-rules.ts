import { ReplacementStrategy } from '../../../shared/api/settings'
import { requireFormat } from '../../downloads/formats'
import { Problem } from '../../platform/problem'
import type { PodcastSettingsRow } from '../../store/podcast-settings'
import type { MoreRules } from '../item'

const strategies = ReplacementStrategy.anyOf.map(one => one.const)
const LONGEST_FORMAT = 200

/** Settings of a podcast as they are stored here. A value that no person could set here counts as none. */
export const settingsOf = (more: MoreRules): Partial<PodcastSettingsRow> => ({
  auto_update: flag(more.autoUpdate),
  auto_cleanup: flag(more.autoCleanup),
  auto_cleanup_days: within(more.autoCleanupDays, 1, 36_500),
  podcast_prefill: within(more.podcastPrefill, 0, 10_000),
  episode_numbering: flag(more.episodeNumbering),
  use_existing_filename: flag(more.useExistingFilename),
  replace_invalid_characters: flag(more.replaceInvalidCharacters),
  replacement_strategy: strategies.find(one => one === more.replacementStrategy) ?? null,
  direct_paths: flag(more.directPaths),
  episode_format: formatOf(more.episodeFormat, 'episode'),
  podcast_format: formatOf(more.podcastFormat, 'podcast'),
})

const flag = (value: boolean | null) => (value === null ? null : Number(value))

const within = (value: number | null, least: number, most: number) =>
  value !== null && Number.isInteger(value) && value >= least && value <= most ? value : null

function formatOf(format: string | null, kind: 'episode' | 'podcast'): string | null {
  if (format === null || format.length > LONGEST_FORMAT) return null
  try {
    requireFormat('', format, kind)
    return format
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
