import { Value } from '@sinclair/typebox/value'
import { type SmartRule, SmartRules } from '../../shared/api/playlist'
import { preferredForms, replacementStrategies } from '../../shared/choices'
import { mayKeep } from '../../shared/may-keep'
import { MAX_NAMED, MAX_RULES } from '../../shared/limits'
import { requireFormat } from '../downloads/names'
import { requireRules } from '../library/playlists'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
import type { PodcastSettingsRow } from '../store/podcast-settings'
import type { UserRow } from '../store/users'

/** Rules of a playlist, in which podcasts are named by the addresses of their feeds, and tags by their names. */
export type PortableRules = Readonly<Record<string, unknown>>

/** Writes rules for another library. What is gone here, or hidden from the person, is not named. */
export const writePortableRules = (
  { podcasts, tags }: Pick<Store, 'podcasts' | 'tags'>,
  user: UserRow,
  rules: SmartRules,
): PortableRules => ({
  ...rules,
  rules: rules.rules.map(rule => {
    if (rule.field === 'podcast')
      return { ...rule, podcasts: rule.podcasts.flatMap(id => podcasts.findFor(user, id)?.feed_url ?? []) }
    if (rule.field === 'tag') return { ...rule, tags: rule.tags.flatMap(id => tags.findFor(user.id, id)?.name ?? []) }
    return rule
  }),
})

/** Gives the id of a podcast or tag here; null = there is none. */
type IdsHere = { podcast: (feed: string) => string | null; tag: (name: string) => string | null }

/**
 * Reads them again, from a file of anybody's; null = none that the API takes. A rule of which nothing is here still
 * is, and matches nothing. Downloads are asked for only by those who may download.
 */
export function readPortableRules(given: PortableRules, user: UserRow, here: IdsHere): SmartRules | null {
  const list = Array.isArray(given['rules']) ? (given['rules'] as unknown[]).slice(0, MAX_RULES + 1) : []
  const read: unknown = { ...given, rules: list.map(rule => readRule(rule as SmartRule, here)) }
  if (!Value.Check(SmartRules, read)) return null
  const keepDownloaded = user.role === 'user' || !mayKeep(read) ? 0 : read.keepDownloaded
  try {
    return requireRules({ ...(Value.Clean(SmartRules, read) as SmartRules), keepDownloaded }, user)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

function readRule(rule: SmartRule, { podcast, tag }: IdsHere): unknown {
  const idsOf = (names: unknown, find: (name: string) => string | null) => {
    const wanted = (Array.isArray(names) ? names : []).filter(name => typeof name === 'string').slice(0, MAX_NAMED)
    const ids = wanted.flatMap(name => find(name) ?? [])
    return ids.length > 0 ? [...new Set(ids)] : [crypto.randomUUID()]
  }
  if (rule?.field === 'podcast') return { ...rule, podcasts: idsOf(rule.podcasts, podcast) }
  if (rule?.field === 'tag') return { ...rule, tags: idsOf(rule.tags, tag) }
  return rule
}

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
const isOneOf = (values: readonly string[]) => (text: string) => values.includes(text)

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
  replacementStrategy: text('replacement_strategy', isOneOf(replacementStrategies)),
  episodeFormat: text('episode_format', format => isFormat(format, 'episode')),
  podcastFormat: text('podcast_format', format => isFormat(format, 'podcast')),
  maxNewPerRefresh: number('max_new_per_refresh', 0, 10_000),
  keepNext: number('keep_next', 1, 50),
  include: text('include', isWords),
  exclude: text('exclude', isWords),
  skipTrailers: flag('skip_trailers'),
  userAgent: text('user_agent', isUserAgent),
  preferredForm: text('preferred_form', isOneOf(preferredForms)),
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
