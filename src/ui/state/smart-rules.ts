import type { SmartOrder, SmartRule, SmartRules } from '../../shared/api/playlist'
import { mayKeep } from '../../shared/may-keep'
import { MAX_RULES } from '../../shared/limits'

type RuleField = SmartRule['field']
type RuleOf<Field extends RuleField> = Extract<SmartRule, { field: Field }>

const MINUTE = 60

/** A rule in its initial state; those that name something must be completed. */
const blank: { [Field in RuleField]: RuleOf<Field> } = {
  podcast: { field: 'podcast', op: 'is', podcasts: [] },
  tag: { field: 'tag', op: 'is', tags: [] },
  favourite: { field: 'favourite', is: true },
  played: { field: 'played', is: 'unplayed' },
  downloaded: { field: 'downloaded', is: true },
  liked: { field: 'liked', is: true },
  duration: { field: 'duration', op: 'at-most', seconds: 30 * MINUTE },
  age: { field: 'age', op: 'within', days: 7 },
  title: { field: 'title', op: 'contains', words: '' },
  season: { field: 'season', is: 1 },
  type: { field: 'type', is: 'full' },
}

export const ruleFields = Object.keys(blank) as readonly RuleField[]

const LIMIT = 50
const withRules = (rules: readonly SmartRule[], order: SmartOrder = 'newest'): SmartRules => ({
  match: 'all',
  rules: [...rules],
  order,
  limit: LIMIT,
  keepDownloaded: 0,
})

/** The rules that a person begins with. */
export const firstRules = withRules([blank.played])

export const templates = {
  fresh: withRules([blank.played, { field: 'age', op: 'within', days: 14 }, blank.duration]),
  started: withRules([{ field: 'played', is: 'started' }], 'played'),
  bedtime: withRules([
    blank.played,
    blank.favourite,
    { field: 'duration', op: 'at-least', seconds: 10 * MINUTE },
    { field: 'duration', op: 'at-most', seconds: 45 * MINUTE },
  ]),
  news: withRules([blank.favourite, blank.age, blank.played]),
  archive: withRules([blank.favourite, blank.played, { field: 'age', op: 'older', days: 365 }], 'oldest'),
} as const satisfies Record<string, SmartRules>
export type Template = keyof typeof templates

/** Whether nobody has changed the rules yet. */
export const isUntouched = (rules: SmartRules) => [firstRules, ...Object.values(templates)].includes(rules)

export const canAddRule = ({ rules }: SmartRules) => rules.length < MAX_RULES

/** Adds a rule about a field that no other rule is about, if there is one. */
export function withOneMore(rules: SmartRules): SmartRules {
  const used = new Set(rules.rules.map(({ field }) => field))
  return { ...rules, rules: [...rules.rules, blank[ruleFields.find(field => !used.has(field)) ?? 'title']] }
}

export const withRule = (rules: SmartRules, place: number, rule: SmartRule): SmartRules => ({
  ...rules,
  rules: rules.rules.with(place, rule),
})

export const withoutRule = (rules: SmartRules, place: number): SmartRules => ({
  ...rules,
  rules: rules.rules.toSpliced(place, 1),
})

export const blankRule = (field: RuleField): SmartRule => blank[field]

/** Whether a rule is complete. */
export function isComplete(rule: SmartRule): boolean {
  if (rule.field === 'podcast') return rule.podcasts.length > 0
  if (rule.field === 'tag') return rule.tags.length > 0
  return rule.field !== 'title' || /[\p{L}\p{N}]/u.test(rule.words)
}

export const areComplete = ({ rules }: SmartRules): boolean => rules.every(isComplete)

/** The rules as the server accepts them. */
export const sendable = (rules: SmartRules): SmartRules =>
  mayKeep(rules) || rules.keepDownloaded === 0 ? rules : { ...rules, keepDownloaded: 0 }

type Known = { podcasts: ReadonlySet<string>; tags: ReadonlySet<string> }

/** The podcasts or tags in a rule that no longer exist. */
export function goneOf(rule: SmartRule, { podcasts, tags }: Known): string[] {
  if (rule.field === 'podcast') return rule.podcasts.filter(id => !podcasts.has(id))
  if (rule.field === 'tag') return rule.tags.filter(id => !tags.has(id))
  return []
}
