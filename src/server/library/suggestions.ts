import type { SmartRule, Suggestion } from '../../shared/api/playlist'
import { MAX_NAMED } from '../../shared/limits'
import { type Clock, DAY, dayFormatIn, HOUR, MINUTE, SECOND } from '../platform/clock'
import type { Store } from '../store'
import type { EpisodeForUser } from '../store/episodes'
import type { UserRow } from '../store/users'
import type { Playlists } from './playlists'

type Needs = { store: Store; playlists: Pick<Playlists, 'preview'>; now: Clock }
type Suggested = { kind: Suggestion['kind']; items: EpisodeForUser[] }

const MINUTE_SECONDS = MINUTE / SECOND
/** The longest episode for a walk, and the length of the walk. */
const MAX_PART = 15 * MINUTE_SECONDS
const MAX_WALK = 35 * MINUTE_SECONDS
/** The part of an episode from which on it is almost finished. */
const ALMOST = 0.8
/** Days of listening that are read for podcasts of the night, and the hours at night that make one. */
const RECENT_DAYS = 90
const MIN_NIGHTS = 3
const MAX_ITEMS = 12
const MAX_NIGHT = 6
/** A suggestion of one episode says no more than the episode does. */
const MIN_ITEMS = 2

/** Returns a function that suggests what somebody may want to play now. Throws `invalid-field` for a time zone. */
export function createSuggestions({ store, playlists, now }: Needs) {
  return (user: UserRow, timeZone: string): Suggested[] => {
    const unplayed = (rule: SmartRule, limit: number) =>
      playlists.preview(user, {
        match: 'all',
        rules: [{ field: 'played', is: 'unplayed' }, rule],
        order: 'newest',
        limit,
        keepDownloaded: 0,
      })
    const begun = store.playback.listRecent(user, 100, false)
    const tag = store.tags.findByName(user.id, 'Bedtime')
    const podcasts = podcastsOfNight(store, user, now(), timeZone)
    const night = [
      ...(tag ? unplayed({ field: 'tag', op: 'is', tags: [tag.uuid] }, MAX_NIGHT) : []),
      ...(podcasts.length > 0 ? unplayed({ field: 'podcast', op: 'is', podcasts }, MAX_NIGHT) : []),
    ]
    const all: Suggested[] = [
      { kind: 'walk', items: filled(unplayed({ field: 'duration', op: 'at-most', seconds: MAX_PART }, 50)) },
      { kind: 'almost', items: begun.filter(isAlmostFinished).slice(0, MAX_ITEMS) },
      { kind: 'sleep', items: [...new Map(night.map(item => [item.id, item])).values()].slice(0, MAX_NIGHT) },
    ]
    return all.filter(({ items }) => items.length >= MIN_ITEMS)
  }
}

/** As many episodes as fit into a walk. */
function filled(episodes: readonly EpisodeForUser[]): EpisodeForUser[] {
  let left = MAX_WALK
  return episodes.filter(({ duration }) => {
    const fits = duration <= left
    if (fits) left -= duration
    return fits
  })
}

function isAlmostFinished({ playback_position: position, playback_total: total, duration }: EpisodeForUser): boolean {
  const whole = total || duration
  return whole > 0 && (position ?? 0) / whole >= ALMOST
}

/** The podcasts that somebody plays between 22 and 4 o'clock, by their uuids. */
function podcastsOfNight(store: Store, user: UserRow, now: number, timeZone: string): string[] {
  const isNight = nightIn(timeZone)
  const [from, to] = [now - RECENT_DAYS * DAY, now].map(time => Math.floor(time / HOUR))
  const rows = store.listened.listFor(user, from!, to!).filter(({ hour }) => isNight(hour))
  return [...Map.groupBy(rows, row => row.podcast_id)]
    .filter(([, ofPodcast]) => new Set(ofPodcast.map(({ hour }) => hour)).size >= MIN_NIGHTS)
    .flatMap(([id]) => store.podcasts.find(id)?.uuid ?? [])
    .slice(0, MAX_NAMED)
}

/** Returns a test of whether an hour, counted from 1970, is between 22 and 4 o'clock in a time zone. */
function nightIn(timeZone: string) {
  dayFormatIn(timeZone)
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' })
  return (hour: number) => {
    const local = Number(format.format(hour * HOUR))
    return local >= 22 || local < 4
  }
}
