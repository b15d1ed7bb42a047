import type { SmartRules } from './api/smart-playlist'

/**
 * Whether the first episodes of a list by these rules can be kept downloaded. A download changes whether an episode is
 * downloaded, and its duration to that of the file: where these decide, each would make room for another one, until the
 * whole library is here.
 */
export const mayKeep = ({ rules, order }: Pick<SmartRules, 'rules' | 'order'>): boolean =>
  order !== 'shortest' &&
  order !== 'longest' &&
  !rules.some(rule => rule.field === 'duration' || (rule.field === 'downloaded' && !rule.is))
