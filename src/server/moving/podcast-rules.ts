import { requireFormat } from '../downloads/formats'
import type { PodcastSettingsRow } from '../store/podcast-settings'

type Column = keyof PodcastSettingsRow
type Rule =
  | { column: Column; is: 'flag' }
  | { column: Column; is: 'number'; least: number; most: number }
  | { column: Column; is: 'text'; fits: (text: string) => boolean }

const flag = (column: Column): Rule => ({ column, is: 'flag' })
const number = (column: Column, least: number, most: number): Rule => ({ column, is: 'number', least, most })
const text = (column: Column, fits: (text: string) => boolean): Rule => ({ column, is: 'text', fits })

const isWords = (words: string) => words.length <= 1000
/** It is sent in a header unchanged. */
const isUserAgent = (agent: string) => /^[\x20-\x7e]{1,300}$/.test(agent)
const forms = new Set(['smallest', 'video', 'audio'])
const strategies = new Set(['replace-with-dash', 'replace-with-dash-and-underscore', 'remove'])

const rules: Readonly<Record<string, Rule>> = {
  autoUpdate: flag('auto_update'),
  autoDownload: flag('auto_download'),
  autoCleanup: flag('auto_cleanup'),
  deleteAfterListened: flag('delete_after_listened'),
  autoCleanupDays: number('auto_cleanup_days', 1, 36_500),
  podcastPrefill: number('podcast_prefill', 0, 10_000),
  keepLast: number('keep_last', 1, 10_000),
  episodeNumbering: flag('episode_numbering'),
  useExistingFilename: flag('use_existing_filename'),
  replaceInvalidCharacters: flag('replace_invalid_characters'),
  directPaths: flag('direct_paths'),
  replacementStrategy: text('replacement_strategy', strategy => strategies.has(strategy)),
  episodeFormat: text('episode_format', format => isFormat(format, 'episode')),
  podcastFormat: text('podcast_format', format => isFormat(format, 'podcast')),
  maxNewPerRefresh: number('max_new_per_refresh', 0, 10_000),
  include: text('include', isWords),
  exclude: text('exclude', isWords),
  skipTrailers: flag('skip_trailers'),
  userAgent: text('user_agent', isUserAgent),
  preferredForm: text('preferred_form', form => forms.has(form)),
}

/** Writes the rules that belong to a podcast itself, by the names that the API has for them. */
export function writeRules(row: PodcastSettingsRow): Record<string, unknown> {
  const written = Object.entries(rules).flatMap(([name, { column, is }]) => {
    const value = row[column]
    return value === null ? [] : [[name, is === 'flag' ? value === 1 : value] as const]
  })
  return Object.fromEntries(written)
}

/** Reads them again from a file of anybody's; values that the API would refuse count as not given. */
export function readRules(given: unknown): Partial<PodcastSettingsRow> {
  if (typeof given !== 'object' || given === null) return {}
  const read = Object.entries(rules).flatMap(([name, rule]) => {
    const value = valueOf(rule, (given as Record<string, unknown>)[name])
    return value === null ? [] : [[rule.column, value] as const]
  })
  return Object.fromEntries(read) as Partial<PodcastSettingsRow>
}

function valueOf(rule: Rule, value: unknown): string | number | null {
  if (rule.is === 'flag') return typeof value === 'boolean' ? Number(value) : null
  if (rule.is === 'text') return typeof value === 'string' && rule.fits(value) ? value : null
  return Number.isInteger(value) && Number(value) >= rule.least && Number(value) <= rule.most ? Number(value) : null
}

function isFormat(format: string, kind: 'episode' | 'podcast'): boolean {
  try {
    requireFormat(`${kind}Format`, format, kind)
    return format.length <= 200
  } catch {
    return false
  }
}
