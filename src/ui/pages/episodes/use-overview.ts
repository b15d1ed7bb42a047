import { useEffect, useState } from 'react'
import type { PodcastOverview } from '../../../shared/api/episode'
import { useApp } from '../../app-context'
import { useResource } from '../../use-resource'

/** Several changes in a row are one reason to ask again. */
const SETTLE_MS = 400

/** Returns what to play next of a podcast and the counts of its filters; null until loaded. Follows what happens. */
export function useOverview(podcastId: string): PodcastOverview | null {
  const { api, changes } = useApp()
  const [changeCount, setChangeCount] = useState(0)
  const { data } = useResource((_, id: string, _count: number) => api.podcasts.overview(id), [podcastId, changeCount])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function changed() {
      clearTimeout(timer)
      timer = setTimeout(() => setChangeCount(count => count + 1), SETTLE_MS)
    }
    const end = changes.listen({
      edit: changed,
      stale: id => {
        if (id === null || id === podcastId) changed()
      },
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [changes, podcastId])
  return data
}
