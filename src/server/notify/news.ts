import type { NewsType } from '../../shared/api/notification'
import { newsForAdmins } from '../../shared/choices'

/** The number of episodes that a message names; the others are counted. */
export const MAX_NAMED = 20
const MAX_PODCASTS = 100
const MAX_TITLE = 200

export type NamedEpisode = { id: string; title: string; podcastId: string; podcastTitle: string }
export type NamedPodcast = { id: string; title: string; episodeCount: number }
export type NamedFeed = { podcastId: string; title: string; since: number; reason: string }

/** News about episodes: the newest ones by name, newest first. */
export type EpisodeFacts = {
  episodeCount: number
  podcastCount: number
  podcasts: readonly NamedPodcast[]
  episodes: readonly NamedEpisode[]
}
export type FeedFacts = { feedCount: number; feeds: readonly NamedFeed[] }
/** The account whose password is being guessed, and the number of guesses before that was noticed. */
export type AttackFacts = { username: string; failures: number }
/** A live stream that has begun. */
export type LiveFacts = { podcastId: string; podcastTitle: string; title: string }
export type SignInFacts = { at: number; device: string; address: string }

/** A piece of news. For episodes, a destination uses the first of the types that it wants. */
export type News =
  | { types: readonly ('newEpisodes' | 'downloadFinished' | 'downloadFailed')[]; facts: EpisodeFacts }
  | { types: readonly ['liveStarted']; facts: LiveFacts }
  | { types: readonly ['feedFailing']; facts: FeedFacts }
  | { types: readonly ['signedInElsewhere']; facts: SignInFacts }
  | { types: readonly ['accountAttacked']; facts: AttackFacts }
  | { types: readonly ['diskFull']; facts: { freeBytes: number | null } }
  | { types: readonly ['backupFailed']; facts: { reason: string } }

/** News of one type, as a message reports it. */
export type Announcement =
  | { type: 'newEpisodes' | 'downloadFinished' | 'downloadFailed'; facts: EpisodeFacts }
  | { type: 'liveStarted'; facts: LiveFacts }
  | { type: 'feedFailing'; facts: FeedFacts }
  | { type: 'signedInElsewhere'; facts: SignInFacts }
  | { type: 'accountAttacked'; facts: AttackFacts }
  | { type: 'diskFull'; facts: { freeBytes: number | null } }
  | { type: 'backupFailed'; facts: { reason: string } }
  | { type: 'test'; facts: Record<string, never> }

/** News for admins only. */
export const forAdmins: ReadonlySet<NewsType> = new Set(newsForAdmins)
/** News that waits neither for other news nor for the end of quiet hours. */
export const isUrgent = (type: Announcement['type']) => type === 'signedInElsewhere' || type === 'accountAttacked'

/** A title that fits into a message. */
export const cutTitle = (title: string) => (title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1)}…` : title)

/** Adds later news of the same type to a message. News that can't be combined is replaced by the later one. */
export function combine<T extends Announcement['facts']>(type: NewsType, one: T, later: T): T {
  if (type === 'feedFailing') return combineFeeds(one as FeedFacts, later as FeedFacts) as T
  if (type === 'newEpisodes' || type === 'downloadFinished' || type === 'downloadFailed')
    return combineEpisodes(one as EpisodeFacts, later as EpisodeFacts) as T
  return later
}

function combineEpisodes(one: EpisodeFacts, later: EpisodeFacts): EpisodeFacts {
  const counts = new Map(later.podcasts.map(({ id, episodeCount }) => [id, episodeCount]))
  const known = new Set(one.podcasts.map(({ id }) => id))
  const added = later.podcasts.filter(({ id }) => !known.has(id))
  return {
    episodeCount: one.episodeCount + later.episodeCount,
    podcastCount: one.podcastCount + later.podcastCount - (later.podcasts.length - added.length),
    podcasts: [
      ...one.podcasts.map(podcast => ({
        ...podcast,
        episodeCount: podcast.episodeCount + (counts.get(podcast.id) ?? 0),
      })),
      ...added,
    ].slice(0, MAX_PODCASTS),
    episodes: [...later.episodes, ...one.episodes].slice(0, MAX_NAMED),
  }
}

const combineFeeds = (one: FeedFacts, later: FeedFacts): FeedFacts => ({
  feedCount: one.feedCount + later.feedCount,
  feeds: [...one.feeds, ...later.feeds].slice(0, MAX_NAMED),
})
