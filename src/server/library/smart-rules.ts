import { Value } from '@sinclair/typebox/value'
import { SmartRules, type SmartRule } from '../../shared/api/smart-playlist'
import { mayKeep } from '../../shared/may-keep'
import { DAY, type Clock } from '../platform/clock'
import { invalidField, Problem } from '../platform/problem'
import { queryOf, titleTest, wholeTerms, wordsOf } from '../search/words'
import type { Store } from '../store'
import type { PlaylistRow } from '../store/playlists'
import type { SmartCondition, SmartQuery } from '../store/smart-conditions'
import type { Viewer } from '../store/visibility'

type Needs = { store: Pick<Store, 'podcasts' | 'tags'>; now: Clock }

/** Stands for rules that another version wrote: any of no rule matches nothing. */
const unreadable: SmartRules = { match: 'any', rules: [], order: 'newest', limit: 1, keepDownloaded: 0 }

/** The rules of a playlist; null for one whose episodes are chosen. */
export function rulesOf({ rules }: Pick<PlaylistRow, 'rules'>): SmartRules | null {
  if (rules === null) return null
  const parsed: unknown = JSON.parse(rules)
  return Value.Check(SmartRules, parsed) ? parsed : unreadable
}

/** Throws `invalid-field`, and `not-uploader` where somebody who may not download asks for downloads. */
export function requireRules(rules: SmartRules, user: { role: string }): SmartRules {
  for (const [index, rule] of rules.rules.entries())
    if (rule.field === 'title' && wordsOf(rule.words).length === 0)
      throw invalidField(`rules.rules[${index}].words`, 'at least one word')
  if (rules.keepDownloaded === 0) return rules
  if (user.role === 'user') throw new Problem('not-uploader', 'You are not an admin or an uploader')
  if (!mayKeep(rules)) throw invalidField('rules.keepDownloaded', '0 for a list of what is not downloaded')
  return rules
}

/** Looks up what rules name. A rule of which all podcasts or tags are gone matches nothing. */
export const queryOfRules = ({ store, now }: Needs, viewer: Viewer, rules: SmartRules): SmartQuery => ({
  match: rules.match,
  conditions: rules.rules.map(rule => conditionOf(store, now(), viewer, rule)),
  order: rules.order,
  limit: rules.limit,
})

function conditionOf(store: Needs['store'], now: number, viewer: Viewer, rule: SmartRule): SmartCondition {
  switch (rule.field) {
    case 'podcast': {
      const ids = store.podcasts.idsAmong(viewer, rule.podcasts)
      return ids.length === 0 ? { field: 'nothing' } : { field: 'podcast', isNot: rule.op === 'is-not', ids }
    }
    case 'tag': {
      const ids = rule.tags.flatMap(uuid => store.tags.findFor(viewer.id, uuid)?.id ?? [])
      return ids.length === 0 ? { field: 'nothing' } : { field: 'tag', isNot: rule.op === 'is-not', ids }
    }
    case 'age':
      return { field: 'age', op: rule.op, since: now - rule.days * DAY }
    case 'title': {
      const words = wordsOf(rule.words)
      if (words.length === 0) return { field: 'nothing' }
      return {
        field: 'title',
        isNot: rule.op === 'lacks',
        match: queryOf(wholeTerms(words)),
        isIn: titleTest(words),
      }
    }
    default:
      return rule
  }
}
