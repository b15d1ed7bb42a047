import { useSignals } from '@preact/signals-react/runtime'
import { useState } from 'react'
import type { EpisodeWrapper } from '../../../shared/api/episode'
import type { Podcast } from '../../../shared/api/podcast'
import { useApp } from '../../app-context'

/** What the podcasts of episodes are called: as the library has it, and until it is here as came with the episodes (`meet`). */
export function usePodcastNames() {
  useSignals()
  const { library } = useApp()
  const [{ met, meet }] = useState(() => {
    const met = new Map<string, string>()
    return { met, meet: ({ id, name }: Podcast) => void met.set(id, name) }
  })
  const nameOf = ({ podcastEpisode: { podcast_id: id } }: EpisodeWrapper) =>
    library.byId.value.get(id)?.name ?? met.get(id) ?? ''
  return { meet, nameOf }
}
