import type { Episode, EpisodeWrapper } from '../../shared/api/episode'
import type { ContinueWith } from '../../shared/api/queue'
import type { Kept } from '../state/kept'

type About = {
  /** Whether the podcast is heard from its first episode on. */
  isSerial: boolean
  /** The episodes of the playlist in which playing began, by their `id`, where they are known. */
  order: readonly string[] | undefined
}

/** Finds what to continue with among the episodes of this device, by the same rules as the server. */
export function findKept(
  kept: readonly Kept[],
  episode: Episode,
  choice: ContinueWith,
  { isSerial, order = [] }: About,
): EpisodeWrapper | null {
  const others = kept.map(({ wrapper }) => wrapper).filter(({ podcastEpisode }) => podcastEpisode.id !== episode.id)
  const isOpen = ({ podcastHistoryItem }: EpisodeWrapper) => !podcastHistoryItem?.finished
  const oldestFirst = others.toSorted((one, other) => (dateOf(one) < dateOf(other) ? -1 : 1))
  if (choice === 'newest') return oldestFirst.findLast(isOpen) ?? null
  if (choice === 'playlist') {
    const after = order.slice(order.indexOf(episode.id) + 1)
    const byId = new Map(others.filter(isOpen).map(wrapper => [wrapper.podcastEpisode.id, wrapper]))
    return after.map(id => byId.get(id)).find(wrapper => wrapper !== undefined) ?? null
  }
  if (choice === 'nothing') return null
  const isNext = (wrapper: EpisodeWrapper) =>
    wrapper.podcastEpisode.podcast_id === episode.podcast_id && dateOf(wrapper) > episode.date_of_recording
  return oldestFirst.find(wrapper => isNext(wrapper) && (isSerial ? isPart(wrapper) : isOpen(wrapper))) ?? null
}

const dateOf = ({ podcastEpisode }: EpisodeWrapper) => podcastEpisode.date_of_recording

const isPart = ({ podcastEpisode }: EpisodeWrapper) => podcastEpisode.episode_type !== 'trailer'
