import type { ForeignDatabase, ForeignRow } from '../../store/foreign-database'
import type { Item, MoreRules } from '../item'
import { isTrue, number, text } from './values'

/** Columns that settings of a podcast and of the server have in common. */
export const settingColumns = [
  'auto_download',
  'auto_update',
  'auto_cleanup',
  'auto_cleanup_days',
  'podcast_prefill',
  'episode_numbering',
  'use_existing_filename',
  'replace_invalid_characters',
  'replacement_strategy',
  'direct_paths',
  'episode_format',
  'podcast_format',
] as const

type Queries = { podcastSettings: string; serverSettings: string }

/** Reads the settings of podcasts that have their own, and those of the server. */
export function* readPodfetchSettings(db: ForeignDatabase, queries: Queries): Generator<Item> {
  for (const row of db.rows(queries.podcastSettings)) {
    const feed = text(row.feed)
    const [autoDownload, more] = [flag(row.auto_download), moreRules(row)]
    if (feed !== null) yield { is: 'rules', feed, autoDownload, include: null, exclude: null, more }
  }
  for (const row of db.rows(queries.serverSettings))
    yield { is: 'server-settings', settings: { autoDownload: flag(row.auto_download), ...moreRules(row) } }
}

const moreRules = (row: ForeignRow): MoreRules => ({
  autoUpdate: flag(row.auto_update),
  autoCleanup: flag(row.auto_cleanup),
  autoCleanupDays: number(row.auto_cleanup_days),
  podcastPrefill: number(row.podcast_prefill),
  episodeNumbering: flag(row.episode_numbering),
  useExistingFilename: flag(row.use_existing_filename),
  replaceInvalidCharacters: flag(row.replace_invalid_characters),
  replacementStrategy: text(row.replacement_strategy, 100),
  directPaths: flag(row.direct_paths),
  episodeFormat: formatOf(row.episode_format),
  podcastFormat: formatOf(row.podcast_format),
})

const flag = (value: unknown) => (number(value) === null ? null : isTrue(value))

/** `{}` stands for the format that the program has anyway. */
function formatOf(value: unknown): string | null {
  const format = text(value, 300)
  return format === '{}' ? null : format
}
