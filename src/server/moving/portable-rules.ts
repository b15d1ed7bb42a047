import { Value } from '@sinclair/typebox/value'
import { SmartRules, type SmartRule } from '../../shared/api/smart-playlist'
import { mayKeep } from '../../shared/may-keep'
import { MAX_NAMED, MAX_RULES } from '../../shared/smart-limits'
import { requireRules } from '../library/smart-rules'
import { Problem } from '../platform/problem'
import type { Store } from '../store'
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
