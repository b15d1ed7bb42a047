import type { EpisodeWrapper } from '../../shared/api/episode'
import type { ContinueWith } from '../../shared/api/queue'
import type { Api } from '../api'
import type { QueuesApi } from '../api/queues'
import { ApiError } from '../api/client'
import type { Kept } from '../state/kept'
import { findKept } from './continue-kept'
import type { Origin } from './origin'
import type { Playing } from './state'

/** What a search for the following episode asks. */
export type Sources = {
  origin: Pick<Origin, 'playlist' | 'forget'>
  /** Whether the server can be asked; without it only the episodes of this device play. */
  isConnected: () => boolean
  kept: { peek: () => readonly Kept[] }
  /** Whether a podcast, by its `id`, is heard from its first episode on. */
  isSerial: (podcastId: string) => boolean
  api: {
    queues: Pick<QueuesApi, 'following'>
    playlists: Pick<Api['playlists'], 'find'>
    timeline: Pick<Api['timeline'], 'page'>
  }
}
/** `orders`: the episodes of playlists that were read, by the ids of both, for when the server is away. */
type Search = Sources & { orders: Map<string, readonly string[]> }

/** Returns what finds the episode after another one, as its listener chose; null = there is none. Never rejects. */
export function createSearch(sources: Sources) {
  const search: Search = { ...sources, orders: new Map() }
  const { kept, origin, orders, isSerial, isConnected } = search

  return async ({ episode }: Playing, choice: ContinueWith): Promise<EpisodeWrapper | null> => {
    const onDevice = () =>
      findKept(kept.peek(), episode, choice, {
        isSerial: isSerial(episode.podcast_id),
        order: orders.get(origin.playlist.peek()?.id ?? ''),
      })
    if (!isConnected()) return onDevice()
    try {
      return await finders[choice](search, episode.id)
    } catch (error) {
      const isRefusal = error instanceof ApiError && error.status >= 400 && error.status < 500
      // Any other failure is the network's, of which the page has not heard yet.
      return isRefusal ? null : onDevice()
    }
  }
}

type Find = (search: Search, episode: string) => Promise<EpisodeWrapper | null>

const finders: Record<ContinueWith, Find> = {
  nothing: async () => null,
  podcast: async ({ api }, episode) => (await api.queues.following(episode)).episode,
  async playlist({ api, origin, orders }, episode) {
    const { id } = origin.playlist.peek() ?? {}
    if (id === undefined) return null
    try {
      const { items } = await api.playlists.find(id)
      orders.set(
        id,
        items.map(({ podcastEpisode }) => podcastEpisode.id),
      )
      return nextInList(items, episode)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) origin.forget()
      throw error
    }
  },
  async newest({ api }, episode) {
    const { data } = await api.timeline.page({ notListened: true, limit: 2 }, null)
    const item = data.data.find(({ podcast_episode }) => podcast_episode.id !== episode)
    return item ? { podcastEpisode: item.podcast_episode, podcastHistoryItem: item.history } : null
  },
}

/** The next episode of a list that is not finished; its first one, if the list does not hold the last that played. */
function nextInList(items: readonly EpisodeWrapper[], episode: string): EpisodeWrapper | null {
  const place = items.findIndex(({ podcastEpisode }) => podcastEpisode.id === episode)
  return items.slice(place + 1).find(({ podcastHistoryItem }) => !podcastHistoryItem?.finished) ?? null
}
