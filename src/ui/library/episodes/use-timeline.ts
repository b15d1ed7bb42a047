import { useCallback } from 'react'
import { useApp } from '../../app-context'
import { useEpisodeList } from './use-episode-list'
import { usePodcastNames } from './use-podcast-names'

type Query = {
  favoredOnly?: boolean
  notListened?: boolean
  /** Episodes per page. */
  limit: number
  /** Limits the list to its first page. */
  isBrief?: boolean
}

/** The newest episodes of all podcasts, as a list, and the names of their podcasts. */
export function useTimeline({ favoredOnly = false, notListened = false, limit, isBrief = false }: Query) {
  const { api } = useApp()
  const { note, nameOf } = usePodcastNames()
  const load = useCallback(
    async (cursor: string | null) => {
      const { data, nextCursor } = await api.timeline.page({ favoredOnly, notListened, limit }, cursor)
      data.data.forEach(({ podcast }) => note(podcast))
      const items = data.data.map(({ podcast_episode, history }) => ({
        podcastEpisode: podcast_episode,
        podcastHistoryItem: history,
      }))
      return { items, next: isBrief ? null : nextCursor }
    },
    [api, favoredOnly, notListened, limit, isBrief, note],
  )
  return { list: useEpisodeList(null, load), nameOf }
}
