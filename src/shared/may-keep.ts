import type { SmartRules } from './api/playlist'

/**
 * Whether the first episodes of a list by these rules can be kept downloaded. A list of episodes that are not
 * downloaded would lose each one by downloading it and make room for another, until the whole library is downloaded.
 */
export const mayKeep = ({ rules }: Pick<SmartRules, 'rules'>): boolean =>
  !rules.some(rule => rule.field === 'downloaded' && !rule.is)
