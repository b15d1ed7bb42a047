import type { SmartRules } from './api/smart-playlist'

/**
 * Whether the first episodes of a list by these rules can be kept downloaded. A list of what is not downloaded loses
 * each of them to its download: it would make room for another one, until the whole library is here.
 */
export const mayKeep = ({ rules }: Pick<SmartRules, 'rules'>): boolean =>
  !rules.some(rule => rule.field === 'downloaded' && !rule.is)
