import type { EpisodeWrapper } from '../../../shared/api/episode'

/**
 * The place in a playlist where its listener is: the episode in the player, else the first that was begun, else the
 * first that wasn't played. `isBegun`: something of the playlist was played.
 */
export function placeIn(items: readonly EpisodeWrapper[], playing: string | undefined) {
  const current = items.findIndex(({ podcastEpisode }) => podcastEpisode.id === playing)
  const begun = items.findIndex(isStarted)
  const open = items.findIndex(({ podcastHistoryItem }) => !podcastHistoryItem?.finished)
  const place = [current, begun, open].find(found => found !== -1) ?? 0
  return { place, isCurrent: current !== -1, isBegun: current !== -1 || begun !== -1 || open > 0 }
}

const isStarted = ({ podcastHistoryItem: history }: EpisodeWrapper) =>
  !history?.finished && (history?.position ?? 0) > 0

/** Sums up a playlist: all of its seconds, and those that are left. */
export function lengthOf(items: readonly EpisodeWrapper[]) {
  const total = items.reduce((sum, item) => sum + totalOf(item), 0)
  const left = items.reduce((sum, item) => sum + leftOf(item), 0)
  return { total, left }
}

const totalOf = ({ podcastEpisode, podcastHistoryItem }: EpisodeWrapper) =>
  podcastHistoryItem?.total || podcastEpisode.total_time

/** The seconds of an episode that its listener has not played; 0 = unknown, or finished. */
export function leftOf(item: EpisodeWrapper) {
  const { podcastHistoryItem: history } = item
  return history?.finished ? 0 : Math.max(0, totalOf(item) - (history?.position ?? 0))
}
