import type { SmartOrder } from '../../shared/api/smart-playlist'
import { facts, type SmartCondition } from './smart-conditions'

/** Episodes `e` along an index that has the order, `key`. */
export type Part = {
  from: string
  /** Another way to read as many rows. */
  counted?: string
  condition: string
  key: readonly string[]
  direction: 'ASC' | 'DESC'
  /** The rules that limit the first column of the key, and where it begins without any. */
  ranged?: 'age' | 'duration'
  lower?: string
  /** Whether a rule matches none of its episodes. */
  lacks?: (condition: SmartCondition) => boolean
  /** Whether `from` holds what the user played, `h`. */
  isPlayed?: boolean
}

const dated = (direction: 'ASC' | 'DESC'): Part => ({
  from: 'episode e INDEXED BY episode_newest',
  condition: 'e.announced_at IS NOT NULL',
  key: ['e.published_at', 'e.id'],
  direction,
  ranged: 'age',
})

const undated = (direction: 'ASC' | 'DESC'): Part => ({
  from: 'episode e INDEXED BY episode_timeline',
  condition: 'e.dated = 0',
  key: ['e.published_at', 'e.id'],
  direction,
  lacks: ({ field }) => field === 'age',
})

const byLength = (direction: 'ASC' | 'DESC'): Part => ({
  from: 'episode e INDEXED BY episode_length',
  condition: '1',
  key: ['e.duration', 'e.published_at', 'e.id'],
  direction,
  ranged: 'duration',
})

const ofUnknownLength: Part = {
  from: 'episode e INDEXED BY episode_length',
  condition: 'e.duration = 0',
  key: ['e.published_at', 'e.id'],
  direction: 'ASC',
  lacks: ({ field }) => field === 'duration',
}

const recentlyPlayed: Part = {
  from: `playback h INDEXED BY playback_recent CROSS JOIN ${facts} ON e.id = h.episode_id`,
  counted: 'playback h INDEXED BY playback_recent',
  condition: 'h.user_id = $userId AND h.played = 1',
  key: ['h.updated_at', 'h.episode_id'],
  direction: 'DESC',
  isPlayed: true,
  lacks: condition => condition.field === 'played' && condition.is === 'unplayed',
}

/** The episodes of a part that were not played. */
const unplayed = (part: Part): Part => ({
  ...part,
  condition: `${part.condition} AND coalesce(h.played, 0) = 0`,
  lacks: condition =>
    (condition.field === 'played' && condition.is !== 'unplayed') || (part.lacks?.(condition) ?? false),
})

/**
 * The parts of an order, one after the other. Episodes without a date stand behind all others by date, and those of
 * unknown length by length.
 */
export const partsOf: Record<Exclude<SmartOrder, 'podcast'>, readonly Part[]> = {
  newest: [dated('DESC'), undated('DESC')],
  oldest: [dated('ASC'), undated('ASC')],
  shortest: [{ ...byLength('ASC'), lower: 'e.duration > 0' }, ofUnknownLength],
  longest: [byLength('DESC')],
  played: [recentlyPlayed, unplayed(dated('DESC')), unplayed(undated('DESC'))],
}

/** The same order over episodes `e` and `h`, what the user played; by podcast, the order within each. */
export const orderOf: Record<SmartOrder, string> = {
  newest: 'e.announced_at IS NULL, e.published_at DESC, e.id DESC',
  oldest: 'e.announced_at IS NULL, e.published_at, e.id',
  shortest: 'e.duration = 0, e.duration, e.published_at, e.id',
  longest: 'e.duration DESC, e.published_at DESC, e.id DESC',
  podcast: 'e.published_at DESC, e.id DESC',
  played: `coalesce(h.played, 0) DESC, iif(h.played, h.updated_at, 0) DESC, iif(h.played, 0, e.announced_at IS NULL),
           iif(h.played, 0, e.published_at) DESC, e.id DESC`,
}
