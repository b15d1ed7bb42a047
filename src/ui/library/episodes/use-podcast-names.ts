import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'

/**
 * Names the podcasts of episodes: from the library, or, until that is loaded, as they came with the episodes (`note`).
 */
export function usePodcastNames() {
  useSignals()
  const { library } = useApp()
  const [{ noted, note }] = useState(() => {
    const noted = new Map<string, string>()
    return { noted, note: ({ id, name }: Podcast) => void noted.set(id, name) }
  })
  const nameOf = ({ podcastEpisode: { podcast_id: id } }: EpisodeWrapper) =>
    library.byId.value.get(id)?.name ?? noted.get(id) ?? ''
  return { note, nameOf }
}
