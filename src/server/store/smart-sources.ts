import type { playedStates } from '../../shared/choices'
import { ID_MASK } from './search'
import { facts, list, type SmartCondition, type SmartPodcasts, type Values } from './smart-conditions'

/** Episodes `e` among which all are that a rule matches, to be collected where they are few. */
export type Source = {
  from: string
  condition: string
  values: Values
  /** Whether `from` holds what the user played, `h`. */
  isPlayed?: boolean
  /** The number of its episodes, where it is known without counting, or the table in which they are counted. */
  count?: number
  counted?: string
}

/** The sources of rules that all have to match. */
export function sourcesOf(conditions: readonly SmartCondition[], podcasts: SmartPodcasts): Source[] {
  const others = conditions.flatMap((condition, index) => sourceOf(condition, `s${index}`, podcasts) ?? [])
  return podcasts.ids === null
    ? others
    : [{ ...ofPodcasts('podcasts'), values: {}, count: podcasts.episodes }, ...others]
}

/** The episodes of podcasts that a parameter lists. */
export const ofPodcasts = (name: string) => ({
  from: 'episode e INDEXED BY episode_of_podcast',
  condition: `e.podcast_id IN ${list(name)}`,
})

function sourceOf(condition: SmartCondition, name: string, podcasts: SmartPodcasts): Source | null {
  switch (condition.field) {
    case 'liked':
      return condition.is ? liked : null
    case 'played':
      return played[condition.is]
    case 'downloaded':
      return condition.is ? { ...downloaded, count: podcasts.files } : null
    case 'duration':
      return {
        from: 'episode e INDEXED BY episode_length',
        condition: condition.op === 'at-least' ? `e.duration >= $${name}` : `e.duration > 0 AND e.duration <= $${name}`,
        values: { [name]: condition.seconds },
      }
    case 'age':
      return {
        from: 'episode e INDEXED BY episode_newest',
        condition: `e.announced_at IS NOT NULL AND e.published_at ${condition.op === 'within' ? '>=' : '<'} $${name}`,
        values: { [name]: condition.since },
      }
    case 'title':
      return condition.isNot ? null : { ...inTitles(name), values: { [name]: condition.match } }
    case 'season':
      return {
        ...alone('episode_season', `x.season = $${name}`),
        values: { [name]: condition.is },
      }
    case 'type':
      return condition.is === 'full'
        ? null
        : { ...alone('episode_not_full', `x.type <> 'full' AND x.type = '${condition.is}'`), values: {} }
    default:
      return null
  }
}

const inTitles = (name: string) => ({
  from: `title_index t CROSS JOIN ${facts} ON e.id = t.rowid & ${ID_MASK}`,
  counted: 'title_index t',
  condition: `title_index MATCH $${name}`,
})

/** Episodes by an index that holds hardly more than their ids. */
const alone = (index: string, condition: string) => ({
  from: `episode x INDEXED BY ${index} CROSS JOIN ${facts} ON e.id = x.id`,
  counted: `episode x INDEXED BY ${index}`,
  condition,
})

const liked: Source = {
  from: `episode_like l CROSS JOIN ${facts} ON e.id = l.episode_id`,
  counted: 'episode_like l',
  condition: 'l.user_id = $userId',
  values: {},
}

const begun = (index: string, condition: string): Source => ({
  from: `playback h INDEXED BY ${index} CROSS JOIN ${facts} ON e.id = h.episode_id`,
  counted: `playback h INDEXED BY ${index}`,
  condition: `h.user_id = $userId AND ${condition}`,
  values: {},
  isPlayed: true,
})

const played: Record<(typeof playedStates)[number], Source | null> = {
  unplayed: null,
  started: begun('playback_in_progress', 'h.played = 1 AND h.finished = 0'),
  // Podcasts of which nothing is finished are left out already.
  finished: begun('playback_of_podcast', `h.podcast_id IN ${list('podcasts')} AND h.finished = 1`),
}

const downloaded: Source = { ...alone('episode_on_server', 'x.file_path IS NOT NULL'), values: {} }
