import type { Store } from '../store'
import type { DeliveryRow } from '../store/destinations'
import type { Viewer } from '../store/visibility'
import type { EpisodeFacts, FeedFacts, LiveFacts } from './news'

const aboutEpisodes: ReadonlySet<string> = new Set(['newEpisodes', 'downloadFinished', 'downloadFailed'])

/**
 * Takes out of a message what its user may not see any more: consent may have been withdrawn, or a podcast turned out
 * to be explicit, while it waited. Answers whether anything is left.
 */
export function keepVisible(store: Store, viewer: Viewer, row: DeliveryRow): boolean {
  if (viewer.explicit_consent === 1) return true
  if (row.type === 'feedFailing') return keepVisibleFeeds(store, viewer, row)
  if (row.type === 'liveStarted')
    return store.podcasts.findVisible(viewer, (JSON.parse(row.facts) as LiveFacts).podcastId) !== null
  if (!aboutEpisodes.has(row.type)) return true
  const facts = JSON.parse(row.facts) as EpisodeFacts
  const seen = facts.podcasts.filter(({ id }) => store.podcasts.findVisible(viewer, id) !== null)
  const hiddenPodcasts = new Set(facts.podcasts.filter(podcast => !seen.includes(podcast)).map(({ id }) => id))
  const episodes = facts.episodes.filter(
    ({ id, podcastId }) => !hiddenPodcasts.has(podcastId) && store.episodes.findVisible(viewer, id) !== null,
  )
  const lost = new Map<string, number>()
  for (const { podcastId } of facts.episodes.filter(episode => !episodes.includes(episode)))
    lost.set(podcastId, (lost.get(podcastId) ?? 0) + 1)
  const podcasts = seen
    .map(podcast => ({ ...podcast, episodeCount: podcast.episodeCount - (lost.get(podcast.id) ?? 0) }))
    .filter(({ episodeCount }) => episodeCount > 0)
  const kept: EpisodeFacts = {
    episodeCount: podcasts.reduce((sum, { episodeCount }) => sum + episodeCount, 0),
    podcastCount: podcasts.length,
    podcasts,
    episodes,
  }
  row.facts = JSON.stringify(kept)
  return kept.episodeCount > 0
}

/** Feeds that are counted without a name stay counted. */
function keepVisibleFeeds(store: Store, viewer: Viewer, row: DeliveryRow): boolean {
  const { feedCount, feeds } = JSON.parse(row.facts) as FeedFacts
  const seen = feeds.filter(({ podcastId }) => store.podcasts.findVisible(viewer, podcastId) !== null)
  const kept: FeedFacts = { feedCount: feedCount - (feeds.length - seen.length), feeds: seen }
  row.facts = JSON.stringify(kept)
  return seen.length > 0
}
